/**
 * Plans the next steps of a worker for the shards. Pure: planned again after everything that
 * happens.
 */

import { assert } from '../../src/core/code.ts'
import { type Epoch, type ShardId, shardId } from '../../src/core/ids.ts'
import { SHARD_COUNT, SHARD_ROWS_WANTED_MS } from '../../src/core/limits/limits.ts'
import { type Member, type View, workersOf } from '../members/view.ts'
import type { ShardState } from './ownership.ts'
import { preferredOwners } from './rendezvous.ts'
import type { ShardRow } from './shard-store.ts'

/** Shards move from a live owner only after the view has been the same for this long. */
export const SHARD_STABLE_MS = 2_000
/** Shards that one worker pulls at a time. */
export const HANDOFF_SHARDS_MAX = 16
/**
 * Time in which a worker does not take back a shard that it has let go for another, whatever its
 * own view is: the other one's may be newer.
 */
export const HANDOFF_GRACE_MS = 2_000
assert(SHARD_ROWS_WANTED_MS < SHARD_STABLE_MS, 'the reads also look whether the view is stable')
assert(HANDOFF_SHARDS_MAX > 0, 'some shards must be asked for at a time')

/** Preferred owner of each shard: computed once for a view. */
export type Assignment = {
  /** By id. */
  readonly workers: ReadonlyMap<string, Member>
  preferred(shard: ShardId): Member | undefined
  /** Equal for views that differ only in ways that move no shard, such as a gateway. */
  readonly signature: string
}

export const ALL_SHARDS: readonly ShardId[] = Array.from({ length: SHARD_COUNT }, (_, index) =>
  shardId(index),
)

export function assign(view: View): Assignment {
  const workers = new Map(workersOf(view).map((member) => [member.id, member]))
  const preferred = ALL_SHARDS.map(preferredOwners(view))
  const parts = [...workers.values()].map(({ id, state, weight }) => [id, state, weight].join())
  return {
    workers,
    preferred: (shard) => preferred[shard],
    signature: parts.sort().join(';'),
  }
}

/** Knowledge of a worker apart from the states of the shards. */
export type Situation = {
  readonly self: string
  readonly assignment: Assignment
  /** Monotonic time since which the assignment has been the same. */
  readonly stableSince: number
  /** Monotonic. */
  readonly now: number
  /**
   * See `MemberStore.confirmed`. A worker that is not confirmed keeps its shards and takes none.
   */
  readonly confirmed: boolean
  /** True while the worker gives every shard back and takes none. */
  readonly draining: boolean
  /** Reads of the rows begun so far. */
  readonly reads: number
}

export type Wanted = { readonly shard: ShardId; readonly epoch: Epoch }

export type Plan = {
  /** No live member holds them: they are claimed at once. */
  readonly claim: readonly Wanted[]
  /** Live members hold them, and are asked to give them up. */
  readonly ask: readonly { readonly owner: Member; readonly wanted: readonly Wanted[] }[]
  /** Given back without a request, because this worker drains. */
  readonly release: readonly ShardId[]
  /** Number of shards whose row must be read before anything can be decided. */
  readonly unread: number
  /** Number of shards that should be this worker's, and are not yet. */
  readonly wanted: number
  /** Number of shards that are not with their preferred owner, as far as is known. */
  readonly unsettled: number
}

export type ShardStates = (shard: ShardId) => ShardState

export function planShards(stateOf: ShardStates, situation: Situation): Plan {
  const { self, assignment, confirmed, draining, reads } = situation
  const claim: Wanted[] = []
  const asks = new Map<string, { owner: Member; wanted: Wanted[] }>()
  const release: ShardId[] = []
  let unread = 0
  let wanted = 0
  let unsettled = 0
  let asking = ALL_SHARDS.filter((shard) => stateOf(shard).kind === 'asking').length

  for (const shard of ALL_SHARDS) {
    const state = stateOf(shard)
    const preferred = assignment.preferred(shard)
    // A shard that a later read has not settled has no row: reading again at once would not help.
    if (state.kind === 'unknown' && state.sinceRead >= reads) unread += 1
    if (!isSettled(state, preferred, situation)) unsettled += 1
    if (draining && state.kind === 'held') release.push(shard)
    // A worker that drains is never preferred while another worker could take the shard.
    if (draining || preferred?.id !== self || state.kind === 'held') continue
    wanted += 1
    if (!confirmed) continue
    const epoch = claimable(state, situation)
    if (epoch !== undefined) {
      claim.push({ shard, epoch })
      continue
    }
    const owner = askable(state, situation)
    if (owner === undefined || asking >= HANDOFF_SHARDS_MAX) continue
    asking += 1
    const ask = asks.get(owner.member.id) ?? { owner: owner.member, wanted: [] }
    ask.wanted.push({ shard, epoch: owner.epoch })
    asks.set(owner.member.id, ask)
  }
  return { claim, ask: [...asks.values()], release, unread, wanted, unsettled }
}

/** The live member that holds a shard by this row. */
export function liveOwner(row: ShardRow, { workers }: Assignment): Member | undefined {
  return row.released ? undefined : workers.get(row.owner)
}

/**
 * The epoch to raise by a claim; `undefined` when a live owner must be asked, or nothing is due.
 */
function claimable(state: ShardState, { assignment, now }: Situation): Epoch | undefined {
  switch (state.kind) {
    case 'away':
    case 'asking': // Its owner may have died since.
      return liveOwner(state.row, assignment) === undefined ? state.row.epoch : undefined
    case 'released':
      return now - state.at >= HANDOFF_GRACE_MS ? state.epoch : undefined
    case 'unknown':
    case 'claiming':
    case 'held':
    case 'releasing':
      return undefined
    default:
      return state satisfies never
  }
}

/** The owner to ask for a shard now. One that drains is asked at once: it gives it back anyway. */
function askable(
  state: ShardState,
  { assignment, now, stableSince }: Situation,
): { member: Member; epoch: Epoch } | undefined {
  if (state.kind !== 'away' || now < state.askAfter) return undefined
  const member = liveOwner(state.row, assignment)
  if (member === undefined) return undefined
  const isStable = now - stableSince >= SHARD_STABLE_MS
  return isStable || member.state !== 'active' ? { member, epoch: state.row.epoch } : undefined
}

function isSettled(
  state: ShardState,
  preferred: Member | undefined,
  { self, assignment }: Situation,
): boolean {
  if (state.kind === 'held') return preferred?.id === self
  return state.kind === 'away' && liveOwner(state.row, assignment)?.id === preferred?.id
}
