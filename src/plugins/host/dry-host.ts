/** The host functions of a dry run. */
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../core/clock.ts'
import type { Json } from '../../core/json.ts'
import { silentLog } from '../../core/log.ts'
import type { PluginDefinition, PluginStorage } from '../../project/plugin-ports.ts'
import type { LogType, PluginHost } from '../ports.ts'
import { createPluginCaches } from './cache.ts'
import { FetchFailed } from './fetch-request.ts'
import { createPluginHost } from './host.ts'

export type DryHostDeps = {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly locate: (ip: string) => Promise<Json>
}

/**
 * A host that changes nothing: storage, cursors and cache start empty and end with it, jobs and
 * captured events are only logged, and `fetch` is refused. Arguments are checked as usual.
 */
export function createDryHost(
  { clock, locate }: DryHostDeps,
  definition: PluginDefinition,
  onLog: (type: LogType, message: string) => void,
): PluginHost {
  const storage = memoryStorage(clock)
  const deps = {
    clock,
    log: silentLog,
    storage: () => storage,
    cursor: () => memoryCursor(memoryStorage(clock)),
    enqueueJob: async (
      _: PluginDefinition,
      { name, runAtMs }: { name: string; runAtMs: number },
    ) => {
      const at = new Date(Math.max(runAtMs, clock.now())).toISOString()
      onLog('INFO', `The job ${JSON.stringify(name)} would run at ${at}`)
      return uuidv7()
    },
    caches: createPluginCaches({ clock }),
    fetch: () => Promise.reject(new FetchFailed('fetch is not available in a dry run')),
    locate,
    capture: {
      of: () => async (event: { name: string }) => {
        onLog('INFO', `The event ${JSON.stringify(event.name)} would be captured`)
      },
    },
    records: {
      log: ({ type, message }: { type: LogType; message: string }) => onLog(type, message),
    },
  }
  return createPluginHost(deps, { ...definition, logLevel: 0 })
}

/** Bounded like a cache, and deletes entries like one. */
function memoryStorage(clock: Pick<Clock, 'monotonic'>): PluginStorage {
  const cache = createPluginCaches({ clock }).of(0, 0)
  return {
    get: (key) => cache.get(key),
    set: (key, value) => cache.set(key, value, undefined),
    del: async (key) => {
      await cache.expire(key, 0)
    },
  }
}

function memoryCursor(storage: PluginStorage): PluginHost['cursor'] {
  return {
    init: (key, value) => storage.set(key, value),
    async increment(key, by) {
      const before = await storage.get(key)
      const after = (typeof before === 'number' ? before : 0) + by
      await storage.set(key, after)
      return after
    },
  }
}
