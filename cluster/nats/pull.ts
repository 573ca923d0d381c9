import { createInbox, JSONCodec, type Msg, type NatsConnection, nanos } from 'nats'
import type { Clock } from '../../src/core/clock.ts'

export type Pulled =
  | { readonly kind: 'message'; readonly message: Msg }
  /** There was none in time. */
  | { readonly kind: 'none' }
  /** The server says that it cannot hand anything out. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was heard: the consumer is gone, or the server away. */
  | { readonly kind: 'silent' }

export type PullOptions = {
  /** Where the consumer listens for requests. */
  readonly subject: string
  /** The server answers within this time. */
  readonly waitMs: number
  /** For the answer to come, after that. */
  readonly graceMs: number
}

const NO_MESSAGE: ReadonlySet<number> = new Set([404, 408])
const HAND_BACK = new TextEncoder().encode('-NAK')
const json = JSONCodec<{ batch: number; expires: number }>()

/**
 * Asks a pull consumer for one message. One that comes after the signal has aborted is handed back,
 * so that another reader gets it at once.
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

/** Messages name the place where they are acknowledged; what the server says of itself does not. */
function read(message: Msg): Pulled {
  const code = message.headers?.code ?? 0
  if (code === 0) return { kind: 'message', message }
  if (NO_MESSAGE.has(code)) return { kind: 'none' }
  return refused(`${code} ${message.headers?.description ?? ''}`)
}

function refused(reason: string): Pulled {
  return { kind: 'refused', reason: reason.trim() }
}
