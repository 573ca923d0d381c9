/** Moments and days as SQL. */
import { type Fragment, fragment } from '../../../postgres/fragment.ts'

const DAY_MICROS = 86_400_000_000n

/**
 * A moment in time, bound as numbers: Postgres reads no year 0000, and the driver would cut
 * microseconds. Days and the rest are separate, so that no product is rounded. The sum is over
 * `timestamp`, which is computed once per statement; with `timestamptz` it is computed for every
 * row.
 */
export function instant(micros: string): Fragment {
  const { days, rest } = daysAndRest(micros)
  return fragment`((timestamp 'epoch' + ${days}::integer * interval '1 day'
    + ${rest}::bigint * interval '1 microsecond') at time zone 'UTC')`
}

/** The UTC day of a moment. */
export function dayOf(micros: string): Fragment {
  return fragment`(date 'epoch' + ${daysAndRest(micros).days}::integer)`
}

/** Midnight of the UTC day of a moment, or so many days later. */
export function startOfDay(micros: string, later = 0): Fragment {
  return instant(String((BigInt(daysAndRest(micros).days) + BigInt(later)) * DAY_MICROS))
}

function daysAndRest(micros: string): { days: string; rest: string } {
  const all = BigInt(micros)
  const rest = ((all % DAY_MICROS) + DAY_MICROS) % DAY_MICROS
  return { days: String((all - rest) / DAY_MICROS), rest: String(rest) }
}
