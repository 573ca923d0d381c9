import type { Clock } from '../../src/core/clock.ts'
import type { TlsMaterial } from '../../src/core/config/tls-files.ts'
import { DECIDE_CACHE_BYTES_MAX, REDIS_CONNECT_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import type { Steadiness } from '../../src/core/logging/outages.ts'
import type { Count } from '../../src/core/metrics/metric-series.ts'
import type { Metrics } from '../../src/core/metrics/metrics.ts'
import type { DecideCache } from './decide-cache.ts'
import { createMemoryDecideCache } from './memory-decide-cache.ts'
import { createRedisAccess, type RedisAccess, type RedisTrouble } from './redis-access.ts'
import { createRedisDecideCache } from './redis-decide-cache.ts'
import { createTieredDecideCache } from './tiered-decide-cache.ts'

/** The decide cache in Redis with its status: `down` while it is not used. */
export type SharedCache = { readonly cache: DecideCache; readonly status: () => Steadiness }

export type SharedCacheDeps = {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}

export type SharedCacheOptions = {
  readonly url: string
  /** For `rediss://`. */
  readonly tls: TlsMaterial
  /** Prefix of the keys, the same at all members. */
  readonly cluster: string
  /**
   * Cache generation of all workers of the view. Empty while it is unknown: nothing is looked up or
   * kept then. A process that only forgets persons gives none.
   */
  readonly generation: () => string
}

/**
 * Connects in the background: a process starts without waiting for Redis. The client library is
 * loaded here, only where it is used: it has more files than the whole gateway.
 */
export async function openSharedCache(
  { clock, log, metrics }: SharedCacheDeps,
  { url, tls, cluster, generation }: SharedCacheOptions,
): Promise<SharedCache> {
  const { openRedisLink } = await import('./redis-link.ts')
  const figures = redisMetrics(metrics)
  const access = createRedisAccess({
    open: () => openRedisLink(url, REDIS_CONNECT_MS, tls),
    clock,
    log,
    random: Math.random,
    count: figures.count,
  })
  figures.watch(access)
  const cache = createRedisDecideCache(access, { cluster, generation })
  return { cache, status: () => access.status() }
}

/** The cache of a gateway in a cluster: memory in front of the shared cache, or memory alone. */
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

type RedisMetrics = {
  count(trouble: RedisTrouble): void
  /** Figures that are read when Prometheus asks. */
  watch(access: Pick<RedisAccess, 'status'>): void
}

function redisMetrics(metrics: Metrics): RedisMetrics {
  const troubles = metrics.counters(
    'sluice_redis_troubles_total',
    'Batches of commands that were late, failed, refused or skipped; times it was paused.',
    ['kind'],
  )
  const children: Readonly<Record<RedisTrouble, Count>> = {
    late: troubles.labels('late'),
    failed: troubles.labels('failed'),
    refused: troubles.labels('refused'),
    skipped: troubles.labels('skipped'),
    paused: troubles.labels('paused'),
  }
  return {
    count: (trouble) => children[trouble].inc(),
    watch(access) {
      metrics.gauge('sluice_redis_up', '1 while the shared decide cache is used.', () =>
        access.status() === 'up' ? 1 : 0,
      )
    },
  }
}
