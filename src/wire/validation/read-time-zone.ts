/** Reads the name of a time zone as people and browsers have it. */
import { TIME_ZONE_ALIASES } from './time-zone-aliases.ts'
import { TIME_ZONES } from './time-zones.ts'

/** Shorter texts are near to too many names, longer ones are no misspelled name. */
const NAME_LENGTH_MIN = 5
const NAME_LENGTH_MAX = 40
/** Letters that may be wrong, missing or too many for a suggestion. */
const SLIPS_MAX = 2
/** Zones whose clock no listed zone has, since nobody lives there, with the nearest one. */
const WITHOUT_EQUAL: ReadonlyMap<string, string> = new Map([['etc/gmt+12', 'Pacific/Pago_Pago']])

const LISTED: ReadonlyMap<string, string> = new Map([
  ...[...TIME_ZONE_ALIASES].map(([alias, listed]) => [alias.toLowerCase(), listed] as const),
  ...[...TIME_ZONES].map((name) => [name.toLowerCase(), name] as const),
])

/** The listed name of a zone, for any of its names in whatever case; else undefined. */
export function readTimeZone(text: string): string | undefined {
  return LISTED.get(text.toLowerCase())
}

/** The listed name that a text which `readTimeZone` does not know may mean. */
export function suggestTimeZone(text: string): string | undefined {
  if (text.length < NAME_LENGTH_MIN || text.length > NAME_LENGTH_MAX) return undefined
  const name = text.trim().toLowerCase().replaceAll(' ', '_')
  const near = WITHOUT_EQUAL.get(name) ?? LISTED.get(name)
  if (near !== undefined) return near
  const city = cityOf(name)
  let best: string | undefined
  let bestSlips = SLIPS_MAX + 1
  for (const [known, listed] of LISTED) {
    if (cityOf(known) === city) return listed
    const slips = slipsBetween(name, known)
    if (slips < bestSlips) {
      best = listed
      bestSlips = slips
    }
  }
  return best
}

function cityOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Edit distance: letters to change, add or remove to get from one text to another. */
function slipsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > SLIPS_MAX) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let of = 1; of <= other.length; of++) {
      const changed = (row[of - 1] ?? 0) + (one[at - 1] === other[of - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[of] ?? 0) + 1, (next[of - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
