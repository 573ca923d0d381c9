import type { Clock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { SPILL_DUPLICATES_MS } from '../../src/core/limits/limits.ts'
import type { LoggedMessage, MessageLog } from '../../src/core/message-log.ts'

type Kept = {
  readonly id: string
  readonly bytes: Uint8Array
  readonly sequence: number
  readonly keptAt: number
  deliveries: number
  /** Handed out until then; monotonic. */
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
  { bytesMax, ackWaitMs, messageBytesMax = 1_048_576 }: MemoryMessageLogOptions,
): MemoryMessageLog {
  const ids = new Map<string, number>()
  let kept: Kept[] = []
  let sequence = 0
  let isConnected = true
  let isClosed = false
  let wake: () => void = () => {}
  let changed = newChange()

  function newChange(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve
    })
  }
  const tell = () => {
    wake()
    changed = newChange()
  }
  const connected = () => isConnected && !isClosed
  const requireConnected = () => {
    if (!connected()) throw new AppError('unavailable', 'not connected')
  }
  const bytes = () => kept.reduce((sum, each) => sum + each.bytes.length, 0)
  const free = () => kept.find((each) => each.heldUntil <= clock.monotonic())

  const handOut = (each: Kept): LoggedMessage => {
    each.deliveries += 1
    each.heldUntil = clock.monotonic() + ackWaitMs
    const hold = (ms: number) => {
      if (!connected()) return
      each.heldUntil = clock.monotonic() + ms
      tell()
    }
    return {
      bytes: each.bytes,
      sequence: each.sequence,
      deliveries: each.deliveries,
      async ack() {
        requireConnected()
        kept = kept.filter((other) => other !== each)
      },
      extend: () => hold(ackWaitMs),
      retry: (delayMs) => hold(delayMs),
    }
  }

  return {
    async put(id, message) {
      requireConnected()
      const seenAt = ids.get(id)
      if (seenAt !== undefined && clock.monotonic() - seenAt < SPILL_DUPLICATES_MS) return
      if (bytes() + message.length > bytesMax) throw new AppError('resource_exhausted', 'full')
      ids.set(id, clock.monotonic())
      sequence += 1
      const place = { sequence, keptAt: clock.now(), deliveries: 0, heldUntil: 0 }
      kept.push({ id, bytes: Uint8Array.from(message), ...place })
      tell()
    },
    async next(waitMs, signal) {
      requireConnected()
      signal.throwIfAborted()
      const until = clock.monotonic() + waitMs
      for (;;) {
        const found = free()
        if (found !== undefined) return handOut(found)
        const now = clock.monotonic()
        if (now >= until) return undefined
        const nextFree = Math.min(until, ...kept.map(({ heldUntil }) => heldUntil))
        const woken = new AbortController()
        const either = AbortSignal.any([signal, woken.signal])
        const sleep = clock.sleep(Math.max(nextFree - now, 1), either).catch(() => {})
        await Promise.race([sleep, changed])
        woken.abort()
        signal.throwIfAborted()
      }
    },
    connected,
    messageBytesMax: () => messageBytesMax,
    async status() {
      requireConnected()
      const [oldest] = kept
      const oldestAgeMs = oldest === undefined ? 0 : clock.now() - oldest.keptAt
      return { messages: kept.length, bytes: bytes(), bytesMax, oldestAgeMs }
    },
    async close() {
      isClosed = true
    },
    setConnected(next) {
      isConnected = next
    },
    kept: () => kept.map((each) => each.bytes),
  }
}
