/** Values as text. */
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { startOfText } from './text-bounds.ts'
import { isNumeric, type Typed } from './typed.ts'

/** Any value as text: numbers without trailing zeros, times as in answers. */
export function textOf(node: Typed): Typed {
  if (node.type === 'String') return node
  if (node.kind === 'null') return { ...node, type: 'String' }
  if (isNumeric(node.type)) {
    return apply('String', [node], (number) => fragment`trim_scale(${number})::text`)
  }
  if (node.type === 'DateTime') return apply('String', [node], timeText)
  return apply('String', [node], (value) => fragment`(${value})::text`)
}

/**
 * ISO 8601 with `+00:00`, without a fraction of zero. Postgres calls the year 0000 "1 BC"; nothing
 * older is stored.
 */
export function timeText(time: Fragment): Fragment {
  const dated = fragment`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US AD')`
  const plain = fragment`replace(replace(${dated}, '.000000 AD', '+00:00'), ' AD', '+00:00')`
  return fragment`regexp_replace(${plain}, '^0001(.*?)([.]000000)? BC$', '0000\\1+00:00')`
}

/** Texts that are joined before the result is cut, so that few cuts stand within each other. */
const JOINED_MAX = 8

/** Joins the arguments, cut to the bound of expressions: also on the way there. */
export function concatenated(...texts: readonly Fragment[]): Fragment {
  const [first, ...others] = texts.map(startOfText)
  const whole = others.reduce((all, each, index) => {
    const joined = fragment`${all} || ${each}`
    return (index + 1) % JOINED_MAX === 0 ? startOfText(joined) : joined
  }, first ?? fragment`''`)
  return startOfText(whole)
}
