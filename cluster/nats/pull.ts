/** One pull from a JetStream consumer. */
import { createInbox, JSONCodec, type Msg, type NatsConnection, nanos } from 'nats'
import type { Clock } from '../../src/core/clock.ts'

export type Pulled =
  | { readonly kind: 'message'; readonly message: Msg }
  /** No message arrived in time. */
  | { readonly kind: 'none' }
  /** The server refuses to hand anything out. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No answer: the consumer is gone, or the server does not answer. */
  | { readonly kind: 'silent' }

export type PullOptions = {
  /** Subject on which the consumer takes requests. */
  readonly subject: string
  /** Milliseconds within which the server answers. */
  readonly waitMs: number
  /** Milliseconds that the answer may take on its way, after that. */
  readonly graceMs: number
}

const NO_MESSAGE: ReadonlySet<number> = new Set([404, 408])
const HAND_BACK = new TextEncoder().encode('-NAK')
const json = JSONCodec<{ batch: number; expires: number }>()

/**
 * Requests one message from a pull consumer. A message that arrives after the signal has aborted is
 * handed back, so that another reader gets it at once.
 * @throws the signal's reason.
 */
export function pullOne(
  { connection, clock }: { connection: NatsConnection; clock: Clock },
  { subject, waitMs, graceMs }: PullOptions,
  signal: AbortSignal,
): Promise<Pulled> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const inbox = createInbox()
    const onAbort = () => reject(signal.reason)
    const subscription = connection.subscribe(inbox, {
      max: 1,
      callback(error, message) {
        cancel()
        signal.removeEventListener('abort', onAbort)
        const pulled = error === null ? read(message) : refused(error.message)
        if (signal.aborted && pulled.kind === 'message') message.respond(HAND_BACK)
        resolve(pulled)
      },
    })
    const cancel = clock.after(waitMs + graceMs, () => {
      signal.removeEventListener('abort', onAbort)
      subscription.unsubscribe()
      resolve({ kind: 'silent' })
    })
    signal.addEventListener('abort', onAbort, { once: true })
    const request = json.encode({ batch: 1, expires: nanos(waitMs) })
    connection.publish(subject, request, { reply: inbox })
  })
}

/** A message of the stream has no status code; an answer of the server itself has one. */
function read(message: Msg): Pulled {
  const code = message.headers?.code ?? 0
  if (code === 0) return { kind: 'message', message }
  if (NO_MESSAGE.has(code)) return { kind: 'none' }
  return refused(`${code} ${message.headers?.description ?? ''}`)
}

function refused(reason: string): Pulled {
  return { kind: 'refused', reason: reason.trim() }
}
