/** Annotations by the buckets of a chart, and clocks of a project. */
import type { Annotation } from '../../client/index.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST_WEEK_MS = 8 * DAY_MS

/** Objects that an annotation of a chart may belong to, beside its project. */
export type AnnotationPlace = {
  /** The number is known on the page of the insight. */
  readonly insight?: { readonly id?: number; readonly shortId: string }
  readonly dashboard?: number
}

/** Annotations that a chart shows, earliest first, by the index of their bucket. */
export function byBucket(
  annotations: readonly Annotation[],
  starts: readonly string[],
  place: AnnotationPlace,
): ReadonlyMap<number, readonly Annotation[]> {
  const times = starts.map((start) => Date.parse(start))
  const end = endOf(starts)
  const found = new Map<number, readonly Annotation[]>()
  for (const each of annotations.filter((one) => isShown(one, place))) {
    const time = Date.parse(each.date_marker)
    const at = times.findLastIndex((start) => start <= time)
    if (at >= 0 && time < end) found.set(at, [each, ...(found.get(at) ?? [])])
  }
  return found
}

function isShown(
  { scope, insight_short_id: insight, dashboard_id: board }: Annotation,
  { insight: own, dashboard }: AnnotationPlace,
): boolean {
  if (scope === 'insight') return insight === own?.shortId
  return scope === 'project' || board === dashboard
}

/** End of the last bucket: it is as long as the one before, a month as its calendar says. */
function endOf(starts: readonly string[]): number {
  const last = starts.at(-1) ?? ''
  const before = starts.at(-2)
  const start = Date.parse(last)
  const length = before === undefined ? DAY_MS : start - Date.parse(before)
  if (length < DAY_MS - HOUR_MS) return start + length
  // Days of 23 and 25 hours are days.
  if (length <= LONGEST_WEEK_MS) return start + Math.round(length / DAY_MS) * DAY_MS
  const month = new Date(`${last.slice(0, 10)}T00:00:00Z`)
  return start + new Date(month).setUTCMonth(month.getUTCMonth() + 1) - month.getTime()
}

/** `2026-03-01T10:00` of a moment, as clocks of the zone show it. */
export function wallTime(moment: string, zone: string): string {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat('sv-SE', options).format(new Date(moment)).replace(' ', 'T')
}

/** The moment at which clocks of the zone show `2026-03-01T10:00`. */
export function momentAt(wall: string, zone: string): string {
  const wanted = Date.parse(`${wall}Z`)
  let at = wanted
  // The second step counts where the first has crossed a change of the clocks.
  for (let step = 0; step < 2; step += 1) {
    at += wanted - Date.parse(`${wallTime(new Date(at).toISOString(), zone)}Z`)
  }
  return new Date(at).toISOString()
}
