/** Operations on times, which are microseconds since 1970. */
import {
  type LocalTime,
  type OffsetSteps,
  offsetsOfInstants,
  offsetsOfWalls,
} from '../../../events/trees/local-time.ts'
import type { TimeUnit } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment, wholeNumbers } from '../../../postgres/fragment.ts'
import { bind, type ClickHouse, integer, written } from './written.ts'

/**
 * Days and months of any year. The date functions of ClickHouse end with the years 1900 and 2299,
 * so these are sums: days count from 1970-01-01, months from January of the year 0.
 */

/**
 * Signed, because ClickHouse reads a negative number beside an unsigned one as a very large one.
 */
const DAY_MICROS = fragment`toInt64(86400000000)`

/** Rounds down, where `intDiv` rounds towards zero. */
function floorDiv(value: Fragment, by: Fragment): Fragment {
  return bind(fragment`n`, [value], fragment`intDiv(n - positiveModulo(n, ${by}), ${by})`)
}

function dayOfMicros(micros: Fragment): Fragment {
  return floorDiv(micros, DAY_MICROS)
}

/** `[month, day of the month]` of a day: as many months as lie before it, and from 1 on. */
export function monthAndDay(day: Fragment): Fragment {
  // Years begin with March, so that February is the last month; 400 of them are an era.
  const ofYear = fragment`c - intDiv(c, 1460) + intDiv(c, 36524) - intDiv(c, 146096)`
  const dayOfYear = fragment`c - (365 * y + intDiv(y, 4) - intDiv(y, 100))`
  const month = fragment`intDiv(5 * o + 2, 153)`
  const result = bind(
    fragment`o`,
    [dayOfYear],
    fragment`[intDiv(z - c, 146097) * 4800 + y * 12 + ${month} + 2,
      o - intDiv(153 * ${month} + 2, 5) + 1]`,
  )
  const inYear = bind(fragment`y`, [fragment`intDiv(${ofYear}, 365)`], result)
  const inEra = bind(fragment`c`, [fragment`positiveModulo(z, 146097)`], inYear)
  return bind(fragment`z`, [fragment`${day} + 719468`], inEra)
}

/** Months before the one of a day. */
function monthOfDay(day: Fragment): Fragment {
  return fragment`arrayElement(${monthAndDay(day)}, 1)`
}

/** The day that a month begins on. */
export function firstDayOf(month: Fragment): Fragment {
  // `k` is the month in years that begin with March.
  const ofEra = fragment`intDiv(c, 12) * 365 + intDiv(intDiv(c, 12), 4) - intDiv(intDiv(c, 12), 100)
    + intDiv(153 * (c % 12) + 2, 5)`
  const day = bind(
    fragment`c`,
    [fragment`positiveModulo(k, 4800)`],
    fragment`intDiv(k - c, 4800) * 146097 + ${ofEra} - 719468`,
  )
  return bind(fragment`k`, [fragment`${month} - 2`], day)
}

export const TIMES = {
  start_of: ([time], { unit, local }) =>
    written(local === undefined ? startOf(unit, time.sql) : startIn(local, unit, time.sql)),
  difference: ([from, to], { unit, local }) => {
    const units = (time: Fragment) =>
      local === undefined
        ? unitsUpTo(unit, time)
        : unitsUpTo(unit, wallIn(local, unit, time), weekShift(local))
    return integer(fragment`(${units(to.sql)} - ${units(from.sql)})`)
  },
} satisfies Partial<ClickHouse>

const MICROS = {
  second: fragment`toInt64(1000000)`,
  minute: fragment`toInt64(60000000)`,
  hour: fragment`toInt64(3600000000)`,
} as const
const MONTHS = { month: fragment`1`, quarter: fragment`3`, year: fragment`12` } as const

/** Days between a week's first day and 1970, which began on a Thursday. */
const SINCE_MONDAY = fragment`3`
const SINCE_SUNDAY = fragment`4`

function weekShift({ weekStartDay }: LocalTime): Fragment {
  return weekStartDay === 0 ? SINCE_SUNDAY : SINCE_MONDAY
}

/** How many of a unit begin before a time, from some fixed one on. */
function unitsUpTo(unit: TimeUnit, time: Fragment, since = SINCE_MONDAY): Fragment {
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return floorDiv(time, MICROS[unit])
    case 'day':
      return dayOfMicros(time)
    case 'week':
      return floorDiv(fragment`${dayOfMicros(time)} + ${since}`, fragment`7`)
    case 'month':
    case 'quarter':
    case 'year':
      return floorDiv(monthOfDay(dayOfMicros(time)), MONTHS[unit])
    default:
      return unit satisfies never
  }
}

function startOf(unit: TimeUnit, time: Fragment, since = SINCE_MONDAY): Fragment {
  const units = unitsUpTo(unit, time, since)
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return fragment`(${units} * ${MICROS[unit]})`
    case 'day':
      return fragment`(${units} * ${DAY_MICROS})`
    case 'week':
      return fragment`((${units} * 7 - ${since}) * ${DAY_MICROS})`
    case 'month':
    case 'quarter':
    case 'year':
      return fragment`(${firstDayOf(fragment`${units} * ${MONTHS[unit]}`)} * ${DAY_MICROS})`
    default:
      return unit satisfies never
  }
}

/** Units that are cut by time, not by the calendar: clocks that are moved do not join two of them. */
function isOfClock(unit: TimeUnit): boolean {
  return unit === 'second' || unit === 'minute' || unit === 'hour'
}

/** The beginning of a unit of local time, as an instant. */
function startIn(local: LocalTime, unit: TimeUnit, time: Fragment): Fragment {
  const t = fragment`t`
  const w = fragment`w`
  const s = fragment`s`
  const wall = fragment`t + ${shiftAt(offsetsOfInstants(local), t)}`
  if (isOfClock(unit)) {
    return bind(t, [time], bind(w, [wall], cut(fragment`t - (w - ${startOf(unit, w)})`)))
  }
  const shift = shiftAt(offsetsOfWalls(local), s)
  const start = bind(s, [startOf(unit, w, weekShift(local))], cut(fragment`s - ${shift}`))
  return bind(t, [time], bind(w, [wall], start))
}

/** Nothing older than the year 0 is stored: a unit that began before is cut. */
function cut(start: Fragment): Fragment {
  const oldest = fragment`toInt64(-62167219200000000)`
  return bind(fragment`c`, [start], fragment`if(c < ${oldest}, ${oldest}, c)`)
}

/** Face of the wall clock, of which units are counted: of those of the clock their beginning. */
function wallIn(local: LocalTime, unit: TimeUnit, time: Fragment): Fragment {
  if (isOfClock(unit)) return startIn(local, unit, time)
  const t = fragment`t`
  return bind(t, [time], fragment`t + ${shiftAt(offsetsOfInstants(local), t)}`)
}

/** @param at microseconds, a name that is bound. */
function shiftAt({ boundsMs, seconds }: OffsetSteps, at: Fragment): Fragment {
  const shifts = seconds.map((each) => BigInt(each) * 1_000_000n)
  const [first = 0n, ...others] = shifts
  const [from] = boundsMs
  if (from === undefined) return fragment`toInt64(${wholeNumbers([first])})`
  const bounds = fragment`[${wholeNumbers(boundsMs.map((ms) => BigInt(ms) * 1_000n))}]`
  const found = fragment`transform(roundDown(${at}, ${bounds}), ${bounds}, [${wholeNumbers(others)}],
    ${wholeNumbers([first])})`
  return fragment`toInt64(if(${at} < ${wholeNumbers([BigInt(from) * 1_000n])},
    ${wholeNumbers([first])}, ${found}))`
}

/** ISO 8601 with `+00:00`, without a fraction of zero. Years 0 to 9999. */
export function timeText(micros: Fragment): Fragment {
  const padded = (value: Fragment, digits: Fragment) =>
    fragment`leftPad(toString(${value}), ${digits}, '0')`
  const two = fragment`2`
  const clock = (unit: Fragment, of: Fragment) =>
    padded(fragment`intDiv(positiveModulo(u, ${of}), ${unit})`, two)
  // Rounding may lead into the year 10000.
  const year = fragment`if(m[1] < 120000, ${padded(fragment`intDiv(m[1], 12)`, fragment`4`)}, '10000')`
  const date = bind(
    fragment`m`,
    [monthAndDay(dayOfMicros(fragment`u`))],
    fragment`concat(${year}, '-',
      ${padded(fragment`m[1] % 12 + 1`, two)}, '-', ${padded(fragment`m[2]`, two)})`,
  )
  const fraction = fragment`positiveModulo(u, 1000000)`
  const text = fragment`concat(${date}, 'T', ${clock(MICROS.hour, DAY_MICROS)},
    ':', ${clock(MICROS.minute, MICROS.hour)}, ':', ${clock(MICROS.second, MICROS.minute)},
    if(${fraction} = 0, '', concat('.', ${padded(fraction, fragment`6`)})), '+00:00')`
  return bind(fragment`u`, [micros], text)
}
