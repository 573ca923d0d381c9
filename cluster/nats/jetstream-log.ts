/**
 * The messages of the spill, in a JetStream stream that all workers share. Two guarantees are
 * needed of NATS: a message that it has acknowledged survives a killed server, and a message that
 * was handed out and not acknowledged is handed out again. (Servers before 2.10 write to the disk
 * every two minutes: a power cut may take the newest messages.)
 *
 * The server writes acknowledgements and removals late and separately: after a kill the stream may
 * hold messages that its consumer counts as done. The consumer is then recreated, which hands these
 * messages out again.
 *
 * The stream may vanish with the server's files. It is then recreated, and the messages that it was
 * known to hold are counted as lost.
 */
import {
  headers,
  type JetStreamManager,
  JSONCodec,
  type Msg,
  type MsgHdrs,
  type StreamInfo,
} from 'nats'
import type { Clock } from '../../src/core/clock.ts'
import { AppError, assert } from '../../src/core/code.ts'
import { withDeadline } from '../../src/core/deadline.ts'
import {
  SPILL_ACK_WAIT_MS,
  SPILL_CALL_MS,
  SPILL_MESSAGE_BYTES_MAX,
  SPILL_PUT_MS,
} from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { LoggedMessage, MessageLog, MessageLogStatus } from '../../src/core/message-log.ts'
import { createLoggedMessage } from './logged-message.ts'
import type { NatsLink } from './nats-connection.ts'
import { natsFailure, unavailable } from './nats-errors.ts'
import { pullOne } from './pull.ts'
import {
  ensureSpillStream,
  findStream,
  hasForgotten,
  removeConsumer,
  type SpillStreamSettings,
} from './spill-stream.ts'

/** Every record is a multiple of this, in bytes. */
const RECORD_UNIT = 256
/** Around subject, headers and body: lengths, sequence, time and checksum. */
const RECORD_FRAME_BYTES = 34
const PADDING = 'Sluice-Padding'

/** Default message size of NATS servers, headers included. */
export const LOG_MESSAGE_BYTES_MAX = 1_048_576
/** Interval of checking that an idle spill is empty. */
const SPILL_LOOK_MS = 5_000
assert(SPILL_MESSAGE_BYTES_MAX < LOG_MESSAGE_BYTES_MAX, 'a full message fits')

export type JetStreamLogDeps = {
  readonly nats: Pick<NatsLink, 'connection' | 'connected'>
  readonly clock: Clock
  readonly log: Log
}

export type JetStreamLogOptions = Omit<SpillStreamSettings, 'ackWaitMs'> & {
  /** Milliseconds after which a message without acknowledgement is handed out again. */
  readonly ackWaitMs?: number
}

export type JetStreamLog = MessageLog & {
  /** Number of messages in streams that vanished, as far as this process knew. */
  lostMessages(): number
}

/** Bytes of the headers of a message: names and values, padding included. */
const HEADERS_BYTES_MAX = 512
const PULL_GRACE_MS = 1_000
const FULL = /maximum|insufficient|exceeded|no space/i

/**
 * Makes the stream when it is missing. While NATS does not answer, the first use does that.
 * @throws {AppError} `failed_precondition` when the stream has other settings, or cannot have the
 * requested ones.
 */
export async function openJetStreamLog(
  deps: JetStreamLogDeps,
  options: JetStreamLogOptions,
): Promise<JetStreamLog> {
  const { nats, log } = deps
  const manager = await nats.connection.jetstreamManager({
    timeout: SPILL_CALL_MS,
    checkAPI: false,
  })
  const bytesMax = roundStreamBytes(options.bytesMax)
  const settings = { ackWaitMs: SPILL_ACK_WAIT_MS, ...options, bytesMax }
  const opened = new JetStreamMessageLog(deps, manager, settings)
  try {
    await opened.ensure()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
    log.warn('spill is not ready yet', { error })
  }
  return opened
}

type PubAck = {
  readonly duplicate?: boolean
  readonly error?: { readonly code: number; readonly description?: string }
}
const pubAck = JSONCodec<PubAck>()

class JetStreamMessageLog implements JetStreamLog {
  readonly #deps: JetStreamLogDeps
  readonly #manager: JetStreamManager
  readonly #settings: SpillStreamSettings
  /** The stream as it was seen last; `created` distinguishes streams of the same name. */
  #known: { readonly created: string; messages: number } | undefined
  #lostMessages = 0
  #ensuring: Promise<void> | undefined
  #isClosed = false
  /** Monotonic time of the last check for forgotten messages. */
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(deps: JetStreamLogDeps, manager: JetStreamManager, settings: SpillStreamSettings) {
    this.#deps = deps
    this.#manager = manager
    this.#settings = settings
  }

  connected(): boolean {
    return !this.#isClosed && this.#deps.nats.connected()
  }

  messageBytesMax(): number {
    const { info } = this.#deps.nats.connection
    return (info?.max_payload ?? LOG_MESSAGE_BYTES_MAX) - HEADERS_BYTES_MAX
  }

  lostMessages(): number {
    return this.#lostMessages
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    this.#requireConnected('keeping a message')
    const putting = this.#put(id, bytes)
    await withDeadline(this.#deps.clock, { ms: SPILL_PUT_MS, what: 'NATS' }, putting)
  }

  async next(waitMs: number, signal: AbortSignal): Promise<LoggedMessage | undefined> {
    this.#requireConnected('reading a message')
    const { nats, clock } = this.#deps
    const { stream, consumer } = this.#settings
    const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`
    const options = { subject, waitMs, graceMs: PULL_GRACE_MS }
    const pulled = await pullOne({ connection: nats.connection, clock }, options, signal)
    switch (pulled.kind) {
      case 'message':
        return this.#toLogged(pulled.message)
      case 'none':
        await this.#reviveForgotten()
        return undefined
      case 'silent':
        // NATS does not report that a consumer is gone.
        await this.ensure()
        return undefined
      case 'refused':
        await this.ensure()
        throw unavailable(`reading stream ${stream}: ${pulled.reason}`)
      default:
        return pulled satisfies never
    }
  }

  async status(): Promise<MessageLogStatus> {
    this.#requireConnected('state of the spill')
    const found = await findStream(this.#manager, this.#settings.stream)
    if (found === undefined) {
      await this.ensure()
      return { messages: 0, bytes: 0, bytesMax: this.#settings.bytesMax, oldestAgeMs: 0 }
    }
    this.#learn(found)
    const { messages, bytes, first_ts } = found.state
    // The server's clock may be ahead of this one: an age is never negative.
    const age = messages === 0 ? 0 : this.#deps.clock.now() - Date.parse(String(first_ts))
    return { messages, bytes, bytesMax: found.config.max_bytes, oldestAgeMs: Math.max(age, 0) }
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  /** Makes the stream when it is missing. Callers at the same time share one attempt. */
  ensure(): Promise<void> {
    this.#requireConnected('making the spill')
    this.#ensuring ??= ensureSpillStream(this.#manager, this.#settings, this.#deps.log)
      .then((info) => this.#learn(info))
      .finally(() => {
        this.#ensuring = undefined
      })
    return this.#ensuring
  }

  /** Recreates the consumer when the stream holds messages that the consumer has forgotten. */
  async #reviveForgotten(): Promise<void> {
    const now = this.#deps.clock.monotonic()
    if (now - this.#lookedAt < SPILL_LOOK_MS) return
    this.#lookedAt = now
    if (!(await hasForgotten(this.#manager, this.#settings))) return
    this.#deps.log.warn('spill delivers messages again that were stored already', {
      stream: this.#settings.stream,
    })
    await removeConsumer(this.#manager, this.#settings)
    await this.ensure()
  }

  async #put(id: string, bytes: Uint8Array): Promise<void> {
    let answer = await this.#request(id, bytes)
    if (answer === undefined) {
      await this.ensure()
      answer = await this.#request(id, bytes)
    }
    if (answer === undefined) throw unavailable('keeping a message: nobody listens')
    const { error, duplicate } = pubAck.decode(answer.data)
    if (error !== undefined) throw refusal(error.description ?? '')
    if (this.#known !== undefined && duplicate !== true) this.#known.messages += 1
  }

  /** Publishes a message. @returns `undefined` when there is no stream. */
  async #request(id: string, bytes: Uint8Array): Promise<Msg | undefined> {
    const { connection } = this.#deps.nats
    const { subject } = this.#settings
    try {
      return await connection.request(subject, bytes, {
        headers: spillHeaders(id, subject, bytes.length),
        timeout: SPILL_PUT_MS,
      })
    } catch (error) {
      if (natsFailure(error) === 'no_responders') return undefined
      throw unavailable('keeping a message', error)
    }
  }

  #toLogged(message: Msg): LoggedMessage {
    const { nats } = this.#deps
    return createLoggedMessage(message, {
      connection: nats.connection,
      requireConnected: () => this.#requireConnected('acknowledging a message'),
      onAcked: () => {
        if (this.#known !== undefined && this.#known.messages > 0) this.#known.messages -= 1
      },
    })
  }

  /** Takes the server's facts about the stream, and counts the losses of the last one. */
  #learn({ created, state: { messages } }: StreamInfo): void {
    const known = this.#known
    this.#known = { created: String(created), messages }
    if (known === undefined || known.created === String(created) || known.messages === 0) return
    this.#lostMessages += known.messages
    this.#deps.log.error('the spill has vanished from NATS with the events in it', {
      stream: this.#settings.stream,
      messages: known.messages,
    })
  }

  /** Fails at once while the server is known not to answer. */
  #requireConnected(attempted: string): void {
    if (!this.connected()) throw unavailable(`${attempted}: not connected`)
  }
}

/** The failure of a put that the server has answered with an error. */
function refusal(description: string): AppError {
  if (FULL.test(description)) return new AppError('resource_exhausted', `spill: ${description}`)
  return unavailable(`keeping a message: ${description}`)
}

/**
 * Pads messages of the spill to round sizes. Servers before 2.10.5 compare the body and headers of
 * a message with the space left in a stream, without the record around them. They then drop the
 * oldest messages to make the record fit, even in a stream that is to refuse new ones (nats-server
 * issues 4771 and 4775). When every record and the stream's size are multiples of a unit that is
 * larger than that difference, a message either fits whole or is refused.
 */

/** @returns the largest size of a stream that whole records fill, at most `bytesMax`. */
function roundStreamBytes(bytesMax: number): number {
  return bytesMax - (bytesMax % RECORD_UNIT)
}

/** @returns headers with the name of the message, and as much padding as rounds its record up. */
function spillHeaders(id: string, subject: string, bodyBytes: number): MsgHdrs {
  const named = headers()
  named.set('Nats-Msg-Id', id)
  named.set(PADDING, '-')
  const unseen = RECORD_FRAME_BYTES + Buffer.byteLength(subject)
  assert(unseen <= RECORD_UNIT, 'what the server does not count is less than a unit')
  const size = unseen + Buffer.byteLength(String(named)) + bodyBytes
  const missing = (RECORD_UNIT - (size % RECORD_UNIT)) % RECORD_UNIT
  named.set(PADDING, '-'.repeat(1 + missing))
  return named
}
