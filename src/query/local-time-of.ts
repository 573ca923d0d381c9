/** The local time of a zone as a store takes it. */

import { UTC, type Zone } from '../core/time/zone.ts'
import { changesOf } from '../core/time/zone-changes.ts'
import type { LocalTime } from '../events/trees/local-time.ts'

/** Changes are looked for between these years: most events are, and most zones had none before. */
const FIRST_MS = Date.UTC(1970, 0, 1)
const LAST_MS = Date.UTC(2050, 0, 1)
const ZONES_MAX = 100

const known = new Map<string, LocalTime>()

/** Undefined for UTC with weeks that begin on Monday. Before 1970 and after 2049 the offset is the one of these years. */
export function localTimeOf(zone: Zone): LocalTime | undefined {
  if (zone.name === UTC.name && zone.weekStartDay === 1) return undefined
  const key = `${zone.name} ${zone.weekStartDay}`
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= ZONES_MAX) known.clear()
  const local = listedOf(zone)
  known.set(key, local)
  return local
}

function listedOf(zone: Zone): LocalTime {
  const changes = changesOf(zone, FIRST_MS, LAST_MS)
  return {
    ...(zone.weekStartDay === 0 && { weekStartDay: 0 }),
    first: zone.offsetAt(FIRST_MS) / 1_000,
    changes: changes.map(({ ms, offsetMs }) => ({ ms, seconds: offsetMs / 1_000 })),
  }
}
