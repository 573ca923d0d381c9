/** The local time of a zone as a store takes it. */

import { changeBetween, UTC, type Zone } from '../../../core/time/zone.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import type { LocalTime } from '../../../events/trees/local-time.ts'

/** Changes are looked for between these years: most events are, and most zones had none before. */
const FIRST_MS = Date.UTC(1970, 0, 1)
const LAST_MS = Date.UTC(2050, 0, 1)
/** No zone has changed its offset twice within so long. */
const STEP_MS = 14 * DAY_MS
const ZONES_MAX = 100

const known = new Map<string, LocalTime>()

/** Undefined for UTC. Before 1970 and after 2049 the offset is the one of these years. */
export function localTimeOf(zone: Zone): LocalTime | undefined {
  if (zone.name === UTC.name) return undefined
  const found = known.get(zone.name)
  if (found !== undefined) return found
  if (known.size >= ZONES_MAX) known.clear()
  const local = changesOf(zone)
  known.set(zone.name, local)
  return local
}

function changesOf({ offsetAt }: Zone): LocalTime {
  const secondsAt = (ms: number) => offsetAt(ms) / 1_000
  const changes: { ms: number; seconds: number }[] = []
  for (let from = FIRST_MS; from < LAST_MS; from += STEP_MS) {
    const until = from + STEP_MS
    if (offsetAt(from) === offsetAt(until)) continue
    changes.push({ ms: changeBetween(offsetAt, from, until), seconds: secondsAt(until) })
  }
  return { first: secondsAt(FIRST_MS), changes }
}
