/** Least-recently-used map, bounded by entries. */
export type Lru<K, V> = {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): boolean
  clear(): void
  readonly size: number
}

export function createLru<K, V>(options: {
  entriesMax: number
  onEvict?: (key: K, value: V) => void
}): Lru<K, V> {
  // A Map iterates in order of insertion: the first key is the one used longest ago.
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
    delete: (key) => entries.delete(key),
    clear: () => entries.clear(),
    get size() {
      return entries.size
    },
  }
}
