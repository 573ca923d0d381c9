/** The offsets of a zone as a list, for code that cannot use the runtime's zones. */
import { changeBetween, type Zone } from './zone.ts'

/** Before and after these the offsets are those at them: stores know few others. */
const FROM_MS = Date.UTC(1970, 0, 3)
const TO_MS = Date.UTC(2099, 11, 30)
/** Time within which no zone has changed its offset twice. */
const STEP_MS = 14 * 86_400_000

/** The first instant, in milliseconds since the epoch, with an offset: local time less UTC. */
export type ZoneChange = { readonly ms: number; readonly offsetMs: number }

/** The changes of a zone after `fromMs` and until `untilMs`, ascending. */
export function changesOf(
  { offsetAt }: Zone,
  fromMs: number,
  untilMs: number,
): readonly ZoneChange[] {
  const changes: ZoneChange[] = []
  for (let from = fromMs; from < untilMs; from += STEP_MS) {
    const until = Math.min(from + STEP_MS, untilMs)
    const offsetMs = offsetAt(until)
    if (offsetAt(from) === offsetMs) continue
    changes.push({ ms: changeBetween(offsetAt, from, until), offsetMs })
  }
  return changes
}

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
  const listed = changesOf(zone, FROM_MS, TO_MS)
  const offsets = [zone.offsetAt(FROM_MS), ...listed.map(({ offsetMs }) => offsetMs)]
  const walls = listed.map(
    ({ ms, offsetMs }, place) => ms + Math.max(offsets[place] ?? 0, offsetMs),
  )
  const changes = { walls, offsets }
  found.set(zone, changes)
  return changes
}

const found = new WeakMap<Zone, WallChanges>()
