/** A folder that a reader would take for a fresh clone, with `npm start` running in it. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { cleanEnv, spawnClean } from '../../support/servers/clean-env.ts'
import { freePort } from '../../support/servers/free-port.ts'
import { seedDataDir } from '../../support/servers/postgres-template.ts'
import { testFolder } from '../../support/servers/product.ts'

export type FreshClone = {
  readonly folder: string
  /** For files that no reader has. */
  readonly aside: string
  readonly url: string
  /** Variables of a reader's shell beside those of the documents. */
  readonly env: Readonly<Record<string, string>>
  readonly keys: { readonly project: string; readonly personal: string }
  /** Lines of the log so far. */
  readonly log: readonly string[]
  /** The text with the addresses and the keys of this instance. */
  ours(text: string): string
  /** Ends `npm start` as an operator would; answers its exit code. */
  stop(): Promise<number | string>
}

/** Data folders that clones have and a fresh one has not. */
const LEFT_OUT = ['.data', '.git']
/** A refused request fails; no bar moves while a body comes. */
const CURL_SETTINGS = 'silent\nshow-error\nfail-with-body\n'

/**
 * Starts the product by `command` on free ports, without a terminal. The database is a copy of one
 * that was made before, without users: the keys are made by this start.
 */
export async function startFreshClone(
  t: Test,
  command: string,
  settings: Readonly<Record<string, string>>,
): Promise<FreshClone> {
  const folder = testFolder(t)
  const aside = testFolder(t)
  for (const name of readdirSync(packageRoot)) {
    if (!LEFT_OUT.includes(name)) symlinkSync(join(packageRoot, name), join(folder, name))
  }
  await seedDataDir(join(folder, '.data'))
  const ports = {
    PORT: await freePort(),
    GRPC_PORT: await freePort(),
    ADMIN_PORT: await freePort(),
  }
  const own = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))
  const env = cleanEnv({ ...own, HOME: home(aside), npm_config_update_notifier: 'false' })
  const { log, stop } = await start(t, command, folder, { ...env, ...settings })
  const found = JSON.parse(readFileSync(join(folder, '.data', 'first-keys.json'), 'utf8'))
  const keys = { project: String(found.projectApiKey), personal: String(found.personalApiKey) }
  return {
    ...{ folder, aside, env, keys, log, stop },
    url: `http://127.0.0.1:${ports.PORT}`,
    ours: (text) =>
      text
        .replaceAll(/(?:127\.0\.0\.1|localhost):8000\b/g, `127.0.0.1:${ports.PORT}`)
        .replaceAll('https://sluice.example.com', `http://127.0.0.1:${ports.PORT}`)
        .replaceAll('127.0.0.1:8001', `127.0.0.1:${ports.GRPC_PORT}`)
        .replaceAll('<personal API key>', keys.personal)
        .replaceAll(/\bphx_\.\.\./g, keys.personal)
        .replaceAll(/<project API key>|phc_your_project_key|\bphc_\.\.\./g, keys.project),
  }
}

function home(aside: string): string {
  const folder = join(aside, 'home')
  mkdirSync(folder)
  writeFileSync(join(folder, '.curlrc'), CURL_SETTINGS)
  return folder
}

async function start(
  t: Test,
  command: string,
  folder: string,
  env: Readonly<Record<string, string>>,
) {
  const child = spawnClean(command.split(' '), env, folder)
  const log: string[] = []
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    return await ended
  }
  t.teardown(stop)
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.push(line)
      if (line.includes('"message":"ready"')) resolve()
    })
    void ended.then((how) => {
      reject(new Error(`${command} ended with ${how}\n${errors}\n${log.join('\n')}`))
    })
  })
  return { log, stop }
}
