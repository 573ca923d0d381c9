/** Moments of requests. */
import { invalid } from '../access/errors.ts'

/**
 * A moment of ISO 8601 as it is stored: UTC, microseconds. One without a zone is in UTC.
 * @throws {AppError} `invalid_argument` of `attr`.
 */
export function momentOf(text: string, attr: string): string {
  const [date = '', time = ''] = text.trim().split(/[T ]/i)
  const isZoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(time)
  const at = new Date(`${date}T${time}${isZoned ? '' : 'Z'}`)
  if (Number.isNaN(at.getTime())) throw invalid('Must be a date and time of ISO 8601.', attr)
  return at.toISOString().replace('Z', '000Z')
}
