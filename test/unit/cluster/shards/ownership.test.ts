import fc from 'fast-check'
import t from 'tap'
import {
  type ShardEvent,
  type ShardState,
  transition,
  UNREAD,
} from '../../../../cluster/shards/ownership.ts'
import type { ShardRow } from '../../../../cluster/shards/shard-store.ts'
import { epoch, shardId } from '../../../../src/core/ids.ts'

const SELF = 'me'
const NOW = 50
const BY = { self: SELF, now: NOW }
const SHARD = shardId(3)
/** The epoch that every state of the table is about. */
const E = epoch(5n)
const NEWER = epoch(6n)
/** Reads before this one prove nothing to a state that is `unknown`. */
const READ = 4

function row(owner: string, at: bigint, released = false): ShardRow {
  return { shard: SHARD, epoch: epoch(at), owner, released }
}

type Kind = ShardState['kind']

const STATES: Readonly<Record<Kind, ShardState>> = {
  unknown: { kind: 'unknown', sinceRead: READ },
  away: { kind: 'away', row: row('other', E), askAfter: 7 },
  asking: { kind: 'asking', row: row('other', E) },
  claiming: { kind: 'claiming', seen: E },
  held: { kind: 'held', epoch: E },
  releasing: { kind: 'releasing', epoch: E, to: 'other' },
  released: { kind: 'released', epoch: E, to: 'other', at: 1 },
}

/** Every event of the machine, and those of rows once for each thing that a row can say. */
type EventName =
  | Exclude<ShardEvent['kind'], 'row'>
  | 'row_older'
  | 'row_same'
  | 'row_same_released'
  | 'row_newer_of_other'
  | 'row_newer_of_other_released'
  | 'row_newer_of_self'
  | 'row_of_an_early_read'

function rowEvent(of: ShardRow, read = READ + 1): ShardEvent {
  return { kind: 'row', row: of, read }
}

const EVENTS: Readonly<Record<EventName, ShardEvent>> = {
  claim_sent: { kind: 'claim_sent', seen: E },
  claim_won: { kind: 'claim_won', epoch: NEWER },
  claim_failed: { kind: 'claim_failed', seen: E, read: 9 },
  ask_sent: { kind: 'ask_sent' },
  ask_granted: { kind: 'ask_granted', seen: E },
  ask_refused: { kind: 'ask_refused', seen: E, askAfter: 99 },
  release_begun: { kind: 'release_begun', to: 'other' },
  release_done: { kind: 'release_done', epoch: E },
  release_refused: { kind: 'release_refused', epoch: E },
  fenced: { kind: 'fenced', epoch: E, read: 9 },
  row_older: rowEvent(row('another', 4n)),
  row_same: rowEvent(row('other', E)),
  row_same_released: rowEvent(row('other', E, true)),
  row_newer_of_other: rowEvent(row('another', NEWER)),
  row_newer_of_other_released: rowEvent(row('another', NEWER, true)),
  row_newer_of_self: rowEvent(row(SELF, NEWER)),
  row_of_an_early_read: rowEvent(row(SELF, NEWER), READ),
}

/** `.` stays the same object, `!` is a step that no state of its kind allows. */
type Outcome = Kind | '.' | '!'

const IGNORED = {
  claim_won: '.',
  claim_failed: '.',
  ask_granted: '.',
  ask_refused: '.',
  release_done: '.',
  release_refused: '.',
  fenced: '.',
  row_older: '.',
  row_same: '.',
} as const
const NEWER_ROWS = {
  row_newer_of_other: 'away',
  row_newer_of_other_released: 'away',
  row_newer_of_self: 'held',
  row_of_an_early_read: 'held',
} as const

const TABLE: Readonly<Record<Kind, Readonly<Record<EventName, Outcome>>>> = {
  unknown: {
    ...{ ...IGNORED, ...NEWER_ROWS, claim_sent: '!', ask_sent: '!', release_begun: '!' },
    row_older: 'away',
    row_same: 'away',
    row_same_released: 'away',
    row_of_an_early_read: '.',
  },
  away: {
    ...{ ...IGNORED, ...NEWER_ROWS, release_begun: '!' },
    claim_sent: 'claiming',
    ask_sent: 'asking',
    row_same_released: 'away',
  },
  asking: {
    ...{ ...IGNORED, ...NEWER_ROWS, ask_sent: '!', release_begun: '!' },
    claim_sent: 'claiming',
    ask_granted: 'away',
    ask_refused: 'away',
    row_same_released: 'away',
  },
  claiming: {
    ...{ ...IGNORED, ...NEWER_ROWS, claim_sent: '!', ask_sent: '!', release_begun: '!' },
    claim_won: 'held',
    claim_failed: 'unknown',
    row_same_released: '.',
  },
  held: {
    ...{ ...IGNORED, ...NEWER_ROWS, claim_sent: '!', ask_sent: '!' },
    release_begun: 'releasing',
    fenced: 'unknown',
    row_same_released: 'away',
  },
  releasing: {
    ...{ ...IGNORED, ...NEWER_ROWS, claim_sent: '!', ask_sent: '!', release_begun: '!' },
    release_done: 'released',
    release_refused: 'held',
    fenced: 'unknown',
    row_same_released: 'released',
  },
  released: {
    ...{ ...IGNORED, ...NEWER_ROWS, ask_sent: '!', release_begun: '!' },
    claim_sent: 'claiming',
    row_same_released: '.',
  },
}

for (const [kind, outcomes] of Object.entries(TABLE)) {
  t.test(`every event of a shard that is ${kind}`, async (t) => {
    const state = STATES[kind as Kind] // A key of the table.
    for (const [name, outcome] of Object.entries(outcomes)) {
      const event = EVENTS[name as EventName] // The same.
      if (outcome === '!') {
        t.throws(() => transition(state, event, BY), { name: 'InvariantError' }, name)
        continue
      }
      const after = transition(state, event, BY)
      if (outcome === '.') t.equal(after, state, `${name} changes nothing`)
      else t.equal(after.kind, outcome, name)
      if (outcome !== '.') t.not(after, state, `${name} changes something`)
    }
  })
}

t.test('an answer about another epoch changes nothing', async (t) => {
  const late: readonly (readonly [Kind, ShardEvent])[] = [
    ['claiming', { kind: 'claim_won', epoch: E }],
    ['claiming', { kind: 'claim_failed', seen: epoch(4n), read: 9 }],
    ['asking', { kind: 'ask_granted', seen: epoch(4n) }],
    ['asking', { kind: 'ask_refused', seen: epoch(4n), askAfter: 99 }],
    ['releasing', { kind: 'release_done', epoch: epoch(4n) }],
    ['releasing', { kind: 'release_refused', epoch: epoch(4n) }],
    ['held', { kind: 'fenced', epoch: epoch(4n), read: 9 }],
  ]
  for (const [kind, event] of late) {
    t.equal(transition(STATES[kind], event, BY), STATES[kind], `${event.kind} when ${kind}`)
  }
})

t.test('a claim is held under the epoch that the database answered', async (t) => {
  const held = transition(STATES.claiming, EVENTS.claim_won, BY)
  t.strictSame(held, { kind: 'held', epoch: NEWER })
})

t.test('a claim whose answer was lost is held once the rows show it', async (t) => {
  const doubt = transition(STATES.claiming, EVENTS.claim_failed, BY)
  t.strictSame(doubt, { kind: 'unknown', sinceRead: 9 })
  t.equal(transition(doubt, rowEvent(row(SELF, NEWER), 9), BY), doubt, 'a read begun before')
  const held = transition(doubt, rowEvent(row(SELF, NEWER), 10), BY)
  t.strictSame(held, { kind: 'held', epoch: NEWER })
})

t.test('a fenced worker believes a later read even of an earlier epoch', async (t) => {
  const fenced = transition(STATES.held, EVENTS.fenced, BY)
  const restored = transition(fenced, rowEvent(row('other', 2n), 10), BY)
  t.strictSame(restored, { kind: 'away', row: row('other', 2n), askAfter: 0 })
})

t.test('rows of an earlier process of this worker are not its own', async (t) => {
  const state = transition(UNREAD, rowEvent(row('me before the restart', E), 1), BY)
  t.equal(state.kind, 'away')
})

t.test('a released shard is remembered with who asked and when', async (t) => {
  const released = { kind: 'released', epoch: E, to: 'other', at: NOW }
  t.strictSame(transition(STATES.releasing, EVENTS.release_done, BY), released)
  t.strictSame(transition(STATES.releasing, EVENTS.row_same_released, BY), released)
})

t.test('a refusal keeps the owner from being asked at once, a newer row forgets it', async (t) => {
  const refused = transition(STATES.asking, EVENTS.ask_refused, BY)
  t.strictSame(refused, { kind: 'away', row: row('other', E), askAfter: 99 })
  const newer = transition(refused, EVENTS.row_newer_of_other, BY)
  t.strictSame(newer, { kind: 'away', row: row('another', NEWER), askAfter: 0 })
})

t.test('rows may be read in any order: the newest is what is known', async (t) => {
  const history = fc
    .array(fc.constantFrom('a', 'b', SELF), { minLength: 1, maxLength: 8 })
    .map((owners) =>
      owners.flatMap((owner, index) => {
        const at = BigInt(index + 1)
        return [row(owner, at), row(owner, at, true)]
      }),
    )
  const shuffled = history.chain((rows) =>
    fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
  )
  const newestIsKnown = fc.property(shuffled, (rows) => {
    let state: ShardState = UNREAD
    for (const each of rows) state = transition(state, rowEvent(each, 1), BY)
    const newest = rows.reduce((a, b) => (b.epoch > a.epoch ? b : a)).epoch
    return state.kind === 'away' && state.row.epoch === newest && state.row.released
  })
  t.doesNotThrow(() => fc.assert(newestIsKnown))
})
