import type { Epoch, ShardId } from '../../src/core/ids.ts'
import type { Member } from '../members/view.ts'
import type { ShardState } from './ownership.ts'
import { liveOwner, type Situation } from './shard-plan.ts'

/** What a change of a shard's project can expect of this worker. */
export type Outlook =
  | { readonly kind: 'held'; readonly epoch: Epoch }
  /** A claim, a hand-off or a read is under way that may bring it here: worth waiting for. */
  | { readonly kind: 'coming' }
  /** Another member's. `undefined` while nobody is known who could have it. */
  | { readonly kind: 'elsewhere'; readonly owner: Member | undefined }

export function outlook(shard: ShardId, state: ShardState, situation: Situation): Outlook {
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
    case 'releasing': // It may be refused, and then the shard is held again.
      return { kind: 'coming' }
    case 'released': {
      const taker = assignment.workers.get(state.to)
      if (taker !== undefined) return { kind: 'elsewhere', owner: taker }
      return isOurs ? { kind: 'coming' } : { kind: 'elsewhere', owner: other }
    }
    case 'away': {
      const owner = liveOwner(state.row, assignment)
      // One that drains may have let go already, and sends its callers here.
      const isKept = owner !== undefined && (owner.state === 'active' || !isOurs)
      if (isKept) return { kind: 'elsewhere', owner }
      return isOurs ? { kind: 'coming' } : { kind: 'elsewhere', owner: other }
    }
    default:
      return state satisfies never
  }
}

/** Whom a worker believes to own a shard: a hint, and never of what may be written. */
export function believedOwner(
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
