/** The message log of the spill in memory. */
import type { Clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import { SPILL_DUPLICATES_MS } from '../../../src/core/limits/limits.ts'
import type { LoggedMessage, MessageLog } from '../../../src/core/message-log.ts'

type Kept = {
  readonly id: string
  readonly bytes: Uint8Array
  readonly sequence: number
  readonly keptAt: number
  deliveries: number
  /** Delivered and not redelivered until then; monotonic. */
  heldUntil: number
}

export type MemoryMessageLog = MessageLog & {
  setConnected(connected: boolean): void
  /** Everything in it, oldest first. */
  kept(): readonly Uint8Array[]
}

export type MemoryMessageLogOptions = {
  readonly bytesMax: number
  readonly ackWaitMs: number
  readonly messageBytesMax?: number
}

/** Messages in memory, as JetStream would keep them. */
export function createMemoryMessageLog(
  clock: Clock,
  options: MemoryMessageLogOptions,
): MemoryMessageLog {
  const log = new KeptMessages(clock, options)
  return {
    put: async (id, message) => log.put(id, message),
    next: (waitMs, signal) => log.next(waitMs, signal),
    connected: () => log.connected(),
    messageBytesMax: () => options.messageBytesMax ?? 1_048_576,
    async status() {
      log.requireConnected()
      return log.status()
    },
    async close() {
      log.isClosed = true
    },
    setConnected(next) {
      log.isConnected = next
    },
    kept: () => log.kept.map((each) => each.bytes),
  }
}

class KeptMessages {
  kept: Kept[] = []
  isConnected = true
  isClosed = false
  readonly #clock: Clock
  readonly #options: MemoryMessageLogOptions
  readonly #ids = new Map<string, number>()
  #sequence = 0
  #wake: () => void = () => {}
  #changed = this.#newChange()

  constructor(clock: Clock, options: MemoryMessageLogOptions) {
    this.#clock = clock
    this.#options = options
  }

  connected(): boolean {
    return this.isConnected && !this.isClosed
  }

  requireConnected(): void {
    if (!this.connected()) throw new AppError('unavailable', 'not connected')
  }

  put(id: string, message: Uint8Array): void {
    this.requireConnected()
    const clock = this.#clock
    const seenAt = this.#ids.get(id)
    if (seenAt !== undefined && clock.monotonic() - seenAt < SPILL_DUPLICATES_MS) return
    if (this.#bytes() + message.length > this.#options.bytesMax) {
      throw new AppError('resource_exhausted', 'full')
    }
    this.#ids.set(id, clock.monotonic())
    this.#sequence += 1
    const place = { sequence: this.#sequence, keptAt: clock.now(), deliveries: 0, heldUntil: 0 }
    this.kept.push({ id, bytes: Uint8Array.from(message), ...place })
    this.#tell()
  }

  async next(waitMs: number, signal: AbortSignal): Promise<LoggedMessage | undefined> {
    this.requireConnected()
    signal.throwIfAborted()
    const clock = this.#clock
    const until = clock.monotonic() + waitMs
    for (;;) {
      const found = this.kept.find((each) => each.heldUntil <= clock.monotonic())
      if (found !== undefined) return this.#handOut(found)
      const now = clock.monotonic()
      if (now >= until) return undefined
      const nextFree = Math.min(until, ...this.kept.map(({ heldUntil }) => heldUntil))
      const woken = new AbortController()
      const either = AbortSignal.any([signal, woken.signal])
      const sleep = clock.sleep(Math.max(nextFree - now, 1), either).catch(() => {})
      await Promise.race([sleep, this.#changed])
      woken.abort()
      signal.throwIfAborted()
    }
  }

  status() {
    const [oldest] = this.kept
    const oldestAgeMs = oldest === undefined ? 0 : this.#clock.now() - oldest.keptAt
    const { bytesMax } = this.#options
    return { messages: this.kept.length, bytes: this.#bytes(), bytesMax, oldestAgeMs }
  }

  #handOut(each: Kept): LoggedMessage {
    const { ackWaitMs } = this.#options
    each.deliveries += 1
    each.heldUntil = this.#clock.monotonic() + ackWaitMs
    const hold = (ms: number) => {
      if (!this.connected()) return
      each.heldUntil = this.#clock.monotonic() + ms
      this.#tell()
    }
    return {
      bytes: each.bytes,
      sequence: each.sequence,
      keptAtMs: each.keptAt,
      deliveries: each.deliveries,
      ack: async () => {
        this.requireConnected()
        this.kept = this.kept.filter((other) => other !== each)
      },
      extend: () => hold(ackWaitMs),
      retry: (delayMs) => hold(delayMs),
    }
  }

  #bytes(): number {
    return this.kept.reduce((sum, each) => sum + each.bytes.length, 0)
  }

  #tell(): void {
    this.#wake()
    this.#changed = this.#newChange()
  }

  #newChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
