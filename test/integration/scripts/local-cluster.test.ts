/** A cluster on one machine, as `scripts/local-cluster` starts it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { cleanEnv } from '../../support/servers/clean-env.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { testFolder } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

/** NATS listens so far above the port of the gateways. */
const NATS = 50

async function run(...args: string[]): Promise<{ status: number | null; said: string }> {
  const program = join(packageRoot, 'scripts', 'local-cluster')
  const child = spawn(process.execPath, [program, ...args], { env: cleanEnv({}) })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, said }
}

/** A port that this process holds. */
async function taken(t: Test): Promise<number> {
  const port = await freePort()
  const server = createServer()
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return port
}

t.test('a port that is taken is told at once, by whom, and nothing is started', async (t) => {
  let outcome = { status: null as number | null, said: '' }
  let folder = ''
  // Another process may have the port of the gateways, which is looked at before that of NATS.
  await until('the port of NATS is told', async () => {
    const port = await taken(t)
    folder = join(testFolder(t), 'cluster')
    const ports = ['--workers', '1', '--gateways', '1', '--port', String(port - NATS)]
    outcome = await run(...ports, '--dir', folder)
    return outcome.said.includes(`port ${port}, for NATS, is taken by `)
  })
  t.equal(outcome.status, 1)
  t.match(outcome.said, new RegExp(`is taken by \\S+, pid ${process.pid}: .*--port`))
  t.notOk(existsSync(folder), 'no key and no log is left behind')
})

t.test('its help names each port that it takes', async (t) => {
  const { status, said } = await run('--help')
  t.equal(status, 0)
  for (const port of ['8000', 'N+I', 'N+50', 'N+51', 'N+52', 'N+100', 'N+100+I', 'N+120+I']) {
    t.match(said, new RegExp(`${port.replaceAll('+', '\\+')}\\b`), port)
  }
})
