/**
 * Port to a durable log of messages, kept in order until each is acknowledged. Implementations:
 * JetStream (`cluster/nats/jetstream-log.ts`) and memory (`test/support`).
 */
export type MessageLog = {
  /**
   * Appends a message. Resolves when it is durable.
   * @param id a repeated id within the log's window appends nothing.
   * @throws {AppError} `resource_exhausted` when the log is full; `unavailable` without a connection
   * or an answer in time: the message may have been appended, and a retry is safe.
   */
  put(id: string, bytes: Uint8Array): Promise<void>
  /**
   * Takes the next message that no other reader has; `undefined` when none arrives within `waitMs`.
   * @throws {AppError} `unavailable`; the signal's reason.
   */
  next(waitMs: number, signal: AbortSignal): Promise<LoggedMessage | undefined>
  /** False while the log is known to be away: appends fail. */
  connected(): boolean
  /** Bytes of the largest allowed message. */
  messageBytesMax(): number
  /** @throws {AppError} `unavailable`. */
  status(): Promise<MessageLogStatus>
  close(): Promise<void>
}

export type LoggedMessage = {
  readonly bytes: Uint8Array
  /** Position of the message in the log, for operators. */
  readonly sequence: number
  /** Time at which the log took it, ms since 1970 by the clock of the log. */
  readonly keptAtMs: number
  /** Number of deliveries, this one included. */
  readonly deliveries: number
  /** Removes the message. Resolves when that is durable. @throws {AppError} `unavailable`. */
  ack(): Promise<void>
  /** Extends the delivery: the message is not given to another reader meanwhile. */
  extend(): void
  /** Delivers the message again after `delayMs`. */
  retry(delayMs: number): void
}

export type MessageLogStatus = {
  readonly messages: number
  readonly bytes: number
  readonly bytesMax: number
  /** Age of the oldest message in ms; 0 when there is none. */
  readonly oldestAgeMs: number
}
