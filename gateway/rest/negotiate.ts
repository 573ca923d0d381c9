/** Chooses the media type of an answer from the `format` parameter and the `Accept` header. */
import { JSON_TYPE } from './replies.ts'

const CSV_TYPE = 'text/csv'
const ACCEPT_RANGES_MAX = 64

export type Negotiated =
  | { readonly kind: 'media'; readonly mediaType: string }
  | { readonly kind: 'unknown_format' }
  | { readonly kind: 'not_acceptable' }

/**
 * A given `format` decides; otherwise the most specific range of `Accept` that matches.
 *
 * @param others media types that are offered besides JSON.
 */
export function negotiate(
  format: string | null,
  accept: string | undefined,
  others: readonly string[],
): Negotiated {
  if (format === 'csv' && others.includes(CSV_TYPE)) return { kind: 'media', mediaType: CSV_TYPE }
  const isJson = format === 'json'
  if (!isJson && format !== null && format !== '') return { kind: 'unknown_format' }
  const mediaType = accepted(accept ?? '', isJson ? [JSON_TYPE] : [JSON_TYPE, ...others])
  return mediaType === undefined ? { kind: 'not_acceptable' } : { kind: 'media', mediaType }
}

type Range = { readonly type: string; readonly refused: boolean; readonly precision: number }

function accepted(accept: string, offered: readonly string[]): string | undefined {
  if (accept.trim() === '') return offered[0]
  const ranges = accept.split(',', ACCEPT_RANGES_MAX).map(rangeOf)
  const refused = new Set(ranges.filter((range) => range.refused).map((range) => range.type))
  const wanted = ranges
    .filter((range) => !range.refused)
    .sort((one, other) => other.precision - one.precision)
  for (const range of wanted) {
    const found = offered.find((type) => covers(range.type, type) && !refused.has(type))
    if (found !== undefined) return found
  }
  return undefined
}

/** Weights do not order ranges, as in the original API; a weight of 0 refuses the range. */
function rangeOf(text: string): Range {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const refused = parameters.some((each) => /^q\s*=\s*0(\.0*)?$/.test(each))
  const precision = name === '*/*' ? 0 : name.endsWith('/*') ? 1 : 2
  return { type: name, refused, precision }
}

function covers(range: string, type: string): boolean {
  if (range === '*/*' || range === type) return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}
