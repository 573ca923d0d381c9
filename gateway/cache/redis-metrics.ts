import type { Count } from '../../src/core/metrics/metric-series.ts'
import type { Metrics } from '../../src/core/metrics/metrics.ts'
import type { RedisAccess, RedisTrouble } from './redis-access.ts'

export type RedisMetrics = {
  count(trouble: RedisTrouble): void
  /** Figures that are read when Prometheus asks. */
  watch(access: Pick<RedisAccess, 'status'>): void
}

export function redisMetrics(metrics: Metrics): RedisMetrics {
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
