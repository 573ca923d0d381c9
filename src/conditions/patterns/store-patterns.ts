/** The patterns of filters. */
import { RE2JS } from 're2js'
import { PATTERNS_KEPT_MAX } from '../../core/limits/limits.ts'
import { remembered } from '../../core/work/remembered.ts'

/** Characters of a regular expression in a filter; longer ones match nothing. */
const EVENT_REGEX_LENGTH_MAX = 1_000
/** Instructions it may compile to: Postgres needs seconds for nested counted repeats of more. */
const EVENT_REGEX_PROGRAM_MAX = 1_000

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
