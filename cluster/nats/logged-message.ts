/** One message of a JetStream stream, with its acknowledgement. */
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
  /** Called when the message is gone from the stream. */
  onAcked(): void
}

const ACK = new TextEncoder().encode('+ACK')
const IN_PROGRESS = new TextEncoder().encode('+WPI')

/** A message that a pull consumer has handed out. */
export function createLoggedMessage(message: Msg, deps: LoggedMessageDeps): LoggedMessage {
  const { connection, requireConnected, onAcked } = deps
  const place = message.reply
  assert(place !== undefined, 'a message of a stream says where it is acknowledged')
  const publish = (verb: Uint8Array) => {
    try {
      requireConnected()
      connection.publish(place, verb)
    } catch {
      // Without it the server hands the message out again after the time to acknowledge it.
    }
  }
  return {
    bytes: message.data,
    ...placeOf(place),
    async ack() {
      requireConnected()
      try {
        // A request is answered once the acknowledgement is stored; a publication is not answered.
        await connection.request(place, ACK, { timeout: SPILL_CALL_MS })
      } catch (error) {
        throw unavailable('acknowledging a message', error)
      }
      onAcked()
    },
    extend: () => publish(IN_PROGRESS),
    retry: (delayMs) => {
      const delay = nanos(Math.round(delayMs))
      publish(new TextEncoder().encode(`-NAK ${JSON.stringify({ delay })}`))
    },
  }
}

/**
 * Reads `$JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<of the consumer>.<time>.…`, the time
 * in nanoseconds; newer servers put a domain and an
 * account before the stream, and more at the end.
 */
function placeOf(subject: string): Pick<LoggedMessage, 'deliveries' | 'sequence' | 'keptAtMs'> {
  const tokens = subject.split('.')
  const from = tokens.length > 9 ? 6 : 4
  return {
    deliveries: Number(tokens[from]),
    sequence: Number(tokens[from + 1]),
    keptAtMs: Math.floor(Number(tokens[from + 3]) / 1_000_000),
  }
}
