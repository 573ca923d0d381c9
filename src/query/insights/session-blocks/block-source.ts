/** Actors and texts of several blocks of sessions together. */
import { yieldToEventLoop } from '../../../core/clock.ts'
import type { IdPersons, SessionActor, SessionMember } from '../../../event-store/session-events.ts'
import { EVENT_NUMBERS, kindBits, ROLE_BITS_FROM } from '../../../events/sessions/fold-sessions.ts'
import {
  AGENT_GROUP,
  MEMBER_GROUPS,
  membersOfEvents,
  ORIGIN_GROUP,
  type TextSource,
} from '../sessions/session-properties.ts'
import { ByteReader } from './byte-lists.ts'
import type { MemberTuple, SessionBlock } from './session-block.ts'

/** Role of a question in a block: all events of a name (null: any), or those with a bit of the block. */
export type RoleIn = { readonly event: string | null } | { readonly place: number }

/** A block, with the roles of the question in the order of their bits. */
export type BlockRoles = { readonly block: SessionBlock; readonly roles: readonly RoleIn[] }

export type BlockSource = { readonly actors: Iterable<SessionActor>; readonly texts: TextSource }

/** A block with its numbers made those of all blocks together. */
type Opened = {
  readonly block: SessionBlock
  /** Number of its first members. */
  readonly members: number
  readonly items: readonly number[]
  /** Bits of the shapes of its events: kinds and roles of the question. */
  readonly bits: readonly number[]
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
  const opened: Opened[] = []
  const setsBefore = blocks.map(({ block }) => block.members.length)
  const sets = new Int32Array(setsBefore.reduce((sum, length) => sum + length, 0))
  let filled = 0
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
      members: filled / MEMBER_GROUPS.length,
      items: block.items.map((item) => placeOf(pages, item, () => items.push(item) - 1) + 1),
      bits: bitsOfShapes(block, roles),
    })
    for (const [place, tuple] of block.members.entries()) {
      sets[filled++] = places[place % MEMBER_GROUPS.length]?.[tuple] ?? 0
    }
  }
  return {
    actors: actorsOf(opened, await piecesOf(opened, persons)),
    texts: textsOf(sets, tuples, items),
  }
}

function placeOf(known: Map<string, number> | undefined, key: string, add: () => number): number {
  const old = known?.get(key)
  if (old !== undefined) return old
  const place = add()
  known?.set(key, place)
  return place
}

function textsOf(
  sets: Int32Array,
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

function bitsOfShapes({ names, shapes }: SessionBlock, roles: readonly RoleIn[]): number[] {
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
  return bits
}

/** Events of one distinct id in one block. */
type Pieces = {
  readonly blocks: Uint16Array
  /** Places of the ids in their blocks. */
  readonly places: Uint32Array
  /** First piece of each actor, and the end of the last one's. */
  readonly starts: Uint32Array
}

function actorsOf(
  opened: readonly Opened[],
  { blocks, places, starts }: Pieces,
): Iterable<SessionActor> {
  return {
    *[Symbol.iterator]() {
      const take = createSlabs()
      for (let actor = 0; actor + 1 < starts.length; actor++) {
        const pieces: { readonly from: Opened; readonly place: number }[] = []
        for (let at = starts[actor] ?? 0; at < (starts[actor + 1] ?? 0); at++) {
          const from = opened[blocks[at] ?? 0]
          if (from !== undefined) pieces.push({ from, place: places[at] ?? 0 })
        }
        yield { events: eventsOf(pieces, take) }
      }
    },
  }
}

/** Persons of one turn: some milliseconds. */
const PERSONS_OF_TURN = 10_000

/** Sorts the ids of all blocks by actor, and keeps their order otherwise. */
async function piecesOf(opened: readonly Opened[], persons: IdPersons): Promise<Pieces> {
  const actorOfId = new Map<number, number>()
  const actorOfPerson = new Map<number, number>()
  for (let place = 0; place < persons.length; place += 2) {
    if (place % PERSONS_OF_TURN === 0) await yieldToEventLoop()
    const person = persons[place + 1] ?? 0
    const known = actorOfPerson.get(person) ?? actorOfPerson.size
    actorOfPerson.set(person, known)
    actorOfId.set(persons[place] ?? 0, known)
  }
  let actors = actorOfPerson.size
  const total = opened.reduce((sum, { block }) => sum + block.ids.length, 0)
  const actorsOfPieces = new Uint32Array(total)
  let piece = 0
  for (const { block } of opened) {
    await yieldToEventLoop()
    for (const { id } of block.ids) {
      let actor = actorOfId.get(id)
      if (actor === undefined) {
        actor = actors++
        actorOfId.set(id, actor)
      }
      actorsOfPieces[piece++] = actor
    }
  }
  const starts = new Uint32Array(actors + 1)
  for (const actor of actorsOfPieces) starts[actor + 1] = (starts[actor + 1] ?? 0) + 1
  for (let actor = 0; actor < actors; actor++) {
    starts[actor + 1] = (starts[actor + 1] ?? 0) + (starts[actor] ?? 0)
  }
  const next = starts.slice()
  const blocks = new Uint16Array(total)
  const places = new Uint32Array(total)
  piece = 0
  for (const [nth, { block }] of opened.entries()) {
    for (let place = 0; place < block.ids.length; place++) {
      const actor = actorsOfPieces[piece++] ?? 0
      const to = next[actor] ?? 0
      next[actor] = to + 1
      blocks[to] = nth
      places[to] = place
    }
  }
  return { blocks, places, starts }
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
  pieces: readonly { readonly from: Opened; readonly place: number }[],
  take: (length: number) => Float64Array,
): Float64Array {
  let events = 0
  for (const { from, place } of pieces) events += from.block.ids[place]?.events ?? 0
  const numbers = take(events * EVENT_NUMBERS)
  let to = 0
  let isInOrder = true
  let lastUs = -Infinity
  for (const { from, place } of pieces) {
    const { block, members, items, bits } = from
    const own = block.ids[place]
    if (own === undefined) continue
    const reader = new ByteReader(block.bytes, own.at)
    let us = 0
    let session = 0
    let set = 0
    for (let nth = 0; nth < own.events; nth++) {
      us += reader.signed()
      isInOrder &&= us >= lastUs
      lastUs = us
      const shape = reader.number()
      if (shape % 2 === 1) {
        const number = reader.number()
        session = number === 0 ? 0 : (block.sessions[number - 1] ?? 0)
        set = members + reader.number()
      }
      const item = reader.number()
      numbers[to] = us
      numbers[to + 1] = session
      numbers[to + 2] = bits[shape >> 1] ?? 0
      numbers[to + 3] = set
      numbers[to + 4] = item === 0 ? 0 : (items[item - 1] ?? 0)
      to += EVENT_NUMBERS
    }
  }
  return isInOrder ? numbers : sorted(numbers)
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
