/** The server that the demo fills, as the user of a key and as an app ask it. */
import { ApiError, type Client } from '../../../gateway/client/runtime.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { objectOf } from '../../core/json.ts'
import { asking } from '../rest-client.ts'
import type { DemoEvent } from './demo-events.ts'

export type DemoServer = {
  readonly client: Client
  readonly url: string
  readonly clock: Pick<Clock, 'sleep'>
  /** Aborts when the user stops the command. */
  readonly signal: AbortSignal
  /** Receives the progress. */
  readonly report: (text: string) => void
}

const TIMEOUT_MS = 60_000
/** Retries for minutes, not seconds, since a database may be away that long; sent events stay. */
const TRIES_MAX = 60
const PAUSE_S = 2

/**
 * Repeats a call that a busy server has refused, after the time that it names.
 * @throws {AppError} with the server's message.
 */
export async function patiently<T>(
  { clock, signal }: Pick<DemoServer, 'clock' | 'signal'>,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  return await asking(what, async () => {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      try {
        return await work()
      } catch (error) {
        signal.throwIfAborted()
        const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503)
        if (!isBusy || tries === TRIES_MAX) throw error
        await clock.sleep((error.retryAfterS ?? PAUSE_S) * 1000, signal)
      }
    }
  })
}

/** Sends events as an app does. Resolves when they are stored. */
export async function capture(
  server: DemoServer,
  token: string,
  batch: readonly DemoEvent[],
): Promise<void> {
  await patiently(server, 'send events', async () => {
    const response = await fetch(`${server.url}/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: token, batch }),
      signal: AbortSignal.any([server.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = await response.text()
    if (response.ok) return
    const { detail } = objectOf(readJson(text))
    const said = typeof detail === 'string' ? detail : `${server.url} is no such server`
    if (response.status !== 429 && response.status !== 503) {
      throw new AppError('failed_precondition', `not stored: ${said} (${response.status})`)
    }
    const body = { type: 'server_error', code: 'busy', detail: said, attr: null } as const
    throw new ApiError(
      response.status,
      body,
      Number(response.headers.get('retry-after')) || PAUSE_S,
    )
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not an answer of Sluice.
  }
}
