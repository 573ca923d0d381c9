/**
 * Figures of a worker as a member. The alarms look at these and at those of `worker-metrics.ts`.
 */
import type { MemberStore } from '../../cluster/members/member-store.ts'
import type { Member } from '../../cluster/members/view.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { runLoop } from '../core/loop.ts'
import type { Metrics } from '../core/metrics/metrics.ts'
import { countDeadLetters } from '../event-store/dead-letters/dead-letter-store.ts'
import type { LiveFigures } from '../events/live/live-hub.ts'
import type { Worker } from './types.ts'

/** Dead letters are counted this often for the metrics. */
export const DEAD_LETTERS_COUNT_MS = 60_000

export type StatusMetricsDeps = {
  readonly worker: Pick<Worker, 'sql' | 'projects' | 'shards' | 'live'>
  readonly members: Pick<MemberStore, 'view' | 'connected' | 'confirmed'>
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Log
}

/** Registers the figures. The returned function ends the count of dead letters. */
export function startStatusMetrics(deps: StatusMetricsDeps): () => Promise<void> {
  const { worker, members, metrics } = deps
  memberMetrics(metrics, members)
  shardMetrics(metrics, worker.shards)
  liveMetrics(metrics, worker.live)
  metrics.gauge('sluice_projects_active', 'Projects whose state this worker holds.', () =>
    worker.projects.size(),
  )
  return countOften(deps)
}

function memberMetrics(metrics: Metrics, members: StatusMetricsDeps['members']): void {
  const count = (name: string, help: string, of: (member: Member) => boolean) =>
    metrics.gauge(name, help, () => members.view().members.filter(of).length)
  const workers = (state: Member['state']) => (member: Member) =>
    member.role !== 'gateway' && member.state === state
  count('sluice_view_gateways', 'Gateways in the view.', ({ role }) => role === 'gateway')
  count('sluice_view_workers_active', 'Workers in the view that take shards.', workers('active'))
  count('sluice_view_workers_draining', 'Workers that give shards back.', workers('draining'))
  count('sluice_view_workers_drained', 'Workers that wait to be ended.', workers('drained'))
  metrics.gauge('sluice_view_versions', 'Versions of Sluice in the view.', () => {
    return new Set(members.view().members.map(({ version }) => version)).size
  })
  metrics.gauge('sluice_view_changes', 'Changes of the view since the start.', () => {
    return members.view().version
  })
  metrics.gauge('sluice_membership_connected', '0 while the view is frozen.', () => {
    return members.connected() ? 1 : 0
  })
  metrics.gauge(
    'sluice_membership_confirmed',
    '1 while no other member can declare this one dead.',
    () => {
      return members.confirmed() ? 1 : 0
    },
  )
}

function liveMetrics(metrics: Metrics, live: Worker['live']): void {
  const gauge = (name: string, help: string, read: (figures: LiveFigures) => number) =>
    metrics.gauge(name, help, () => read(live.figures()))
  gauge(
    'sluice_live_watchers',
    'Streams, and other workers, that watch what is stored.',
    (each) => {
      return each.watchers
    },
  )
  gauge('sluice_live_offered_events', 'Live events put to watchers since the start.', (each) => {
    return each.offered
  })
  gauge('sluice_live_dropped_events', 'Live events dropped since the start.', (each) => {
    return each.dropped
  })
}

function shardMetrics(metrics: Metrics, shards: StatusMetricsDeps['worker']['shards']): void {
  const gained = metrics.counter('sluice_shards_gained_total', 'Shards that came to this worker.')
  const lost = metrics.counter('sluice_shards_lost_total', 'Shards that left this worker.')
  let held: ReadonlySet<number> = new Set()
  const look = () => {
    const now = new Set<number>(shards.held().keys())
    for (const shard of now) if (!held.has(shard)) gained.inc()
    for (const shard of held) if (!now.has(shard)) lost.inc()
    held = now
  }
  look()
  shards.subscribe(look)
  metrics.gauge('sluice_shards_held', 'Shards that this worker holds.', () => shards.held().size)
}

/** Reads the last count. A count reads the whole table, so a loop makes it. */
function countOften({ worker, metrics, clock, log }: StatusMetricsDeps): () => Promise<void> {
  let last = 0
  metrics.gauge('sluice_dead_letters', 'Dead letters of the cluster, as last counted.', () => last)
  const abort = new AbortController()
  const counting = runLoop(
    { clock, log, random: Math.random },
    {
      name: 'count dead letters',
      intervalMs: DEAD_LETTERS_COUNT_MS,
      jitterMs: DEAD_LETTERS_COUNT_MS / 10,
    },
    abort.signal,
    async () => {
      last = await countDeadLetters(worker.sql)
    },
  )
  return async () => {
    abort.abort()
    await counting
  }
}
