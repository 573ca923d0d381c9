/**
 * Bounds how much of a text an expression reads where it makes another text of it or keeps it, and
 * how much it makes. An event may hold 20 MB, and a few such texts exceed the memory of Postgres.
 */

import {
  EXPRESSION_PATTERN_CHARS_MAX,
  EXPRESSION_TEXT_CHARS_MAX,
} from '../../../core/limits/limits-query.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'

export function startOfText(text: Fragment): Fragment {
  return fragment`left(${text}, ${String(EXPRESSION_TEXT_CHARS_MAX)}::integer)`
}

/**
 * A pattern has a smaller bound: matching one of megabytes would exhaust the stack of the server.
 */
export function startOfPattern(pattern: Fragment): Fragment {
  return fragment`left(${pattern}, ${String(EXPRESSION_PATTERN_CHARS_MAX)}::integer)`
}
