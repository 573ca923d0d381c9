import type { Metrics } from '../src/core/metrics/metrics.ts'
import type { Admission } from './admission/admission.ts'
import type { HttpServer } from './http/http-server.ts'
import type { LiveStreams } from './rest/live/live-streams.ts'
import type { GatewayChangeFeed } from './workers/change-feed.ts'
import type { PoolFigures, WorkerPool } from './workers/worker-pool.ts'

export type GatewayMetrics = {
  finished(route: string, status: number, elapsedMs: number): void
  decided(cached: boolean): void
  failedOver(): void
  hedged(): void
  /** Figures that are read when Prometheus asks. */
  watch(
    server: HttpServer,
    pool: Pick<WorkerPool, 'figures'>,
    feed: Pick<GatewayChangeFeed, 'fresh'>,
    live: Pick<LiveStreams, 'open'>,
    admission: Pick<Admission, 'figures'>,
  ): void
}

/** First path segments that have a label of their own; a client can make no others. */
const ROUTES: ReadonlySet<string> = new Set([
  'capture',
  'batch',
  'e',
  'i',
  's',
  'track',
  'import',
  'engage',
  'groups',
  'v1',
  'decide',
  'flags',
  'ofrep',
  'array',
  'static',
  'api',
  'assets',
  'project',
  'shared',
  'embedded',
  '_health',
  '_livez',
  '_readyz',
])

/** Label of a path: its first segment, or `other`. */
export function routeLabel(path: string): string {
  const end = path.indexOf('/', 1)
  const first = path.slice(1, end === -1 ? undefined : end)
  return ROUTES.has(first) ? first : 'other'
}

export function gatewayMetrics(metrics: Metrics): GatewayMetrics {
  const requests = metrics.counters(
    'sluice_http_requests_total',
    'Requests answered; status 0: the client left.',
    ['route', 'status'],
  )
  const seconds = metrics.seconds(
    'sluice_http_request_seconds',
    'Time from the end of the headers to the answer.',
    ['route'],
  )
  const decided = metrics.counters('sluice_decide_answers_total', 'Answers of decide.', ['cache'])
  const failovers = metrics.counter(
    'sluice_worker_failovers_total',
    'Calls put to another worker because the first could not answer.',
  )
  const hedges = metrics.counter(
    'sluice_worker_hedges_total',
    'Calls put to another worker as well because theirs was silent.',
  )
  const hits = decided.labels('hit')
  const misses = decided.labels('miss')

  return {
    finished(route, status, elapsedMs) {
      requests.labels(route, String(status)).inc()
      seconds.labels(route).observe(elapsedMs / 1000)
    },
    decided: (cached) => (cached ? hits : misses).inc(),
    failedOver: () => failovers.inc(),
    hedged: () => hedges.inc(),
    watch(server, pool, feed, live, admission) {
      metrics.gauge('sluice_live_streams', 'Streams of live events over HTTP.', () => live.open())
      metrics.gauge('sluice_http_requests_in_flight', 'Requests being answered.', () => {
        return server.inflight().requests
      })
      metrics.gauge('sluice_http_bytes_in_flight', 'Bytes of bodies being handled.', () => {
        return server.inflight().bytes
      })
      const gauge = (name: string, help: string, read: (figures: PoolFigures) => number) =>
        metrics.gauge(name, help, () => read(pool.figures()))
      gauge('sluice_workers', 'Workers in the view.', ({ workers }) => workers)
      gauge('sluice_workers_suspect', 'Workers asked last.', ({ suspects }) => suspects)
      gauge('sluice_held_calls', 'Calls held while a shard moves.', ({ held }) => held)
      gauge(
        'sluice_worker_waiting_bytes',
        'Bytes waiting for a call slot of any worker.',
        ({ waitingBytes }) => waitingBytes,
      )
      metrics.gauge('sluice_captures_in_flight', 'Captures taken and not answered.', () => {
        return admission.figures().inFlight
      })
      metrics.gauge(
        'sluice_captures_in_flight_max',
        'Captures in flight beyond which they are refused; +Inf while nothing is answered.',
        () => admission.figures().limit,
      )
      metrics.gauge(
        'sluice_captures_late',
        '1 while captures come faster than answers, else 0.',
        () => Number(admission.figures().isLate),
      )
      metrics.gauge('sluice_caches_fresh', '1 while what is cached may be used, else 0.', () =>
        Number(feed.fresh()),
      )
    },
  }
}
