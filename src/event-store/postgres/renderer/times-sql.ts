/** Operations on times. */

import type { Applied, Dialect } from '../../../events/trees/expression.ts'
import {
  type LocalTime,
  type OffsetSteps,
  offsetsOfInstants,
  offsetsOfWalls,
} from '../../../events/trees/local-time.ts'
import type { TimeUnit, ValueType } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'

export const TIMES_SQL = {
  start_of: ([time], { unit, local }) =>
    local === undefined
      ? fragment`(${localStart(unit, time)} at time zone 'UTC')`
      : startIn(local, unit, time),
  difference: ([from, to], { unit, local }) =>
    local === undefined
      ? difference(unit, [localStart(unit, from), localStart(unit, to)])
      : difference(unit, [wallStartIn(local, unit, from), wallStartIn(local, unit, to)]),
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

/** Start of a unit, as UTC without a zone. Weeks begin on Mondays. */
function localStart(unit: TimeUnit, time: Fragment): Fragment {
  return fragment`date_trunc(${unit}, ${time} at time zone 'UTC')`
}

/** Units that are cut by time, not by the calendar: clocks that are moved do not join two of them. */
function isOfClock(unit: TimeUnit): boolean {
  return unit === 'second' || unit === 'minute' || unit === 'hour'
}

/**
 * The beginning of a unit of local time, as an instant. `offset 0` has the time and what the wall
 * clock shows worked out once: written out, they would double the statement at each level.
 */
function startIn(local: LocalTime, unit: TimeUnit, time: Fragment): Fragment {
  if (isOfClock(unit)) {
    const start = fragment`w.at - (w.wall - date_trunc(${unit}, w.wall))`
    return fragment`(select ${cut(fragment`c.start`)}
      from (select ${start} as start from ${wallIn(local, time)} w offset 0) c)`
  }
  const shift = shiftAt(offsetsOfWalls(local), fragment`s.wall at time zone 'UTC'`)
  return fragment`(select ${cut(fragment`c.start`)} from (select (s.wall - ${shift}) at time zone 'UTC' as start from (
    select ${wallStart(local, unit)} as wall from ${wallIn(local, time)} w offset 0) s offset 0) c)`
}

/** Nothing older than the year 0 is stored: a unit that began before is cut. */
function cut(start: Fragment): Fragment {
  const oldest = fragment`timestamptz '0001-01-01 00:00:00+00 BC'`
  return fragment`case when ${start} < ${oldest} then ${oldest} else ${start} end`
}

/** Units that are counted between two times: see `difference`. */
function wallStartIn(local: LocalTime, unit: TimeUnit, time: Fragment): Fragment {
  if (isOfClock(unit)) return fragment`(${startIn(local, unit, time)} at time zone 'UTC')`
  return fragment`(select ${wallStart(local, unit)} from ${wallIn(local, time)} w)`
}

/** Start of a unit, over `w.wall`. */
function wallStart({ weekStartDay }: LocalTime, unit: TimeUnit): Fragment {
  if (unit !== 'week' || weekStartDay === undefined) return fragment`date_trunc(${unit}, w.wall)`
  const day = fragment`interval '1 day'`
  return fragment`date_trunc('week', w.wall + ${day}) - ${day}`
}

/** A time as `at`, and what the wall clock shows then as `wall`. */
function wallIn(local: LocalTime, time: Fragment): Fragment {
  const shift = shiftAt(offsetsOfInstants(local), fragment`t.at`)
  return fragment`(select t.at, (t.at at time zone 'UTC') + ${shift} as wall
    from (select ${time} as at offset 0) t offset 0)`
}

function shiftAt({ boundsMs, seconds }: OffsetSteps, at: Fragment): Fragment {
  const bounds = boundsMs.map((ms) => new Date(ms).toISOString()).join()
  const place = fragment`width_bucket(${at}, (select ${`{${bounds}}`}::timestamptz[]))`
  return fragment`(select ${`{${seconds.join()}}`}::integer[])[${place} + 1] * interval '1 second'`
}

/** Seconds of the units that have a fixed length. */
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 } as const

/**
 * Average seconds of the units that are made of months, as Postgres counts them in an interval:
 * years of 365.25 days and twelve months, months beyond whole years of 30 days. A whole number of
 * units, divided by its average, is less than half a unit off.
 */
const AVERAGE_SECONDS = { month: 2_629_800, quarter: 7_889_400, year: 31_557_600 } as const

/**
 * How many units begin between two times; negative when the second is before the first.
 * @param starts of the units that they are in.
 */
function difference(unit: TimeUnit, [start, end]: readonly [Fragment, Fragment]): Fragment {
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    const seconds = String(AVERAGE_SECONDS[unit])
    return fragment`round(extract(epoch from age(${end}, ${start}))::numeric / ${seconds}::numeric)`
  }
  const seconds = String(SECONDS[unit])
  return fragment`round(extract(epoch from ${end} - ${start})::numeric / ${seconds}::numeric)`
}

/** Types of the tables of operations. */
export type Postgres = Dialect<Fragment>

/** The type of the first argument, which is that of all that are alike. */
export function firstType({ args }: Applied): ValueType | undefined {
  return args[0]?.type
}
