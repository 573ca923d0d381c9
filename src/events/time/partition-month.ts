/**
 * Months by which stored events are partitioned: `y2026m03`, `old` for the days before 2000 and
 * `far` for those from 2100 on. No client can make more than some 1,200 of them with odd timestamps.
 */
export const FIRST_YEAR = 2000
export const END_YEAR = 2100

const MONTH = /^y(\d{4})m(\d{2})$/
const OLD_UNTIL = microsAt(FIRST_YEAR, 1)
const FAR_FROM = microsAt(END_YEAR, 1)

/** The month of a day, `YYYY-MM-…`; years 0001 to 9999. */
export function monthOf(day: string): string {
  const year = Number(day.slice(0, 4))
  if (year < FIRST_YEAR) return 'old'
  return year >= END_YEAR ? 'far' : `y${day.slice(0, 4)}m${day.slice(5, 7)}`
}

/** Exclusive bounds, microseconds since 1970 as decimal text. */
export type SpanOfTime = { readonly after: string | undefined; readonly before: string }

/** Whether a selection reaches into a month. A text that names no month is everywhere. */
export function reachesInto({ after, before }: SpanOfTime, month: string): boolean {
  const { from, until } = spanOf(month)
  const isBefore = until !== undefined && after !== undefined && BigInt(after) >= until
  const isAfter = from !== undefined && BigInt(before) <= from
  return !isBefore && !isAfter
}

/** Microseconds since the epoch; undefined where it has no bound. */
type Span = { readonly from: bigint | undefined; readonly until: bigint | undefined }

function spanOf(month: string): Span {
  if (month === 'old') return { from: undefined, until: OLD_UNTIL }
  if (month === 'far') return { from: FAR_FROM, until: undefined }
  const [, year, number] = MONTH.exec(month) ?? []
  if (year === undefined || number === undefined) return { from: undefined, until: undefined }
  return {
    from: microsAt(Number(year), Number(number)),
    until: microsAt(Number(year), Number(number) + 1),
  }
}

/** @param month from 1; the one after December is January. */
function microsAt(year: number, month: number): bigint {
  return BigInt(Date.UTC(year, month - 1)) * 1_000n
}
