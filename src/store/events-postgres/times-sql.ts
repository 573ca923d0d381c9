/** Operations on times. */
import type { TimeUnit } from '../../events/trees/value-type.ts'
import { type Fragment, fragment } from '../pool/fragment.ts'
import type { Postgres } from './postgres.ts'

export const TIMES_SQL = {
  start_of: ([time], { unit }) => fragment`(${localStart(unit, time)} at time zone 'UTC')`,
  difference: ([from, to], { unit }) => difference(unit, from, to),
} satisfies Partial<Postgres>

/**
 * ISO 8601 with `+00:00`, without a fraction of zero. Postgres calls the year 0000 "1 BC"; nothing
 * older is stored.
 */
export function timeText(time: Fragment): Fragment {
  const dated = fragment`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US AD')`
  const plain = fragment`replace(replace(${dated}, '.000000 AD', '+00:00'), ' AD', '+00:00')`
  return fragment`regexp_replace(${plain}, '^0001(.*?)([.]000000)? BC$', '0000\\1+00:00')`
}

/** Without its zone, which is UTC. Weeks begin on Mondays. */
function localStart(unit: TimeUnit, time: Fragment): Fragment {
  return fragment`date_trunc(${unit}, ${time} at time zone 'UTC')`
}

/** Seconds of the units that have a fixed length. */
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 } as const

/**
 * Average seconds of the units that are made of months, as Postgres counts them in an interval:
 * years of 365.25 days and twelve months, months beyond whole years of 30 days. A whole number of
 * units, divided by its average, is less than half a unit off.
 */
const AVERAGE_SECONDS = { month: 2_629_800, quarter: 7_889_400, year: 31_557_600 } as const

/** How many units begin between two times; negative when `to` is before `from`. */
function difference(unit: TimeUnit, from: Fragment, to: Fragment): Fragment {
  const [start, end] = [localStart(unit, from), localStart(unit, to)]
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    const seconds = String(AVERAGE_SECONDS[unit])
    return fragment`round(extract(epoch from age(${end}, ${start}))::numeric / ${seconds}::numeric)`
  }
  const seconds = String(SECONDS[unit])
  return fragment`round(extract(epoch from ${end} - ${start})::numeric / ${seconds}::numeric)`
}
