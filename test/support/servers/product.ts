/** Starts processes of the product, and sends them requests. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '../until.ts'
import { cleanEnv, SLUICE, spawnClean } from './clean-env.ts'
import { freePort } from './free-port.ts'
import { seedDataDir } from './postgres-template.ts'

export type Settings = Readonly<Record<string, string>>

/** One process of the product, as an operator starts it. */
export type ProductProcess = {
  readonly pid: number
  readonly ports: { readonly http: number; readonly grpc: number; readonly admin: number }
  /** Lines of standard output so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  kill(signal: NodeJS.Signals): void
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

export type Product = {
  readonly url: string
  readonly projectKey: string
  readonly personalKey: string
  readonly settings: Settings
  readonly process: ProductProcess
  /** Ends this process in order and starts another on the same data and ports. */
  /** @param changed settings from then on. */
  restart(changed?: Settings): Promise<void>
}

/** Many processes start at once on a machine that is busy. */
const READY_MS_MAX = 240_000

/** A test, or another owner of resources that must end. */
type Owner = { teardown(end: () => unknown): unknown }

/** A folder that an unprivileged Postgres may pass through; removed after the test. */
export function testFolder(t: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'))
  chmodSync(folder, 0o711)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Runs `sluice start` on free ports with a data directory of its own; ended after the test. A given
 * DATA_DIR is used as it is: the product's first start fills it.
 */
export async function startStandalone(t: Owner, more: Settings = {}): Promise<Product> {
  const projectKey = `phc_${randomBytes(24).toString('base64url')}`
  const personalKey = `phx_${randomBytes(24).toString('base64url')}`
  const settings = {
    DATA_DIR: join(testFolder(t), 'data'),
    // A port that the system does not give to others during a restart.
    PORT: String(await freePort()),
    GRPC_PORT: String(await freePort()),
    ADMIN_PORT: String(await freePort()),
    BOOTSTRAP_EMAIL: 'owner@example.com',
    BOOTSTRAP_PROJECT_API_KEY: projectKey,
    BOOTSTRAP_PERSONAL_API_KEY: personalKey,
    ...more,
  }
  const isOwn = more['DATA_DIR'] === undefined && more['DATABASE_URL'] === undefined
  if (isOwn) await seedDataDir(settings.DATA_DIR)
  let current = await startProcess('start', settings)
  t.teardown(async () => {
    current.kill('SIGTERM')
    await current.ended
  })
  return {
    projectKey,
    personalKey,
    settings,
    get url() {
      return `http://127.0.0.1:${current.ports.http}`
    },
    get process() {
      return current
    },
    async restart(changed = {}) {
      Object.assign(settings, changed)
      current.kill('SIGTERM')
      await current.ended
      current = await startProcess('start', settings)
    },
  }
}

/** Resolves when the process says that it is ready. Fails with its output when it ends before. */
export async function startProcess(command: string, settings: Settings): Promise<ProductProcess> {
  const child = spawnClean([...SLUICE, command], cleanEnv(settings))
  const lines: Record<string, unknown>[] = []
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000)
  })
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  const ready = new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const parsed: unknown = JSON.parse(line)
      if (typeof parsed !== 'object' || parsed === null) return
      const fields = { ...parsed }
      lines.push(fields)
      if ('message' in fields && fields.message === 'ready') resolve(fields)
    })
    void ended.then((how) => {
      reject(new Error(`${command} ended with ${how}\n${errors}\n${JSON.stringify(lines)}`))
    })
    setTimeout(() => {
      const said = JSON.stringify(lines).slice(-4_000)
      reject(new Error(`${command} is not ready\n${errors}\n${said}`))
    }, READY_MS_MAX).unref()
  })
  try {
    return toProcess(child, await ready, lines, ended)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

function toProcess(
  child: ChildProcess,
  ready: Readonly<Record<string, unknown>>,
  lines: readonly Readonly<Record<string, unknown>>[],
  ended: Promise<number | string>,
): ProductProcess {
  const port = (name: string) => Number(ready[name] ?? 0)
  return {
    pid: child.pid ?? 0,
    ports: { http: port('httpPort'), grpc: port('grpcPort'), admin: port('adminPort') },
    lines,
    kill: (signal) => child.kill(signal),
    ended,
  }
}

/** Resolves once a process says of itself that it can serve. */
export async function served(adminPort: number): Promise<void> {
  const url = `http://127.0.0.1:${adminPort}/readyz`
  await until('it is ready', async () => (await request(url)).status === 200)
}

export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** A request with a JSON body, answered with its JSON, or text where it is none. */
export async function request(
  url: string,
  options: { method?: string; body?: unknown; key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const headers: Record<string, string> = { ...options.headers }
  if (options.key !== undefined) headers['authorization'] = `Bearer ${options.key}`
  if (options.body !== undefined) headers['content-type'] ??= 'application/json'
  const response = await fetch(url, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers,
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  return { status: response.status, body: parseOr(text), headers: response.headers }
}

/**
 * As `request`, and again while the answer is 503: a process of a busy machine may be late with what it
 * has to ask another one. For requests that may be made twice.
 */
export async function answered(...call: Parameters<typeof request>): Promise<Answer> {
  let answer = await request(...call)
  await until('another answer than 503', async () => {
    if (answer.status === 503) answer = await request(...call)
    return answer.status !== 503
  })
  return answer
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // Not JSON: the test compares the text.
  }
}
