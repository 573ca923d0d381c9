/** The caches that plugins use. */

import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { Json } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { PluginCache } from '../ports.ts'
import { ArgumentRefused, checkKey, jsonText } from './arguments.ts'
import { type CacheBounds, MemoryCache } from './memory-cache.ts'

/** `cache` of one plugin in one project: entries, bytes of all, of one, and items of a list. */
const PLUGIN_CACHE_ENTRIES_MAX = 10_000
const PLUGIN_CACHE_BYTES_MAX = 16_777_216
const PLUGIN_CACHE_ENTRY_BYTES_MAX = 4_194_304
const PLUGIN_CACHE_LIST_MAX = 1_000
const PLUGIN_CACHE_KEY_CHARS_MAX = 1_024
/** Bytes of all caches of one worker. */
const PLUGIN_CACHES_BYTES_MAX = 134_217_728
assert(PLUGIN_CACHE_ENTRY_BYTES_MAX <= PLUGIN_CACHE_BYTES_MAX, 'an entry fits into its cache')
assert(PLUGIN_CACHE_BYTES_MAX <= PLUGIN_CACHES_BYTES_MAX, 'a cache fits into all of them')

/** The caches of this worker. They are volatile, and other workers do not see them. */
export type PluginCaches = {
  of(pluginId: number, projectId: number): PluginCache
  /** The bytes of all caches. */
  readonly bytes: number
}

export type CachesBounds = CacheBounds & { readonly allBytesMax: number }

const BOUNDS: CachesBounds = {
  entriesMax: PLUGIN_CACHE_ENTRIES_MAX,
  bytesMax: PLUGIN_CACHE_BYTES_MAX,
  entryBytesMax: PLUGIN_CACHE_ENTRY_BYTES_MAX,
  listMax: PLUGIN_CACHE_LIST_MAX,
  allBytesMax: PLUGIN_CACHES_BYTES_MAX,
}

/** Past the bound of all caches, the least recently used cache is deleted as a whole. */
export function createPluginCaches(
  { clock }: { readonly clock: Pick<Clock, 'monotonic'> },
  bounds: CachesBounds = BOUNDS,
): PluginCaches {
  /** In the order of use, the latest last. No cache is empty. */
  const caches = new Map<string, MemoryCache>()
  let bytes = 0

  const use = <T>(name: string, key: string, run: (cache: MemoryCache) => T): T => {
    checkKey('cache', key, PLUGIN_CACHE_KEY_CHARS_MAX)
    const cache = caches.get(name) ?? new MemoryCache(clock, bounds)
    const before = cache.bytes
    try {
      return run(cache)
    } finally {
      bytes += cache.bytes - before
      caches.delete(name)
      if (cache.size > 0) caches.set(name, cache)
      trim()
    }
  }
  const trim = () => {
    for (const [name, cache] of caches) {
      if (bytes <= bounds.allBytesMax || caches.size === 1) return
      bytes -= cache.bytes
      caches.delete(name)
    }
  }
  return {
    of: (pluginId, projectId) => {
      const name = `${pluginId}/${projectId}`
      return cacheOver((key, run) => use(name, key, run), bounds.entryBytesMax)
    },
    get bytes() {
      return bytes
    },
  }
}

type Use = <T>(key: string, run: (cache: MemoryCache) => T) => T

function cacheOver(use: Use, bytesMax: number): PluginCache {
  const textOf = (value: Json) => jsonText('cache', value, bytesMax)
  return {
    get: async (key) => parsed(use(key, (cache) => cache.get(key))),
    set: async (key, value, ttlS) => use(key, (cache) => cache.set(key, textOf(value), toMs(ttlS))),
    incr: async (key) => use(key, (cache) => cache.incr(key)),
    expire: async (key, ttlS) => use(key, (cache) => cache.expire(key, finite(ttlS) * 1_000)),
    lpush: async (key, values) =>
      use(key, (cache) => {
        const items = [...values.map(textOf).reverse(), ...cache.list(key)]
        cache.replaceList(key, items)
        return items.length
      }),
    lrange: async (key, start, stop) =>
      use(key, (cache) => range(cache.list(key), finite(start), finite(stop)).map(parsedItem)),
    llen: async (key) => use(key, (cache) => cache.list(key).length),
    lpop: async (key, count) =>
      use(key, (cache) => {
        const items = cache.list(key)
        const taken = Math.max(0, Math.trunc(finite(count)))
        if (taken > 0 && items.length > 0) cache.replaceList(key, items.slice(taken))
        return items.slice(0, taken).map(parsedItem)
      }),
    lrem: async (key, count, value) =>
      use(key, (cache) => {
        const items = cache.list(key)
        const left = without(items, textOf(value), Math.trunc(finite(count)))
        if (left.length < items.length) cache.replaceList(key, left)
        return items.length - left.length
      }),
  }
}

/** Positions start at 0, and the last one is included. Negative positions count from the end. */
function range(items: readonly string[], start: number, stop: number): readonly string[] {
  const at = (index: number) => Math.trunc(index < 0 ? items.length + index : index)
  return items.slice(Math.max(0, at(start)), Math.max(0, at(stop) + 1))
}

/** Removes the first `count` equal items: the last ones when it is negative, all when it is 0. */
function without(items: readonly string[], text: string, count: number): readonly string[] {
  let left = count === 0 ? items.length : Math.abs(count)
  const keeps = (item: string) => item !== text || left-- <= 0
  return count < 0 ? items.toReversed().filter(keeps).reverse() : items.filter(keeps)
}

/** Plugins pass no time, or 0, for an entry that does not expire. */
function toMs(ttlS: number | undefined): number {
  if (ttlS === undefined || ttlS === 0) return Number.POSITIVE_INFINITY
  if (finite(ttlS) > 0) return ttlS * 1_000
  throw new ArgumentRefused('cache: the time to live must be positive')
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value
  throw new ArgumentRefused('cache: a number is expected')
}

function parsed(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : parsedItem(text)
}

function parsedItem(text: string): Json {
  return parseJson(text)
}
