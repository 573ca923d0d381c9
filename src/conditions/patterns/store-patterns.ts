/** The patterns of filters. */
import { RE2JS } from 're2js'
import { EVENT_REGEX_LENGTH_MAX, EVENT_REGEX_PROGRAM_MAX } from '../../core/limits/limits.ts'
import { PATTERNS_KEPT_MAX } from '../../core/limits/limits-flags.ts'
import { remembered } from '../../core/work/remembered.ts'

/** False when RE2 refuses the pattern or it is too large. */
export function isPattern(pattern: string): boolean {
  return pattern.length <= EVENT_REGEX_LENGTH_MAX && isReadable(pattern)
}

const isReadable = remembered(PATTERNS_KEPT_MAX, (pattern) => {
  try {
    return RE2JS.compile(pattern).programSize() <= EVENT_REGEX_PROGRAM_MAX
  } catch {
    return false // An invalid pattern is data, not a failure: it matches nothing.
  }
})
