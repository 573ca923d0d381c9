/** Puts the members of an object, which are written already, into the order that `jsonb` has. */
import type { ByteSink } from '../bytes/byte-sink.ts'

/** Place of a member in the output. Its key is between a quote at `from` and another at `keyTo`. */
export type Member = {
  readonly from: number
  readonly keyTo: number
  /** Behind its value. */
  readonly to: number
  /** The decoded key, when it differs from the text between its quotes. */
  readonly decoded: Uint8Array | undefined
}

export type KeyOrder = {
  /**
   * Orders members by the lengths of their keys and then by their bytes; of equal keys the last one
   * stays.
   * @param start place of the first one; the last one ends where the sink does. Two bytes separate
   * neighbours.
   */
  apply(sink: ByteSink, start: number, members: readonly Member[]): void
}

/** Objects with more members are sorted each time. */
const REMEMBERED_MAX = 256
/** Longer members are copied by the platform, which takes a while to begin. */
const LOOP_BYTES_MAX = 64
const COMMA = 0x2c
const SPACE = 0x20

/**
 * Remembers the last order for each number of members: events of one library have the same keys in
 * the same order, and checking an order is faster than finding it.
 */
export function createKeyOrder(): KeyOrder {
  const known: number[][] = []
  return {
    apply(sink, start, members) {
      const { length } = members
      if (length < 2) return
      let order = known[length]
      if (order === undefined || !isAscending(sink.bytes, members, order)) {
        order = orderOf(sink.bytes, members)
        if (order.length === length && length <= REMEMBERED_MAX) known[length] = order
      }
      if (order.length < length || !isInPlace(order)) rewrite(sink, start, members, order)
    },
  }
}

/** Copies all behind the sink's end, and from there one after another to where they belong. */
function rewrite(
  sink: ByteSink,
  start: number,
  members: readonly Member[],
  order: readonly number[],
): void {
  const written = sink.length - start
  sink.reserve(written)
  const { bytes } = sink
  bytes.copyWithin(sink.length, start, sink.length)
  let at = start
  for (const place of order) {
    const member = members[place]
    if (member === undefined) continue
    if (at > start) {
      bytes[at++] = COMMA
      bytes[at++] = SPACE
    }
    at = copy(bytes, at, member.from + written, member.to + written)
  }
  sink.length = at
}

function isInPlace(order: readonly number[]): boolean {
  for (let nth = 0; nth < order.length; nth++) if (order[nth] !== nth) return false
  return true
}

function isAscending(bytes: Uint8Array, members: readonly Member[], order: readonly number[]) {
  let before: Member | undefined
  for (const place of order) {
    const member = members[place]
    if (before !== undefined && member !== undefined && compare(bytes, before, member) >= 0) {
      return false
    }
    before = member
  }
  return true
}

/** Places of the members that stay, in their order. */
function orderOf(bytes: Uint8Array, members: readonly Member[]): number[] {
  // Stable sort: the last one of equal keys stays last.
  const all = [...members.entries()].sort(([, one], [, other]) => compare(bytes, one, other))
  const order: number[] = []
  for (const [nth, [place, member]] of all.entries()) {
    const [, next] = all[nth + 1] ?? []
    if (next === undefined || compare(bytes, member, next) !== 0) order.push(place)
  }
  return order
}

function compare(bytes: Uint8Array, one: Member, other: Member): number {
  const a = one.decoded ?? bytes
  const b = other.decoded ?? bytes
  const aFrom = one.decoded === undefined ? one.from + 1 : 0
  const bFrom = other.decoded === undefined ? other.from + 1 : 0
  const length = one.decoded?.length ?? one.keyTo - aFrom
  const otherLength = other.decoded?.length ?? other.keyTo - bFrom
  if (length !== otherLength) return length - otherLength
  for (let place = 0; place < length; place++) {
    const difference = (a[aFrom + place] ?? 0) - (b[bFrom + place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** @returns the place behind the copy. */
function copy(bytes: Buffer, start: number, from: number, to: number): number {
  if (to - from > LOOP_BYTES_MAX) bytes.copyWithin(start, from, to)
  else {
    for (let place = from; place < to; place++) bytes[start + place - from] = bytes[place] ?? 0
  }
  return start + to - from
}
