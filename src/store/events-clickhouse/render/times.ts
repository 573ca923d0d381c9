/** Operations on times, which are microseconds since 1970. */
import type { TimeUnit } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment } from '../../pool/fragment.ts'
import {
  DAY_MICROS,
  dayOfMicros,
  firstDayOf,
  floorDiv,
  monthAndDay,
  monthOfDay,
} from './calendar.ts'
import { bind, type ClickHouse, integer, written } from './written.ts'

export const TIMES = {
  start_of: ([time], { unit }) => written(startOf(unit, time.sql)),
  difference: ([from, to], { unit }) =>
    integer(fragment`(${unitsUpTo(unit, to.sql)} - ${unitsUpTo(unit, from.sql)})`),
} satisfies Partial<ClickHouse>

const MICROS = {
  second: fragment`toInt64(1000000)`,
  minute: fragment`toInt64(60000000)`,
  hour: fragment`toInt64(3600000000)`,
} as const
const MONTHS = { month: fragment`1`, quarter: fragment`3`, year: fragment`12` } as const

/** How many of a unit begin before a time, from some fixed one on. Weeks begin on Mondays. */
function unitsUpTo(unit: TimeUnit, time: Fragment): Fragment {
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return floorDiv(time, MICROS[unit])
    case 'day':
      return dayOfMicros(time)
    case 'week':
      // 1970 began on a Thursday.
      return floorDiv(fragment`${dayOfMicros(time)} + 3`, fragment`7`)
    case 'month':
    case 'quarter':
    case 'year':
      return floorDiv(monthOfDay(dayOfMicros(time)), MONTHS[unit])
    default:
      return unit satisfies never
  }
}

function startOf(unit: TimeUnit, time: Fragment): Fragment {
  const units = unitsUpTo(unit, time)
  switch (unit) {
    case 'second':
    case 'minute':
    case 'hour':
      return fragment`(${units} * ${MICROS[unit]})`
    case 'day':
      return fragment`(${units} * ${DAY_MICROS})`
    case 'week':
      return fragment`((${units} * 7 - 3) * ${DAY_MICROS})`
    case 'month':
    case 'quarter':
    case 'year':
      return fragment`(${firstDayOf(fragment`${units} * ${MONTHS[unit]}`)} * ${DAY_MICROS})`
    default:
      return unit satisfies never
  }
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
