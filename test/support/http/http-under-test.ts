/** Starts each implementation of the HTTP server port for its contract tests. */
import type { Test } from 'tap'
import { createHttpServer } from '../../../gateway/http/create-http-server.ts'
import type {
  HeadJudge,
  HttpBounds,
  HttpHandler,
  HttpRequest,
  HttpServer,
  HttpServerOptions,
} from '../../../gateway/http/http-server.ts'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { createLog } from '../../../src/core/log.ts'
import { canRunUws } from './uws-machine.ts'

/** Every implementation of the port that this machine can run. */
export const HTTP_KINDS: readonly HttpServer['kind'][] = canRunUws() ? ['uws', 'node'] : ['node']

export type UnderTest = {
  server: HttpServer
  port: number
  /** Requests that reached the handler, in order. */
  calls: HttpRequest[]
  /** Statuses as reported at the end of each request. */
  finished: number[]
  /** Messages logged at `error`. */
  errors: string[]
}

export type Overrides = {
  handler?: HttpHandler
  refuse?: HttpServerOptions['refuse']
  judgeHead?: HeadJudge
  peerOf?: (request: HttpRequest) => string
  bounds?: Partial<HttpBounds>
  clock?: Clock
}

/** Starts one server of `kind` on a free port and closes it after the test. */
export async function startServer(
  t: Test,
  kind: HttpServer['kind'],
  {
    handler = () => ({ status: 200, body: 'ok' }),
    refuse,
    judgeHead,
    peerOf,
    bounds,
    clock,
  }: Overrides = {},
): Promise<UnderTest> {
  const calls: HttpRequest[] = []
  const finished: number[] = []
  const errors: string[] = []
  const log = { ...createLog({ level: 'silent' }), error: (text: string) => void errors.push(text) }
  const options: HttpServerOptions = {
    handler: (request, body) => {
      calls.push(request)
      return handler(request, body)
    },
    refuse: refuse ?? ((refusal) => ({ status: STATUS[refusal], body: `{"code":"${refusal}"}` })),
    ...(judgeHead === undefined ? {} : { judgeHead }),
    ...(peerOf === undefined ? {} : { peerOf }),
    exclusivePort: true,
    onFinished: (_request, status) => void finished.push(status),
    bounds: { drainQuietMs: 5, ...bounds },
  }
  const server = createHttpServer({ clock: clock ?? systemClock, log }, options, kind)
  if (server.kind !== kind) throw new Error(`${kind} does not load here`)
  const { port } = await server.listen('127.0.0.1', 0)
  t.teardown(() => server.close(0))
  return { server, port, calls, finished, errors }
}

const STATUS = { bad_request: 400, body_too_large: 413, overloaded: 503, internal: 500 } as const

/** Waits in turns of the event loop until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn()
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}

/** Timers set with `after` run when the test says so; the rest is the real clock. */
export type HandClock = Clock & { pending: Set<{ ms: number; run: () => void }>; fire(): void }

export function handClock(): HandClock {
  const pending: HandClock['pending'] = new Set()
  return {
    ...systemClock,
    pending,
    after(ms, run) {
      const timer = { ms, run }
      pending.add(timer)
      return () => void pending.delete(timer)
    },
    fire() {
      const due = [...pending]
      pending.clear()
      for (const timer of due) timer.run()
    },
  }
}
