/** A map of bounded size: a new entry takes the place of the one that was used the longest ago. */

/** Values may be anything but undefined. */
export type BoundedMap<K, V> = {
  get(key: K): V | undefined
  /** Looks without using. */
  peek(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): boolean
  /** Entries in order of use, the least recently used first. */
  entries(): IterableIterator<[K, V]>
  clear(): void
  readonly size: number
}

export function createBoundedMap<K, V>(options: {
  entriesMax: number
  onEvict?: (key: K, value: V) => void
}): BoundedMap<K, V> {
  // A Map iterates in order of insertion: the first key is the least recently used.
  const entries = new Map<K, V>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= options.entriesMax) return
      for (const [oldest, dropped] of entries) {
        entries.delete(oldest)
        options.onEvict?.(oldest, dropped)
        break
      }
    },
    peek: (key) => entries.get(key),
    delete: (key) => entries.delete(key),
    entries: () => entries.entries(),
    clear: () => entries.clear(),
    get size() {
      return entries.size
    },
  }
}
