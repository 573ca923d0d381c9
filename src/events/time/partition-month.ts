/** Months of which ClickHouse lacks events, and which selections reach into one. */

/** Names of partitions of `events`, by UTC days. */
const MONTH = /^y(\d{4})m(\d{2})$/
const [OLD_UNTIL, FAR_FROM] = [microsAt(2000, 1), microsAt(2100, 1)]

/** Exclusive bounds, microseconds since 1970 as decimal text. */
export type SpanOfTime = { readonly after: string | undefined; readonly before: string }

/** @param month `y2026m03`, `old` or `far`; anything else is everywhere. */
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
