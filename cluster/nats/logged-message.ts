import type { Msg, NatsConnection } from 'nats'
import { nanos } from 'nats'
import { assert } from '../../src/core/code.ts'
import { SPILL_CALL_MS } from '../../src/core/limits/limits.ts'
import type { LoggedMessage } from '../../src/core/message-log.ts'
import { unavailable } from './nats-errors.ts'

export type LoggedMessageDeps = {
  readonly connection: NatsConnection
  /** @throws {AppError} `unavailable` while there is no connection. */
  requireConnected(): void
  /** It is gone from the stream. */
  onAcked(): void
}

const ACK = new TextEncoder().encode('+ACK')
const IN_PROGRESS = new TextEncoder().encode('+WPI')

/** A message that a pull consumer has handed out. */
export function createLoggedMessage(message: Msg, deps: LoggedMessageDeps): LoggedMessage {
  const { connection, requireConnected, onAcked } = deps
  const place = message.reply
  assert(place !== undefined, 'a message of a stream says where it is acknowledged')
  const tell = (verb: Uint8Array) => {
    try {
      requireConnected()
      connection.publish(place, verb)
    } catch {
      // Without it the server hands the message out again once it has waited long enough.
    }
  }
  return {
    bytes: message.data,
    ...placeOf(place),
    async ack() {
      requireConnected()
      try {
        // Answered once the acknowledgement is kept, unlike one that is only published.
        await connection.request(place, ACK, { timeout: SPILL_CALL_MS })
      } catch (error) {
        throw unavailable('acknowledging a message', error)
      }
      onAcked()
    },
    extend: () => tell(IN_PROGRESS),
    retry: (delayMs) => {
      const delay = nanos(Math.round(delayMs))
      tell(new TextEncoder().encode(`-NAK ${JSON.stringify({ delay })}`))
    },
  }
}

/**
 * Reads `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.…`; newer servers put a domain and an
 * account before the stream, and more at the end.
 */
function placeOf(subject: string): { readonly deliveries: number; readonly sequence: number } {
  const tokens = subject.split('.')
  const from = tokens.length > 9 ? 6 : 4
  return { deliveries: Number(tokens[from]), sequence: Number(tokens[from + 1]) }
}
