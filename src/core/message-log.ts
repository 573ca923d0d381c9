/**
 * Port to durable messages of bytes, kept in order until each is acknowledged. Implementations:
 * JetStream (`cluster/nats/jetstream-log.ts`) and memory (`test/support`).
 */
export type MessageLog = {
  /**
   * Keeps a message. Resolves once it is durable there.
   * @param id the same id again, within the log's window, keeps nothing new.
   * @throws {AppError} `resource_exhausted` when the log is full, `unavailable` when it is not
   * connected or does not answer in time: then it may be kept, and the same may be sent again.
   */
  put(id: string, bytes: Uint8Array): Promise<void>
  /**
   * The next message that no other reader works on, or `undefined` when there is none for `waitMs`.
   * @throws {AppError} `unavailable`; the signal's reason.
   */
  next(waitMs: number, signal: AbortSignal): Promise<LoggedMessage | undefined>
  /** False while it is known to be away: nothing can be kept. */
  connected(): boolean
  /** Bytes of the largest message that it takes. */
  messageBytesMax(): number
  /** @throws {AppError} `unavailable`. */
  status(): Promise<MessageLogStatus>
  close(): Promise<void>
}

export type LoggedMessage = {
  readonly bytes: Uint8Array
  /** Names it to an operator: its place in the order in which messages were kept. */
  readonly sequence: number
  /** How often it was handed out, this time included. */
  readonly deliveries: number
  /** It is never handed out again. Resolves once that is kept. @throws {AppError} `unavailable`. */
  ack(): Promise<void>
  /** Still at work on it: it is not handed to another reader meanwhile. */
  extend(): void
  /** Hands it out again after `delayMs`. */
  retry(delayMs: number): void
}

export type MessageLogStatus = {
  readonly messages: number
  readonly bytes: number
  readonly bytesMax: number
  /** Age of the oldest message in ms; 0 when there is none. */
  readonly oldestAgeMs: number
}
