/** Values that are kept for a while, and made once for all who ask at the same time. */
import type { Clock } from '../../core/clock.ts'

export type Kept<V> = {
  /** @throws errors of `make`, which are not kept. */
  get(key: string, make: () => Promise<V>): Promise<V>
  has(key: string): boolean
  /** Values that are being made are not kept either. */
  clear(): void
  readonly size: number
}

export type KeptOptions<V> = {
  /** From the time when its making began, so that a slow one is no older than others. */
  readonly keepMs: number
  /**
   * Time after `keepMs` in which the value is still told while the next one is made.
   * @default 0
   */
  readonly agedMs?: number
  readonly entriesMax: number
  /** Bytes of all values; the oldest ones go first. */
  readonly bytesMax: number
  readonly bytesOf: (value: V) => number
}

type Entry<V> = { readonly value: Promise<V>; readonly bytes: number; readonly untilMs: number }

export function createKept<V>(
  clock: Pick<Clock, 'monotonic'>,
  { keepMs, agedMs = 0, entriesMax, bytesMax, bytesOf }: KeptOptions<V>,
): Kept<V> {
  /** In the order in which they were finished. */
  const made = new Map<string, Entry<V>>()
  const making = new Map<string, Promise<V>>()
  let bytes = 0

  const drop = (key: string, entry: Entry<V>) => {
    made.delete(key)
    bytes -= entry.bytes
  }
  const keep = (key: string, value: Promise<V>, size: number, begunMs: number) => {
    const now = clock.monotonic()
    const before = made.get(key)
    if (before !== undefined) drop(key, before)
    made.set(key, { value, bytes: size, untilMs: begunMs + keepMs + agedMs })
    bytes += size
    for (const [oldest, entry] of made) {
      if (entry.untilMs > now && made.size <= entriesMax && bytes <= bytesMax) break
      drop(oldest, entry)
    }
  }
  const find = (key: string): Promise<V> | undefined => {
    const entry = made.get(key)
    if (entry !== undefined && entry.untilMs > clock.monotonic()) return entry.value
    if (entry !== undefined) drop(key, entry)
    return making.get(key)
  }
  const begin = (key: string, make: () => Promise<V>): Promise<V> => {
    const begunMs = clock.monotonic()
    const value = make()
    making.set(key, value)
    const settle = async () => {
      try {
        const size = bytesOf(await value)
        if (making.get(key) === value) keep(key, value, size, begunMs)
      } catch {
        // The error is known to all who asked, and the next one makes it anew.
      }
      if (making.get(key) === value) making.delete(key)
    }
    void settle()
    return value
  }
  return {
    get(key, make) {
      const value = find(key) ?? begin(key, make)
      const leftMs = (made.get(key)?.untilMs ?? Infinity) - clock.monotonic()
      if (leftMs <= agedMs && !making.has(key)) void begin(key, make)
      return value
    },
    has: (key) => find(key) !== undefined,
    clear() {
      made.clear()
      making.clear()
      bytes = 0
    },
    get size() {
      return made.size
    },
  }
}
