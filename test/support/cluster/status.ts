import type { GetStatusResponse__Output } from '../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import type { Member__Output } from '../../../proto/gen/sluice/v1/Member.ts'

/** A member in the answer for `sluice status`: by default an active worker that answers. */
export function memberLine(id: string, more: Partial<Member__Output> = {}): Member__Output {
  return {
    id,
    address: `${id}:8001`,
    role: 'worker',
    state: 'active',
    shards: 0,
    version: '1.0.0',
    answered: true,
    writer: null,
    activations: 0,
    events_per_second: 0,
    decides_per_second: 0,
    breaker: 'closed',
    view_version: 1,
    host: 'm1',
    pid: 42,
    started_at: '2026-11-23T10:00:00.000Z',
    ...more,
  }
}

/** Status of a cluster; healthy by default. */
export function statusOf(more: Partial<GetStatusResponse__Output> = {}): GetStatusResponse__Output {
  return {
    version: '1.0.0',
    cluster_name: 'sluice',
    members: [],
    writer: null,
    activations: 0,
    dead_letters: 0,
    database: 'up',
    spill: null,
    membership: 'connected',
    redis: 'up',
    dropped: [],
    dropped_others: 0,
    dropped_since: '2026-11-23T10:00:00Z',
    view_version: 1,
    shards: [],
    problems: [],
    refused_keys: null,
    warned_flags: null,
    warned_cohorts: null,
    ...more,
  }
}
