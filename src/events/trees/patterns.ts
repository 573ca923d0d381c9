/** The patterns of filters. */
import { RE2JS } from 're2js'
import { EVENT_REGEX_LENGTH_MAX, EVENT_REGEX_PROGRAM_MAX } from '../../core/limits/limits.ts'

/** False when RE2 refuses the pattern or it is too large. */
export function isPattern(pattern: string): boolean {
  if (pattern.length > EVENT_REGEX_LENGTH_MAX) return false
  try {
    return RE2JS.compile(pattern).programSize() <= EVENT_REGEX_PROGRAM_MAX
  } catch {
    return false // An invalid pattern is data, not a failure: it matches nothing.
  }
}
