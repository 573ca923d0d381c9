import type { Clock } from '../../src/core/clock.ts'
import { DECIDE_CACHE_BYTES_MAX, REDIS_CONNECT_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { Metrics } from '../../src/core/metrics/metrics.ts'
import type { DecideCache } from './decide-cache.ts'
import { createMemoryDecideCache } from './memory-decide-cache.ts'
import { createRedisAccess } from './redis-access.ts'
import { createRedisDecideCache } from './redis-decide-cache.ts'
import { redisMetrics } from './redis-metrics.ts'
import { createTieredDecideCache } from './tiered-decide-cache.ts'

/** The decide cache in Redis, and how it is: `down` while it is not used. */
export type SharedCache = { readonly cache: DecideCache; readonly status: () => 'up' | 'down' }

export type SharedCacheDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

export type SharedCacheOptions = {
  readonly url: string
  /** Prefix of the keys, the same at all members. */
  readonly cluster: string
  /**
   * Of all workers of the view; empty while nobody knows: then nothing is looked up or kept. A
   * process that only forgets persons gives none.
   */
  readonly generation: () => string
}

/**
 * Connects in the background, for as long as it takes: Redis never keeps a process from starting.
 * Its library is loaded here, by those who use it: it has more files than the whole gateway.
 */
export async function openSharedCache(
  { clock, log, metrics }: SharedCacheDeps,
  { url, cluster, generation }: SharedCacheOptions,
): Promise<SharedCache> {
  const { openRedisLink } = await import('./redis-link.ts')
  const figures = redisMetrics(metrics)
  const access = createRedisAccess({
    open: () => openRedisLink(url, REDIS_CONNECT_MS),
    clock,
    log,
    random: Math.random,
    count: figures.count,
  })
  figures.watch(access)
  const cache = createRedisDecideCache(access, { cluster, generation })
  return { cache, status: () => access.status() }
}

/** What a gateway beside other members uses: memory alone without a shared cache. */
export function openGatewayCache(metrics: Metrics, shared: SharedCache | undefined): DecideCache {
  const memory = createMemoryDecideCache({ bytesMax: DECIDE_CACHE_BYTES_MAX, keepsStored: false })
  if (shared === undefined) return memory
  const looks = metrics.counters(
    'sluice_decide_cache_looks_total',
    'Looks into the decide cache, by where the answer was found.',
    ['tier'],
  )
  const tiers = {
    memory: looks.labels('memory'),
    shared: looks.labels('shared'),
    none: looks.labels('none'),
  }
  return createTieredDecideCache(memory, shared.cache, (tier) => tiers[tier].inc())
}
