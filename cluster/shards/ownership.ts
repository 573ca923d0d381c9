/**
 * The state machine of one shard on one worker. Pure: events are its input, `shard-plan.ts` decides
 * what to do next, and `shards.ts` does it.
 *
 *   unknown    the row must be read before anything is done
 *   away       another worker holds it, or none does
 *   asking     its live owner was asked to give it up
 *   claiming   its epoch is being raised for this worker
 *   held       this worker holds it: changes may begin
 *   releasing  held, but no change begins; running changes end, then the row is marked
 *   released   given back; no worker has claimed it since
 *
 *   unknown  -> away | held                 by a read that began later
 *   away     -> asking | claiming | held    held: a claim whose answer was lost
 *   asking   -> away | claiming | held      claiming: the owner died meanwhile
 *   claiming -> held | away | unknown       unknown: the claim was lost, or its outcome is unknown
 *   held     -> releasing | away | unknown  away: another worker has claimed it; unknown: fenced
 *   releasing -> released | held | away | unknown
 *   released -> away | claiming | held
 *
 * Knowledge of a row only grows: by its epoch, and within one epoch from held to released. So the
 * answers of the database may arrive in any order. The exception is a read that begins after this
 * worker was proved wrong: it is accepted whatever it says, so that a database that was restored to
 * an earlier time is followed too. Nothing here guards writes: Postgres does, and answers `fenced`
 * to a worker that is wrong.
 */
import { assert } from '../../src/core/code.ts'
import type { Epoch } from '../../src/core/ids.ts'
import type { ShardRow } from './shard-store.ts'

export type ShardState =
  /** Reads of the rows are numbered; only one after `sinceRead` counts. */
  | { readonly kind: 'unknown'; readonly sinceRead: number }
  /** Monotonic time before which its owner is not asked again. */
  | { readonly kind: 'away'; readonly row: ShardRow; readonly askAfter: number }
  | { readonly kind: 'asking'; readonly row: ShardRow }
  | { readonly kind: 'claiming'; readonly seen: Epoch }
  | { readonly kind: 'held'; readonly epoch: Epoch }
  /** `to` is a member's id; empty when no member has asked. */
  | { readonly kind: 'releasing'; readonly epoch: Epoch; readonly to: string }
  | {
      readonly kind: 'released'
      readonly epoch: Epoch
      readonly to: string
      /** Monotonic time. */
      readonly at: number
    }

/**
 * Epochs name the attempt that an event is about: a late event of another attempt changes nothing.
 */
export type ShardEvent =
  /** The row as the read of this number found it. */
  | { readonly kind: 'row'; readonly row: ShardRow; readonly read: number }
  | { readonly kind: 'claim_sent'; readonly seen: Epoch }
  | { readonly kind: 'claim_won'; readonly epoch: Epoch }
  /** The epoch had changed, or no answer arrived: reads up to `read` prove nothing. */
  | { readonly kind: 'claim_failed'; readonly seen: Epoch; readonly read: number }
  | { readonly kind: 'ask_sent' }
  | { readonly kind: 'ask_granted'; readonly seen: Epoch }
  | { readonly kind: 'ask_refused'; readonly seen: Epoch; readonly askAfter: number }
  | { readonly kind: 'release_begun'; readonly to: string }
  | { readonly kind: 'release_done'; readonly epoch: Epoch }
  /** Running changes did not end in time, or the database did not answer. */
  | { readonly kind: 'release_refused'; readonly epoch: Epoch }
  /** A change under this epoch was refused by the database. */
  | { readonly kind: 'fenced'; readonly epoch: Epoch; readonly read: number }

export type Observer = {
  /** Id of this member. */
  readonly self: string
  /** Monotonic milliseconds. */
  readonly now: number
}

/** The state of a shard whose row has not been read. */
export const UNREAD: ShardState = { kind: 'unknown', sinceRead: 0 }

/**
 * The state after an event; the same object when it changes nothing.
 * @throws {InvariantError} for a step of this worker that the state does not allow.
 */
export function transition(state: ShardState, event: ShardEvent, by: Observer): ShardState {
  switch (event.kind) {
    case 'row':
      return afterRow(state, event, by)
    case 'claim_sent':
      assert(
        state.kind === 'away' || state.kind === 'asking' || state.kind === 'released',
        `a shard that is ${state.kind} is not claimed`,
      )
      return { kind: 'claiming', seen: event.seen }
    case 'claim_won':
      // Another state means that newer rows were read before the answer came.
      if (state.kind !== 'claiming' || event.epoch <= state.seen) return state
      return { kind: 'held', epoch: event.epoch }
    case 'claim_failed':
      if (state.kind !== 'claiming' || state.seen !== event.seen) return state
      return { kind: 'unknown', sinceRead: event.read }
    case 'ask_sent':
      assert(state.kind === 'away', `nobody is asked for a shard that is ${state.kind}`)
      return { kind: 'asking', row: state.row }
    case 'ask_granted':
      if (state.kind !== 'asking' || state.row.epoch !== event.seen) return state
      return { kind: 'away', row: { ...state.row, released: true }, askAfter: 0 }
    case 'ask_refused':
      if (state.kind !== 'asking' || state.row.epoch !== event.seen) return state
      return { kind: 'away', row: state.row, askAfter: event.askAfter }
    case 'release_begun':
      assert(state.kind === 'held', `a shard that is ${state.kind} is not given back`)
      return { kind: 'releasing', epoch: state.epoch, to: event.to }
    case 'release_done':
      if (state.kind !== 'releasing' || state.epoch !== event.epoch) return state
      return { kind: 'released', epoch: state.epoch, to: state.to, at: by.now }
    case 'release_refused':
      if (state.kind !== 'releasing' || state.epoch !== event.epoch) return state
      return { kind: 'held', epoch: state.epoch }
    case 'fenced':
      if (state.kind !== 'held' && state.kind !== 'releasing') return state
      return state.epoch === event.epoch ? { kind: 'unknown', sinceRead: event.read } : state
    default:
      return event satisfies never
  }
}

function afterRow(
  state: ShardState,
  { row, read }: ShardEvent & { kind: 'row' },
  by: Observer,
): ShardState {
  switch (state.kind) {
    case 'unknown':
      return read > state.sinceRead ? settled(row, by) : state
    case 'away':
    case 'asking':
      if (row.epoch > state.row.epoch) return settled(row, by)
      if (row.epoch < state.row.epoch || !row.released || state.row.released) return state
      return settled(row, by)
    case 'claiming':
      return row.epoch > state.seen ? settled(row, by) : state
    case 'released':
      return row.epoch > state.epoch ? settled(row, by) : state
    case 'held':
    case 'releasing':
      if (row.epoch > state.epoch) return settled(row, by)
      if (row.epoch < state.epoch || !row.released) return state
      // The answer to a release was lost. No worker has claimed it yet, so nothing was fenced.
      if (state.kind === 'held') return settled(row, by)
      return { kind: 'released', epoch: state.epoch, to: state.to, at: by.now }
    default:
      return state satisfies never
  }
}

/** Member ids are never used twice, so a row with this id is from a claim of this process. */
function settled(row: ShardRow, { self }: Observer): ShardState {
  const isOurs = row.owner === self && !row.released
  return isOurs ? { kind: 'held', epoch: row.epoch } : { kind: 'away', row, askAfter: 0 }
}
