/**
 * How much of a text an expression looks at where it makes larger texts of it or keeps it: an event
 * may hold 20 MB, and a few of these together are more than Postgres has memory for.
 */
import {
  EXPRESSION_PATTERN_CHARS_MAX,
  EXPRESSION_TEXT_CHARS_MAX,
} from '../../core/limits/limits.ts'
import { type Fragment, fragment } from '../../store/pool/fragment.ts'

export function startOfText(text: Fragment): Fragment {
  return fragment`left(${text}, ${String(EXPRESSION_TEXT_CHARS_MAX)}::integer)`
}

/** Less than of a text: matching a pattern of megabytes would exhaust the stack of the server. */
export function startOfPattern(pattern: Fragment): Fragment {
  return fragment`left(${pattern}, ${String(EXPRESSION_PATTERN_CHARS_MAX)}::integer)`
}
