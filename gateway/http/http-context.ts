import type { Clock } from '../../src/core/clock.ts'
import {
  BODY_BYTES_MAX,
  GATEWAY_INFLIGHT_BYTES_MAX,
  HTTP_DISCARD_BYTES_MAX,
} from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type {
  HttpBounds,
  HttpReply,
  HttpRequest,
  HttpServerDeps,
  HttpServerOptions,
  Refusal,
} from './http-server.ts'
import { Inflight } from './inflight.ts'
import { Refusals } from './refusals.ts'

const HEADER_NAME = /^[A-Za-z0-9-]+$/
const HEADER_VALUE = /^[\x20-\x7e]*$/

const NO_SNIFF_NAME = 'x-content-type-options'
const NO_SNIFF = [NO_SNIFF_NAME, 'nosniff'] as const
const NO_SNIFF_ONLY: Headers = [NO_SNIFF]

/** Requests being read, handled or answered by one gateway; over it new ones get 503. */
const HTTP_INFLIGHT_REQUESTS_MAX = 10_000
/** A body brings 160 kB (or its end) in each window of 10 s: uWebSockets.js's own rule. */
export const HTTP_BODY_WINDOW_MS = 10_000
export const HTTP_BODY_WINDOW_BYTES_MIN = 163_840
/** Time until a connection is cut whose reader takes nothing. */
const HTTP_REPLY_STALL_MS = 10_000
/** Quiet time without a request after which a draining server closes its connections. */
const HTTP_DRAIN_QUIET_MS = 250

/** State that the requests of one server share. */
export type ExchangeContext = {
  readonly options: HttpServerOptions
  readonly bounds: HttpBounds
  readonly inflight: Inflight
  readonly turn: Turn
  readonly refusals: Refusals
  readonly clock: Clock
  readonly log: Log
  /** Answers close their connections. */
  draining: boolean
}

const DEFAULT_BOUNDS: HttpBounds = {
  bodyBytesMax: BODY_BYTES_MAX,
  inflightBytesMax: GATEWAY_INFLIGHT_BYTES_MAX,
  inflightRequestsMax: HTTP_INFLIGHT_REQUESTS_MAX,
  discardBytesMax: HTTP_DISCARD_BYTES_MAX,
  bodyWindowMs: HTTP_BODY_WINDOW_MS,
  bodyWindowBytesMin: HTTP_BODY_WINDOW_BYTES_MIN,
  replyStallMs: HTTP_REPLY_STALL_MS,
  drainQuietMs: HTTP_DRAIN_QUIET_MS,
}

export function createContext(deps: HttpServerDeps, options: HttpServerOptions): ExchangeContext {
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds }
  const inflight = new Inflight(bounds.inflightRequestsMax, bounds.inflightBytesMax)
  const { clock, log, refusals = new Refusals(clock) } = deps
  return { options, bounds, inflight, turn: new Turn(), refusals, clock, log, draining: false }
}

/** In the words of the route. Never throws: its last resort is a 500 without a body. */
export function refusalReply(
  { options, log }: Pick<ExchangeContext, 'options' | 'log'>,
  refusal: Refusal,
  request: HttpRequest,
): HttpReply {
  try {
    const reply = options.refuse(refusal, request)
    if (isLegal(reply)) return reply
    log.error('refusal has an impossible status or header', { refusal })
  } catch (error) {
    log.error('refusal failed', { refusal, error })
  }
  return { status: 500, body: '' }
}

/**
 * Resolves when no request is in flight and none has arrived for a quiet period, at the latest
 * after `deadlineMs`. The quiet period protects clients between two requests of one connection: a
 * request that meets a closing connection fails.
 */
export async function waitUntilQuiet(context: ExchangeContext, deadlineMs: number): Promise<void> {
  const { inflight, clock, bounds } = context
  const quiet = new AbortController()
  let expired = false
  // A sleep keeps the process alive until the shutdown has ended.
  const deadline = clock.sleep(deadlineMs, quiet.signal).then(
    () => {
      expired = true
    },
    () => {}, // The quiet period ended first.
  )
  while (!expired) {
    await Promise.race([inflight.idle(), deadline])
    const before = inflight.entered
    await Promise.race([clock.sleep(bounds.drainQuietMs), deadline])
    if (inflight.requests === 0 && inflight.entered === before) break
  }
  quiet.abort()
}

/** Counts turns of the event loop that have requests, and the requests of each. */
class Turn {
  #number = 0
  #requests = 0
  #isOpen = false
  readonly #end = () => {
    this.#number += 1
    this.#requests = 0
    this.#isOpen = false
  }

  /** Another number in each turn. */
  current(): number {
    if (!this.#isOpen) setImmediate(this.#end)
    this.#isOpen = true
    return this.#number
  }

  /** @returns how many requests the turn has by now, this one included. */
  enter(): number {
    this.current()
    this.#requests += 1
    return this.#requests
  }
}

/** Rules for replies: their bodies, and the statuses and headers that may be sent. */
export function isStream(body: HttpReply['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

export function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/**
 * Refuses line ends in headers: both servers write headers unchanged, so one could begin another.
 */
export function isLegal({ status, headers }: HttpReply): boolean {
  if (!Number.isInteger(status) || status < 200 || status > 599) return false
  if (headers === undefined) return true
  for (const [name, value] of headers) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) return false
  }
  return true
}

type Headers = NonNullable<HttpReply['headers']>

/** Headers of every answer: no browser takes one for another type than it has. */
export function safeHeaders(headers: HttpReply['headers']): Headers {
  if (headers === undefined || headers.length === 0) return NO_SNIFF_ONLY
  for (const [name] of headers) {
    if (name.length === NO_SNIFF_NAME.length && name.toLowerCase() === NO_SNIFF_NAME) return headers
  }
  return [...headers, NO_SNIFF]
}
