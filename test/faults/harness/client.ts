/** The HTTP client of the load. */
import { Agent, request as httpRequest } from 'node:http'
import { pause } from '../../support/until.ts'
import { type Attempt, isSuccess, type Journal, type Kind } from './journal.ts'

/** Gateway to which a balancer would send a request now. */
export type Target = { readonly name: string; readonly url: string }

export type Sent = {
  readonly kind: Kind
  readonly verb: string
  readonly path: string
  readonly body: string
  readonly key?: string
  /** Whether 400 to a repetition means that the first attempt took effect. */
  readonly takenAfterRetry?: boolean
}

export type Answer = Attempt & { readonly body: unknown }

/** One HTTP client as SDKs have it: connections kept open, a limit of time, a retry of what failed. */
export type LoadClient = {
  /** One attempt, noted in the journal. Never rejects. */
  attempt(target: Target, sent: Sent, isRepeated?: boolean): Promise<Answer>
  /**
   * Attempts until one is answered 2xx, each with the same bytes, at the next target each time.
   * Ends early when an answer is none that a client may retry. Never rejects.
   */
  persist(sent: Sent, next: () => Target, until: number): Promise<Answer & { attempts: number }>
  close(): void
}

export const ATTEMPT_MS = 10_000
const RETRY_MS = 200
/** SDKs obey Retry-After; a test that waited for it would measure its own patience. */
const RETRY_MS_MAX = 1_000
const SAID_CHARS_MAX = 120
const SOCKETS_MAX = 256
/** Shorter than a gateway's 10 s: a request must not meet a connection that is being closed. */
const IDLE_MS = 6_000
/** Statuses that a client may retry, including those of a balancer in front. */
const RETRIED = new Set([0, 408, 429, 502, 503, 504])

export function createLoadClient(journal: Journal): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, timeout: IDLE_MS })
  const attempt = async (target: Target, sent: Sent, isRepeated = false): Promise<Answer> => {
    const sentAt = performance.now()
    const { status: answered, failure, body } = await exchange(agent, target, sent)
    const isTaken = answered === 400 && isRepeated && sent.takenAfterRetry === true
    const status = isTaken ? 200 : answered
    const noted = { kind: sent.kind, gateway: target.name, sentAt, endedAt: performance.now() }
    journal.attempts.push({ ...noted, status, failure: failure || saidIn(status, body) })
    if (!isSuccess(status) && !RETRIED.has(status)) {
      const said = JSON.stringify(body).slice(0, 300)
      journal.faults.push(`${sent.verb} ${sent.path} at ${target.name}: ${status} ${said}`)
    }
    return { ...noted, status, failure, body }
  }
  return {
    attempt,
    async persist(sent, next, until) {
      for (let attempts = 1; ; attempts += 1) {
        const answer = await attempt(next(), sent, attempts > 1)
        const isLast = performance.now() > until || !RETRIED.has(answer.status)
        if (isLast) return { ...answer, attempts }
        await pause(Math.min(RETRY_MS * attempts, RETRY_MS_MAX) * (0.5 + Math.random()))
      }
    },
    close: () => agent.destroy(),
  }
}

type Exchange = { readonly status: number; readonly failure: string; readonly body: unknown }

function exchange(agent: Agent, { url }: Target, sent: Sent): Promise<Exchange> {
  return new Promise((resolve) => {
    const headers: Record<string, string | number> = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(sent.body),
      ...(sent.key === undefined ? {} : { authorization: `Bearer ${sent.key}` }),
    }
    const fail = (error: Error) => {
      clearTimeout(timer)
      const failure = 'code' in error ? String(error.code) : error.message
      resolve({ status: 0, failure, body: undefined })
    }
    const call = httpRequest(`${url}${sent.path}`, { agent, method: sent.verb, headers })
    const timer = setTimeout(() => call.destroy(new Error('time-out')), ATTEMPT_MS)
    call.on('error', fail)
    call.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, failure: '', body: parsed(text) })
      })
    })
    call.end(sent.body)
  })
}

/** Reason of a refusal by its answer, always in the same words, so that reasons can be counted. */
function saidIn(status: number, body: unknown): string {
  if (isSuccess(status)) return ''
  const { code, detail } = typeof body === 'object' && body !== null ? Object(body) : {}
  return `${status} ${code} ${detail}`.slice(0, SAID_CHARS_MAX)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // A page of a server that is ending, perhaps.
  }
}
