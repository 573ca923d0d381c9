/** Actors and texts of several blocks of sessions together. */
import { yieldToEventLoop } from '../../../core/clock.ts'
import type { IdPersons, SessionActor, SessionMember } from '../../../event-store/session-events.ts'
import {
  BITS,
  EVENT_NUMBERS,
  ID,
  ITEM,
  kindBits,
  MEMBERS,
  ROLE_BITS_FROM,
} from '../../../events/sessions/fold-sessions.ts'
import {
  AGENT_GROUP,
  MEMBER_GROUPS,
  membersOfEvents,
  ORIGIN_GROUP,
  type TextSource,
} from '../sessions/session-properties.ts'
import { inSpans } from '../turns.ts'
import { MORE } from './byte-lists.ts'
import { NumberPlaces } from './number-places.ts'
import type { MemberTuple, SessionBlock } from './session-block.ts'

/** Role of a question in a block: all events of a name (null: any), or those with a bit of the block. */
export type RoleIn = { readonly event: string | null } | { readonly place: number }

/** A block, with the roles of the question in the order of their bits. */
export type BlockRoles = { readonly block: SessionBlock; readonly roles: readonly RoleIn[] }

export type BlockSource = { readonly actors: Iterable<SessionActor>; readonly texts: TextSource }

/** A block with its numbers made those of all blocks together. */
type Opened = {
  readonly block: SessionBlock
  /** Numbers by those of the block. */
  readonly members: Int32Array
  readonly items: Int32Array
  /** Bits of the shapes of its events: kinds and roles of the question. */
  readonly bits: Int32Array
}

/**
 * Other work gets its turn in between.
 * @param blocks of different days: the order matters to speed alone.
 * @param persons of all distinct ids; one without a person is an actor of its own.
 */
export async function gatherBlocks(
  blocks: readonly BlockRoles[],
  persons: IdPersons,
): Promise<BlockSource> {
  const groups = MEMBER_GROUPS.map(() => new Map<string, number>())
  const tuples: MemberTuple[][] = MEMBER_GROUPS.map(() => [])
  const pages = new Map<string, number>()
  const items: string[] = []
  const sets = createSets()
  const opened: Opened[] = []
  for (const { block, roles } of blocks) {
    await yieldToEventLoop()
    const places = block.groups.map((own, group) =>
      own.map((tuple) => {
        const all = tuples[group] ?? []
        return placeOf(groups[group], JSON.stringify(tuple), () => all.push(tuple) - 1)
      }),
    )
    opened.push({
      block,
      members: sets.numbersOf(block.members, places),
      // The first item of a block is 1, and 0 is none.
      items: Int32Array.from([
        0,
        ...block.items.map((item) => placeOf(pages, item, () => items.push(item) - 1) + 1),
      ]),
      bits: bitsOfShapes(block, roles),
    })
  }
  return {
    actors: actorsOf(opened, await piecesOf(opened, persons)),
    texts: textsOf(sets.all, tuples, items),
  }
}

/** More than there are different tuples of a group, or sets. */
const TUPLES_MAX = 2 ** 26

/** Different sets of tuples, one of each group. */
function createSets() {
  /** Numbers of sets by their last tuple, and the number of what is before it. */
  const known = MEMBER_GROUPS.map(() => new Map<number, number>())
  const all: number[] = []
  return {
    /** Tuples of the sets, one after the other. */
    all,
    /** Numbers of the sets of a block. @param places of its tuples among all of their group. */
    numbersOf(own: Uint32Array, places: readonly (readonly number[])[]): Int32Array {
      const numbers = new Int32Array(own.length / MEMBER_GROUPS.length)
      for (let set = 0; set < numbers.length; set++) {
        const from = set * MEMBER_GROUPS.length
        let number = 0
        for (let group = 0; group < MEMBER_GROUPS.length; group++) {
          const tuple = places[group]?.[own[from + group] ?? 0] ?? 0
          const before = known[group]
          number = placeOf(before, number * TUPLES_MAX + tuple, () => before?.size ?? 0)
        }
        if (number * MEMBER_GROUPS.length === all.length) {
          for (const [group, tuples] of places.entries())
            all.push(tuples[own[from + group] ?? 0] ?? 0)
        }
        numbers[set] = number
      }
      return numbers
    },
  }
}

function placeOf<Key>(known: Map<Key, number> | undefined, key: Key, add: () => number): number {
  const old = known?.get(key)
  if (old !== undefined) return old
  const place = add()
  known?.set(key, place)
  return place
}

function textsOf(
  sets: readonly number[],
  tuples: readonly (readonly MemberTuple[])[],
  items: readonly string[],
): TextSource {
  const places = new Map<SessionMember, readonly [group: number, place: number]>(
    MEMBER_GROUPS.flatMap((names, group) =>
      membersOfEvents(names).map((member, place) => [member, [group, place]] as const),
    ),
  )
  const keyIn = (group: number) => (number: number) =>
    sets[number * MEMBER_GROUPS.length + group] ?? 0
  return {
    textOf: (number, member) => {
      const [group = -1, place = -1] = places.get(member) ?? []
      return tuples[group]?.[keyIn(group)(number)]?.[place]
    },
    itemOf: (item) => items[item - 1],
    originKey: keyIn(ORIGIN_GROUP),
    agentKey: keyIn(AGENT_GROUP),
  }
}

function bitsOfShapes({ names, shapes }: SessionBlock, roles: readonly RoleIn[]): Int32Array {
  const bits: number[] = []
  for (let at = 0; at < shapes.length; at += 2) {
    const name = names[shapes[at] ?? 0] ?? ''
    const own = shapes[at + 1] ?? 0
    const has = (role: RoleIn) =>
      'place' in role
        ? Math.floor(own / 2 ** role.place) % 2 === 1
        : role.event === null || role.event === name
    const ofRoles = roles.map((role, to) => (has(role) ? 2 ** (ROLE_BITS_FROM + to) : 0))
    bits.push(ofRoles.reduce((sum, bit) => sum + bit, kindBits(name)))
  }
  return Int32Array.from(bits)
}

/** Events of distinct ids in blocks, those of one actor after those of another. */
type Pieces = {
  readonly blocks: Uint16Array
  /** Places of the ids in their blocks. */
  readonly places: Uint32Array
  /** First piece of each actor, and the end of the last one's. */
  readonly starts: Uint32Array
}

function actorsOf(opened: readonly Opened[], pieces: Pieces): Iterable<SessionActor> {
  return {
    *[Symbol.iterator]() {
      const take = createSlabs()
      for (let actor = 0; actor + 1 < pieces.starts.length; actor++) {
        const [from = 0, until = 0] = [pieces.starts[actor], pieces.starts[actor + 1]]
        if (from < until) yield { events: eventsOf(opened, pieces, { from, until }, take) }
      }
    },
  }
}

/** Distinct ids of one turn: about a millisecond. */
const IDS_OF_TURN = 10_000

/** Sorts the ids of all blocks by actor, and keeps their order otherwise. */
async function piecesOf(opened: readonly Opened[], persons: IdPersons): Promise<Pieces> {
  const total = opened.reduce((sum, { block }) => sum + block.ids.length, 0)
  const known = persons.length / 2
  const actorOfPerson = new NumberPlaces()
  const actorOfId = new NumberPlaces()
  await actorOfPerson.makeRoom(known)
  await actorOfId.makeRoom(known)
  await inSpans(known, IDS_OF_TURN, (from, until) => {
    for (let pair = from; pair < until; pair++) {
      const actor = actorOfPerson.placeOf(persons[2 * pair + 1] ?? 0, actorOfPerson.size)
      actorOfId.placeOf(persons[2 * pair] ?? 0, actor)
    }
  })
  let actors = actorOfPerson.size
  const actorsOfPieces = new Uint32Array(total)
  const counts = new Uint32Array(actors + total + 1)
  const makeRoom = (ids: number) => actorOfId.makeRoom(ids)
  await eachPiece(opened, makeRoom, (piece, { ids }, place) => {
    const actor = actorOfId.placeOf(ids[place] ?? 0, actors)
    if (actor === actors) actors += 1
    actorsOfPieces[piece] = actor
    counts[actor + 1] = (counts[actor + 1] ?? 0) + 1
  })
  const starts = counts.subarray(0, actors + 1)
  await inSpans(actors, IDS_OF_TURN, (from, until) => {
    for (let actor = from; actor < until; actor++) {
      starts[actor + 1] = (starts[actor + 1] ?? 0) + (starts[actor] ?? 0)
    }
  })
  const next = starts.slice()
  const blocks = new Uint16Array(total)
  const places = new Uint32Array(total)
  const nothing = () => Promise.resolve()
  await eachPiece(opened, nothing, (piece, _, place, nth) => {
    const actor = actorsOfPieces[piece] ?? 0
    const to = next[actor] ?? 0
    next[actor] = to + 1
    blocks[to] = nth
    places[to] = place
  })
  return { blocks, places, starts }
}

/** Calls `visit` with each id of each block, in order, and `open` before those of a block. */
async function eachPiece(
  opened: readonly Opened[],
  open: (ids: number) => Promise<void>,
  visit: (piece: number, block: SessionBlock, place: number, nth: number) => void,
): Promise<void> {
  let before = 0
  for (const [nth, { block }] of opened.entries()) {
    await open(block.ids.length)
    await inSpans(block.ids.length, IDS_OF_TURN, (from, until) => {
      for (let place = from; place < until; place++) visit(before + place, block, place, nth)
    })
    before += block.ids.length
  }
}

/** Numbers of one slab. */
const SLAB_NUMBERS = 65_536

/** Cuts arrays from larger ones: most actors have few events, and an array of its own costs more. */
function createSlabs(): (length: number) => Float64Array {
  let slab = new Float64Array()
  let used = 0
  return (length) => {
    if (used + length > slab.length) {
      slab = new Float64Array(Math.max(SLAB_NUMBERS, length))
      used = 0
    }
    used += length
    return slab.subarray(used - length, used)
  }
}

/** Numbers of the events of one actor: see `foldSessions`. */
function eventsOf(
  opened: readonly Opened[],
  { blocks, places }: Pieces,
  { from, until }: { readonly from: number; readonly until: number },
  take: (length: number) => Float64Array,
): Float64Array {
  let events = 0
  for (let piece = from; piece < until; piece++) {
    events += opened[blocks[piece] ?? 0]?.block.counts[places[piece] ?? 0] ?? 0
  }
  const numbers = take(events * EVENT_NUMBERS)
  let to = 0
  let isInOrder = true
  let lastUs = -Infinity
  for (let piece = from; piece < until; piece++) {
    const own = opened[blocks[piece] ?? 0]
    if (own === undefined) continue
    const from = to
    to = readEvents(own, places[piece] ?? 0, { numbers, from })
    isInOrder &&= (numbers[from] ?? 0) >= lastUs
    lastUs = numbers[to - EVENT_NUMBERS] ?? 0
  }
  return isInOrder ? numbers : sorted(numbers)
}

/** Low bits of a byte, and of a number: larger ones have a second part. */
const BYTE_BITS = 7
const LOW_BITS = 28

const LOW = 0x7f
/** Half of what the second part of a number counts. */
const HALF_OF_HIGH = 0x800_0000

/** Numbers of an event in a block, in their order: see `SessionBlock`. */
const TIME = 0
const SHAPE = 1
const SESSION = 2
const SET = 3
const LAST = 4

/**
 * Reads the events of one distinct id in a block, which are in order. It reads numbers as a
 * `ByteReader` does, in a fraction of the time: all it holds are integers of the processor.
 * @returns their end.
 */
function readEvents(
  { block: { bytes, starts, counts, sessions }, members, items, bits }: Opened,
  place: number,
  { numbers, from }: { readonly numbers: Float64Array; readonly from: number },
): number {
  const end = from + (counts[place] ?? 0) * EVENT_NUMBERS
  let at = starts[place] ?? 0
  let to = from
  let us = 0
  let session = 0
  let set = 0
  let next = TIME
  while (to < end) {
    let byte = bytes[at++] ?? 0
    let low = byte & LOW
    let high = 0
    for (let shift = BYTE_BITS; byte >= MORE; shift += BYTE_BITS) {
      byte = bytes[at++] ?? 0
      if (shift < LOW_BITS) low |= (byte & LOW) << shift
      else high |= (byte & LOW) << (shift - LOW_BITS)
    }
    switch (next) {
      case TIME: {
        const half = high * HALF_OF_HIGH + (low >> 1)
        us += (low & 1) === 1 ? -half - 1 : half
        numbers[to] = us
        next = SHAPE
        break
      }
      case SHAPE:
        numbers[to + BITS] = bits[low >> 1] ?? 0
        next = (low & 1) === 1 ? SESSION : LAST
        break
      case SESSION:
        session = low === 0 ? 0 : (sessions[low - 1] ?? 0)
        next = SET
        break
      case SET:
        set = members[low] ?? 0
        next = LAST
        break
      default:
        numbers[to + ID] = session
        numbers[to + MEMBERS] = set
        numbers[to + ITEM] = items[low] ?? 0
        to += EVENT_NUMBERS
        next = TIME
    }
  }
  return end
}

/** Events in order of time; those of one time are of one block, and keep the order of its ids. */
function sorted(numbers: Float64Array): Float64Array {
  const places = Array.from(
    { length: numbers.length / EVENT_NUMBERS },
    (_, nth) => nth * EVENT_NUMBERS,
  ).sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))
  const inOrder = new Float64Array(numbers.length)
  for (const [nth, place] of places.entries()) {
    inOrder.set(numbers.subarray(place, place + EVENT_NUMBERS), nth * EVENT_NUMBERS)
  }
  return inOrder
}
