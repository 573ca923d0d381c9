import { EXPRESSION_TEXT_CHARS_MAX } from '../../core/limits.ts'
import { type Fragment, fragment } from '../../store/fragment.ts'
import type { Build, Typed, ValueType } from './typed.ts'

export function apply(type: ValueType, args: readonly Typed[], build: Build): Typed {
  return { kind: 'apply', type, args, build }
}

/**
 * The start of a text, for what makes larger texts of it or keeps it: an event may hold 20 MB, and a
 * few of these put together would be more than Postgres has memory for.
 */
export function bounded(text: Fragment): Fragment {
  return fragment`left(${text}, ${String(EXPRESSION_TEXT_CHARS_MAX)}::integer)`
}
