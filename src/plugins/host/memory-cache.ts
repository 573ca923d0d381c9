/** One cache in memory, with lists and expiry. */
import type { Clock } from '../../core/clock.ts'
import type { Json } from '../../core/json.ts'
import { ArgumentRefused } from './arguments.ts'

export type CacheBounds = {
  readonly entriesMax: number
  /** Counted as `bytes` counts. */
  readonly bytesMax: number
  readonly entryBytesMax: number
  readonly listMax: number
}

type Entry = {
  /** JSON text of a value, or of each item of a list in order. */
  readonly content: string | readonly string[]
  readonly bytes: number
  /** Monotonic milliseconds; Infinity when it does not expire. */
  readonly endsAt: number
}

/** The memory of an entry and an item beside their texts. A character of a text takes two bytes. */
const ENTRY_BYTES = 128
const ITEM_BYTES = 32

/** A cache that deletes the least recently used entries first. */
export class MemoryCache {
  /** In the order of use, the latest last. */
  readonly #entries = new Map<string, Entry>()
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #bounds: CacheBounds
  #bytes = 0

  constructor(clock: Pick<Clock, 'monotonic'>, bounds: CacheBounds) {
    this.#clock = clock
    this.#bounds = bounds
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): string | undefined {
    const content = this.#use(key)?.content
    if (typeof content === 'object') throw new ArgumentRefused('cache: the key holds a list')
    return content
  }

  /** @param ttlMs Infinity for an entry that does not expire. */
  set(key: string, text: string, ttlMs: number): void {
    this.#put(key, text, this.#clock.monotonic() + ttlMs)
  }

  /** Keeps the remaining time of the key. */
  incr(key: string): number {
    const entry = this.#use(key)
    const before: Json = JSON.parse(this.get(key) ?? '0')
    const after = typeof before === 'number' ? before + 1 : Number.NaN
    if (!Number.isSafeInteger(after))
      throw new ArgumentRefused('cache: the value is not an integer')
    this.#put(key, String(after), entry?.endsAt ?? Number.POSITIVE_INFINITY)
    return after
  }

  expire(key: string, ttlMs: number): boolean {
    const entry = this.#use(key)
    if (entry === undefined) return false
    if (ttlMs <= 0) this.#delete(key)
    else this.#entries.set(key, { ...entry, endsAt: this.#clock.monotonic() + ttlMs })
    return true
  }

  list(key: string): readonly string[] {
    const content = this.#use(key)?.content ?? []
    if (typeof content === 'string')
      throw new ArgumentRefused('cache: the key does not hold a list')
    return content
  }

  /** Keeps the remaining time of the key. An empty list deletes it. */
  replaceList(key: string, items: readonly string[]): void {
    if (items.length > this.#bounds.listMax) {
      throw new ArgumentRefused(`cache: a list holds at most ${this.#bounds.listMax} items`)
    }
    const endsAt = this.#entries.get(key)?.endsAt ?? Number.POSITIVE_INFINITY
    if (items.length === 0) this.#delete(key)
    else this.#put(key, items, endsAt)
  }

  #use(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.endsAt <= this.#clock.monotonic()) {
      this.#delete(key)
      return undefined
    }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  #put(key: string, content: Entry['content'], endsAt: number): void {
    const bytes = ENTRY_BYTES + 2 * key.length + contentBytes(content)
    if (bytes > this.#bounds.entryBytesMax) {
      const message = `cache: a key holds at most ${this.#bounds.entryBytesMax} bytes`
      throw new ArgumentRefused(message)
    }
    this.#delete(key)
    this.#entries.set(key, { content, bytes, endsAt })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      const fits = this.size <= this.#bounds.entriesMax && this.#bytes <= this.#bounds.bytesMax
      if (fits) return
      this.#delete(oldest)
    }
  }

  #delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}

function contentBytes(content: Entry['content']): number {
  if (typeof content === 'string') return 2 * content.length
  return content.reduce((sum, item) => sum + ITEM_BYTES + 2 * item.length, 0)
}
