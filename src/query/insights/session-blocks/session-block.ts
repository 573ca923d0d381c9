/** Block of the events of one day that sessions are made of: written, and opened again. */
import { yieldToEventLoop } from '../../../core/clock.ts'
import { type Json, listOf } from '../../../core/json.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { INSIGHT_EVENTS_OF_TURN } from '../../../core/limits/limits-query.ts'
import type { SessionEvents, SessionMember } from '../../../event-store/session-events.ts'
import {
  BITS,
  EVENT_NUMBERS,
  ID,
  ITEM,
  MEMBERS,
  ROLE_BITS_FROM,
} from '../../../events/sessions/fold-sessions.ts'
import { MEMBER_GROUPS, membersOfEvents } from '../sessions/session-properties.ts'
import { ByteReader, ByteWriter } from './byte-lists.ts'

/** Raised when blocks are written differently: older ones are made again. */
export const BLOCK_FORMAT = 3

/** Members of the events of a block, in the order of their groups. */
export const BLOCK_MEMBERS = membersOfEvents(MEMBER_GROUPS.flat())
const NAME: SessionMember = { properties: [], isName: true }
/** Members that a block is written from. */
export const WRITTEN_MEMBERS = [...BLOCK_MEMBERS, NAME]

/** Texts of one group of members; null for none. */
export type MemberTuple = readonly (string | null)[]

/** Events of one day, whose distinct ids are in order of code points. */
export type SessionBlock = {
  /** Names of events. */
  readonly names: readonly string[]
  /** Different events: the place of a name, and the bits of roles, one after the other. */
  readonly shapes: Uint32Array
  /** Tuples of each group. */
  readonly groups: readonly (readonly MemberTuple[])[]
  /** Members of events: the place of a tuple for each group, one after the other. */
  readonly members: Uint32Array
  /** Number `n` of an event's item is the one at `n - 1`. */
  readonly items: readonly string[]
  /** Numbers of session ids; number `n` of an event's session is the one at `n - 1`. */
  readonly sessions: Float64Array
  /** Numbers of distinct ids, of which each has some events. */
  readonly ids: Float64Array
  readonly counts: Uint32Array
  /** Places of the first events of the ids in the bytes. */
  readonly starts: Uint32Array
  /**
   * Events of all ids. Each has its microseconds after the one before of its id (signed), its shape
   * doubled, plus one if its session and members differ from those of the one before, the numbers
   * of these two then, and its item.
   */
  readonly bytes: Buffer
}

/** Other work gets its turn in between. @param read events by distinct id, with `WRITTEN_MEMBERS`. */
export async function writeBlock({ actors, members, items }: SessionEvents): Promise<Buffer> {
  const groups = MEMBER_GROUPS.map(() => new Places<string, MemberTuple>())
  const sets = new Places<string, readonly number[]>()
  const names = new Places<string, string>()
  const shapes = new Places<string, readonly number[]>()
  const pages = new Places<number, string>()
  const sessions = new Places<number, number>()
  const ids: number[] = []
  const counts: number[] = []
  const steps: number[] = []
  let start = 0
  const events = new ByteWriter()
  const known = new Map<number, Described>()
  const describe = (number: number): Described => {
    const old = known.get(number)
    if (old !== undefined) return old
    const texts = members.get(number) ?? []
    const tuples = tuplesOf(texts)
    const name = texts[BLOCK_MEMBERS.length] ?? ''
    const described = {
      set: sets.place(tuples.join(), () => tuples),
      name: names.place(name, () => name),
    }
    known.set(number, described)
    return described
  }
  const tuplesOf = (texts: MemberTuple) => {
    let from = 0
    return MEMBER_GROUPS.map((own, group) => {
      const tuple = own.map((_, place) => texts[from + place] ?? null)
      from += own.length
      return groups[group]?.place(JSON.stringify(tuple), () => tuple) ?? 0
    })
  }
  let ofTurn = 0
  for (const { id = 0, events: numbers } of actors) {
    ofTurn += numbers.length / EVENT_NUMBERS
    if (ofTurn > INSIGHT_EVENTS_OF_TURN) {
      ofTurn = 0
      await yieldToEventLoop()
    }
    ids.push(id)
    counts.push(numbers.length / EVENT_NUMBERS)
    steps.push(events.length - start)
    start = events.length
    let before = 0
    let sessionBefore = 0
    let setBefore = -1
    for (let place = 0; place < numbers.length; place += EVENT_NUMBERS) {
      const of = (member: number) => numbers[place + member] ?? 0
      const [at, session, item] = [of(0), of(ID), of(ITEM)]
      const { set, name } = describe(of(MEMBERS))
      const shape = [name, Math.floor(of(BITS) / 2 ** ROLE_BITS_FROM)]
      const isOther = session !== sessionBefore || set !== setBefore
      events.signed(at - before)
      events.number(shapes.place(shape.join(), () => shape) * 2 + (isOther ? 1 : 0))
      if (isOther) {
        events.number(session === 0 ? 0 : sessions.place(session, () => session) + 1)
        events.number(set)
      }
      events.number(item === 0 ? 0 : pages.place(item, () => items.get(item) ?? '') + 1)
      before = at
      sessionBefore = session
      setBefore = set
    }
  }
  const block = new ByteWriter()
  block.text(JSON.stringify([groups.map(({ values }) => values), pages.values, names.values]))
  block.numbers(shapes.values.flat())
  block.numbers(sets.values.flat())
  block.doubles(sessions.values)
  block.doubles(ids)
  block.numbers(counts)
  block.numbers(steps)
  block.bytes(events.written())
  return block.written()
}

/** Places of an event's members in a block. */
type Described = { readonly set: number; readonly name: number }

/** @param bytes of `writeBlock`. */
export function openBlock(bytes: Buffer): SessionBlock {
  const reader = new ByteReader(bytes)
  const [groups = null, items = null, names = null] = listOf(parseJson(reader.text()))
  const shapes = reader.numbers()
  const members = reader.numbers()
  const sessions = reader.doubles()
  const ids = reader.doubles()
  const counts = reader.numbers()
  const starts = reader.numbers()
  for (let place = 1; place < starts.length; place++) {
    starts[place] = (starts[place] ?? 0) + (starts[place - 1] ?? 0)
  }
  return {
    names: textsIn(names).map((text) => text ?? ''),
    shapes,
    groups: listOf(groups).map((tuples) => listOf(tuples).map(textsIn)),
    items: textsIn(items).map((text) => text ?? ''),
    members,
    sessions,
    ids,
    counts,
    starts,
    bytes: reader.rest(),
  }
}

function textsIn(list: Json): MemberTuple {
  return listOf(list).map((text) => (typeof text === 'string' ? text : null))
}

/** Different values in the order in which they were seen first. */
class Places<Key, Value> {
  readonly values: Value[] = []
  readonly #places = new Map<Key, number>()

  place(key: Key, value: () => Value): number {
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const place = this.values.push(value()) - 1
    this.#places.set(key, place)
    return place
  }
}
