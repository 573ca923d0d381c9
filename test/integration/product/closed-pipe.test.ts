/** Commands whose reader leaves early, as `head` does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { cleanEnv } from '../../support/servers/clean-env.ts'
import { answered, type Settings, startStandalone } from '../../support/servers/product.ts'

/** Status of a program that wrote to nobody. */
const READER_GONE = 141
const BIN = join(packageRoot, 'bin', 'sluice')

/** Runs it through a shell that waits for a line, so that the reader can leave before. */
function startWaiting(args: readonly string[], settings: Settings) {
  const shell = ['-c', 'read go; exec "$@"', 'sh', process.execPath, BIN, ...args]
  const child = spawn('/bin/sh', shell, {
    env: cleanEnv(settings),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const status = statusOf(child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const go = () => child.stdin.end('go\n')
  return { stdout: child.stdout, go, status, stderr: () => stderr }
}

/** Listens at once: it may end while the test waits for something else. */
async function statusOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close')
  return child.exitCode
}

t.test('a reader that leaves early ends a command without a word', async (t) => {
  const product = await startStandalone(t)
  const { grpc, http, admin } = product.process.ports
  const settings = {
    DATA_DIR: product.settings['DATA_DIR'] ?? '',
    PORT: String(http),
    GRPC_PORT: String(grpc),
    ADMIN_PORT: String(admin),
    SLUICE_API_KEY: product.personalKey,
  }
  for (const args of [
    ['--version'],
    ['bench', 'decide', '--help'],
    ['status'],
    ['admin', 'show', '--json'],
    ['backup', '-'],
    ['tail'],
  ]) {
    await t.test(args.join(' '), async (t) => {
      const { stdout, go, status, stderr } = startWaiting(args, settings)
      stdout.destroy()
      await once(stdout, 'close')
      const body = { api_key: product.projectKey, event: 'first', distinct_id: 'ann' }
      const sent = await answered(`${product.url}/capture/`, { body })
      t.equal(sent.status, 200, 'tail has an event to write')
      go()
      t.equal(await status, READER_GONE)
      t.equal(stderr(), '')
    })
  }

  await t.test('tail that has run ends with the next event', async (t) => {
    const { stdout, go, status, stderr } = startWaiting(['tail', '--lines', '1'], settings)
    go()
    await once(stdout, 'data')
    stdout.destroy()
    await once(stdout, 'close')
    const body = { api_key: product.projectKey, event: 'later', distinct_id: 'ann' }
    t.equal((await answered(`${product.url}/capture/`, { body })).status, 200)
    t.equal(await status, READER_GONE)
    t.equal(stderr(), '')
  })
})

t.test('nobody who reads the errors changes nothing for the output', async (t) => {
  const shell = ['-c', 'read go; exec "$@"', 'sh', process.execPath, BIN, 'nonsense']
  const child = spawn('/bin/sh', shell, { env: cleanEnv({}), stdio: ['pipe', 'pipe', 'pipe'] })
  const status = statusOf(child)
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.end('go\n')
  t.equal(await status, 2, 'wrong usage, as ever')
})
