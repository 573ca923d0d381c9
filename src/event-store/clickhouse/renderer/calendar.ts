/**
 * Days and months of any year. The date functions of ClickHouse end with the years 1900 and 2299,
 * so these are sums: days count from 1970-01-01, months from January of the year 0.
 */
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { bind } from './written.ts'

/**
 * Signed, because ClickHouse reads a negative number beside an unsigned one as a very large one.
 */
export const DAY_MICROS = fragment`toInt64(86400000000)`

/** Rounds down, where `intDiv` rounds towards zero. */
export function floorDiv(value: Fragment, by: Fragment): Fragment {
  return bind(fragment`n`, [value], fragment`intDiv(n - positiveModulo(n, ${by}), ${by})`)
}

export function dayOfMicros(micros: Fragment): Fragment {
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
export function monthOfDay(day: Fragment): Fragment {
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
