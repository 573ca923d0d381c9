/** The offsets of a zone as a list, for what cannot ask the runtime. */
import { changeBetween, type Zone } from './zone.ts'

/** Before and after these the offsets are those at them: stores know few others. */
const FROM_MS = Date.UTC(1970, 0, 3)
const TO_MS = Date.UTC(2099, 11, 30)
/** Offsets change at most once within it. */
const STEP_MS = 20 * 86_400_000

/** Local time less UTC, in milliseconds, of the years 1970 to 2099; of others that of the nearest. */
export function offsetWithin(zone: Zone, ms: number): number {
  return zone.offsetAt(Math.min(Math.max(ms, FROM_MS), TO_MS))
}

export type WallChanges = {
  /** Faces of clocks, in milliseconds, in their order. */
  readonly walls: readonly number[]
  /** Offset before the first of them, and from each on: one more. */
  readonly offsets: readonly number[]
}

/**
 * The offset of the first instant at which a clock shows a face; where none does, that of before.
 * Worked out once for a zone.
 */
export function wallChanges(zone: Zone): WallChanges {
  const known = found.get(zone)
  if (known !== undefined) return known
  const walls: number[] = []
  const offsets = [zone.offsetAt(FROM_MS)]
  let offset = zone.offsetAt(FROM_MS)
  for (let from = FROM_MS; from < TO_MS; from += STEP_MS) {
    const to = Math.min(from + STEP_MS, TO_MS)
    const next = zone.offsetAt(to)
    if (next === offset) continue
    const change = changeBetween((ms) => zone.offsetAt(ms), from, to)
    walls.push(change + Math.max(offset, next))
    offsets.push(next)
    offset = next
  }
  const changes = { walls, offsets }
  found.set(zone, changes)
  return changes
}

const found = new WeakMap<Zone, WallChanges>()
