/** Buckets of time, in words. */

export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month'

/** True when a date does not name a bucket. */
export function hasTime(interval: Interval): boolean {
  return /hour|minute/.test(interval)
}

/**
 * The start of a bucket as its own offset says: `2 Mar`, `10:00`, `Mar 2026`.
 * @param isWhole as beside one of another range: `Mon 2 Mar`, `Mon 2 Mar 10:00`.
 */
export function labelOfBucket(bucket: string, interval: Interval, isWhole = false): string {
  // Mon, 02 Mar 2026 00:00:00 GMT
  const parts = new Date(bucket.slice(0, 10)).toUTCString().split(/,? /)
  const [weekday, day, month, year] = parts
  if (year === undefined) return bucket
  if (interval === 'month') return `${month} ${year}`
  const time = hasTime(interval) ? bucket.slice(11, 16) || '00:00' : ''
  if (time !== '' && !isWhole) return time
  const date = `${Number(day)} ${month}`
  return isWhole ? `${weekday} ${date} ${time}`.trim() : date
}

/** Labels of all buckets of an axis; hours of several days say the day. */
export function labelsOf(buckets: readonly string[], interval: Interval): readonly string[] {
  const days = new Set(buckets.map((bucket) => bucket.slice(0, 10)))
  const prefixOf = (bucket: string) =>
    hasTime(interval) && days.size > 1 ? `${labelOfBucket(bucket, 'day')} ` : ''
  return buckets.map((each) => prefixOf(each) + labelOfBucket(each, interval))
}
