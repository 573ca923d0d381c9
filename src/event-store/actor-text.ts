/** Events of one actor as a statement returns them, and their decoding. */
import type { EventSelection } from './event-selection.ts'

/** Identity of an actor: a person, a distinct id without a person, or a group. */
export type ActorKey = {
  /** The number of its person. */
  readonly person: string | null
  /** Distinct id of an actor without a person; key of a group. */
  readonly lone: string | null
  /** Index of its type when it is a group. */
  readonly group?: number | null
}

/** Events of one actor, as pairs of numbers: see `pairsOf`. */
export type ActorText = {
  readonly pairs: string
  /** Number of actors with these pairs, when actors are not named; 1 if missing. */
  readonly actors?: number
  /** Packed form in place of the pairs: bytes of each number, or the numbers. */
  readonly bytes?: Buffer
  readonly items?: Float64Array
  readonly packing?: Packing
  /** Identity of the actor, where it was asked for. */
  readonly person?: ActorKey['person']
  readonly lone?: ActorKey['lone']
}

/** Each event as a number: microseconds since `fromUs`, and behind them `bits` bits. */
export type Packing = { readonly fromUs: number; readonly bits: number }

/** Bytes of such a number, the highest byte first. */
export const ITEM_BYTES = 8

/** Postgres has seconds as doubles: for longer, they would lose microseconds. */
const PACKED_SPAN_US_MAX = 2_000_000_000_000_000

/** Undefined where the numbers would be too large to be exact. */
export function packingOf({ after, before }: EventSelection, bits: number): Packing | undefined {
  if (after === undefined) return undefined
  const fromUs = Number(after)
  const untilUs = Number(before)
  const span = untilUs - fromUs
  const isExact = Number.isSafeInteger(fromUs) && span * 2 ** bits <= Number.MAX_SAFE_INTEGER
  return isExact && span <= PACKED_SPAN_US_MAX ? { fromUs, bits } : undefined
}

/** Microseconds since the epoch, the bits of roles, the place of the value or 0. */
export type ActorEvent = { readonly at: number; readonly mask: number; readonly value: number }

/** Events in order of time. */
export function eventsOf(actor: ActorText): readonly ActorEvent[] {
  const packed = packedOf(actor)
  if (packed !== undefined) return unpacked(packed)
  return actor.pairs.split(' ').map((item) => {
    const [at, mask, value = '0'] = item.split(':')
    return { at: Number(at), mask: Number(mask), value: Number(value) }
  })
}

/** Events as numbers, ascending: by time first, which the bits are behind. */
export type PackedEvents = { readonly items: Float64Array; readonly packing: Packing }

/** Packed events; undefined for pairs. Without a breakdown only: all values are 0. */
export function packedOf({ bytes, items, packing }: ActorText): PackedEvents | undefined {
  if (packing === undefined) return undefined
  const numbers = items ?? (bytes && numbersIn(bytes))
  return numbers && { items: inOrder(numbers), packing }
}

function numbersIn(bytes: Buffer): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const items = new Float64Array(bytes.length / ITEM_BYTES)
  for (let place = 0; place < items.length; place++) {
    const at = place * ITEM_BYTES
    items[place] = view.getUint32(at) * 0x1_0000_0000 + view.getUint32(at + 4)
  }
  return items
}

const FEW = 40

/** Sorts the same array. Most actors have few events, which are almost in order already. */
function inOrder(items: Float64Array): Float64Array {
  if (items.length > FEW) return items.sort()
  for (let next = 1; next < items.length; next++) {
    const item = items[next] ?? 0
    let place = next
    for (; place > 0 && (items[place - 1] ?? 0) > item; place--)
      items[place] = items[place - 1] ?? 0
    items[place] = item
  }
  return items
}

function unpacked({ items, packing: { fromUs, bits } }: PackedEvents): readonly ActorEvent[] {
  const unit = 2 ** bits
  const events: ActorEvent[] = []
  for (const item of items) {
    const us = Math.floor(item / unit)
    events.push({ at: fromUs + us, mask: item - us * unit, value: 0 })
  }
  return events
}

/** Each pair: microseconds since the epoch or a bucket, and the bits of roles. */
export function pairsOf({ pairs }: ActorText): readonly (readonly [number, number])[] {
  return pairs.split(' ').map((item) => {
    const colon = item.indexOf(':')
    return [Number(item.slice(0, colon)), Number(item.slice(colon + 1))] as const
  })
}
