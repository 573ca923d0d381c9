import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { startOfText } from './text-bounds.ts'
import { isNumeric, type Typed } from './typed.ts'

/** Any value as text: numbers without zeros at their end, times as answers show them. */
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
 * ISO 8601 with `+00:00`, without a fraction that is zero. Postgres has no year 0000 but calls it 1
 * BC; nothing older is stored.
 */
export function timeText(time: Fragment): Fragment {
  const dated = fragment`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US AD')`
  const plain = fragment`replace(replace(${dated}, '.000000 AD', '+00:00'), ' AD', '+00:00')`
  return fragment`regexp_replace(${plain}, '^0001(.*?)([.]000000)? BC$', '0000\\1+00:00')`
}

/** Every argument cut to what an expression looks at, so that the result has a bound. */
export function concatenated(...texts: readonly Fragment[]): Fragment {
  const [first, ...others] = texts.map(startOfText)
  const whole = others.reduce((all, each) => fragment`${all} || ${each}`, first ?? fragment`''`)
  return fragment`(${whole})`
}
