/** Availability of a shard at a worker: whether it has it, expects it, or who else has it. */
import type { Epoch, ShardId } from '../../src/core/ids.ts'
import type { Member } from '../members/view.ts'
import type { ShardState } from './ownership.ts'
import { liveOwner, type Situation } from './shard-plan.ts'

/** Availability of a shard for a change of one of its projects. */
export type ShardAvailability =
  | { readonly kind: 'held'; readonly epoch: Epoch }
  /**
   * A claim, a hand-off or a read is under way that may bring the shard here: worth waiting for.
   */
  | { readonly kind: 'coming' }
  /** Another member has it. `owner` is `undefined` while no member is known that could have it. */
  | { readonly kind: 'elsewhere'; readonly owner: Member | undefined }

export function availabilityOf(
  shard: ShardId,
  state: ShardState,
  situation: Situation,
): ShardAvailability {
  const { self, assignment, draining } = situation
  const preferred = assignment.preferred(shard)
  const isOurs = preferred?.id === self && !draining
  const other = preferred?.id === self ? undefined : preferred
  switch (state.kind) {
    case 'held':
      return { kind: 'held', epoch: state.epoch }
    case 'unknown':
    case 'asking':
    case 'claiming':
    case 'releasing': // The release may be refused, and then the shard is held again.
      return { kind: 'coming' }
    case 'released': {
      const taker = assignment.workers.get(state.to)
      if (taker !== undefined) return { kind: 'elsewhere', owner: taker }
      return isOurs ? { kind: 'coming' } : { kind: 'elsewhere', owner: other }
    }
    case 'away': {
      const owner = liveOwner(state.row, assignment)
      // An owner that drains may have given the shard back already, and sends its callers here.
      const isKept = owner !== undefined && (owner.state === 'active' || !isOurs)
      if (isKept) return { kind: 'elsewhere', owner }
      return isOurs ? { kind: 'coming' } : { kind: 'elsewhere', owner: other }
    }
    default:
      return state satisfies never
  }
}

/** The member that probably owns a shard. A hint for callers: it decides nothing about writes. */
export function probableOwner(
  shard: ShardId,
  state: ShardState,
  { self, assignment }: Situation,
): Member | undefined {
  const preferred = assignment.preferred(shard)
  switch (state.kind) {
    case 'held':
    case 'releasing':
    case 'claiming':
      return assignment.workers.get(self)
    case 'released':
      return assignment.workers.get(state.to) ?? preferred
    case 'away':
    case 'asking':
      return liveOwner(state.row, assignment) ?? preferred
    case 'unknown':
      return preferred
    default:
      return state satisfies never
  }
}
