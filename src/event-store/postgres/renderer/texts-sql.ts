/** Operations on texts. */

import { EXPRESSION_TEXT_CHARS_MAX } from '../../../core/limits/limits-query.ts'
import { isNumeric } from '../../../events/trees/value-type.ts'
import { type Fragment, fragment } from '../../../postgres/fragment.ts'
import { firstType, type Postgres } from './postgres-dialect.ts'
import { startOfPattern, startOfText } from './text-bounds.ts'
import { timeText } from './times-sql.ts'

export const TEXTS_SQL = {
  text: ([value], node) => {
    const type = firstType(node)
    if (type === 'DateTime') return timeText(value)
    const isNumber = type !== undefined && isNumeric(type)
    return isNumber ? fragment`trim_scale(${value})::text` : fragment`(${value})::text`
  },
  length: ([text]) => fragment`char_length(${text})::numeric`,
  lower: ([text]) => fragment`lower(${startOfText(text)})`,
  upper: ([text]) => fragment`upper(${startOfText(text)})`,
  trim: ([text]) => fragment`btrim(${text})`,
  is_empty: ([text]) => fragment`(${text} = '')`,
  is_not_empty: ([text]) => fragment`(${text} <> '')`,
  concat: concatenated,
  substring: ([text, from, length]) =>
    length === undefined
      ? fragment`substring(${text} from ${position(from)})`
      : fragment`substring(${text} from ${position(from)} for ${position(length)})`,
  starts_with: ([text, start]) => fragment`starts_with(${text}, ${start})`,
  ends_with: ([text, end]) => fragment`starts_with(reverse(${text}), reverse(${end}))`,
  replace: replaceAll,
  replace_first: replaceFirst,

  like: ([text, pattern]) => fragment`(${text} like ${wellFormed(pattern)})`,
  ilike: ([text, pattern]) => fragment`(${text} ilike ${wellFormed(pattern)})`,
  not_like: ([text, pattern]) => fragment`(${text} not like ${wellFormed(pattern)})`,
  not_ilike: ([text, pattern]) => fragment`(${text} not ilike ${wellFormed(pattern)})`,
} satisfies Partial<Postgres>

/**
 * A backslash escapes the character after it. Postgres refuses a pattern that ends in one, so it is
 * doubled.
 */
function wellFormed(pattern: Fragment): Fragment {
  return fragment`regexp_replace(${startOfPattern(pattern)}, '^((?:[^\\\\]|\\\\.)*)\\\\$', '\\1\\\\\\\\')`
}

/** Number of texts that are joined before the result is cut, so that few cuts are nested. */
const JOINED_MAX = 8

/** Joins the arguments, cut to the bound of expressions: also on the way there. */
function concatenated(texts: readonly Fragment[]): Fragment {
  const [first, ...others] = texts.map(startOfText)
  const whole = others.reduce((all, each, index) => {
    const joined = fragment`${all} || ${each}`
    return (index + 1) % JOINED_MAX === 0 ? startOfText(joined) : joined
  }, first ?? fragment`''`)
  return startOfText(whole)
}

/** A count or a place of characters; null where it is negative or too large. */
function position(number: Fragment): Fragment {
  return fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= 0 && @ <= 1000000000)')::integer`
}

type Three = readonly [text: Fragment, sought: Fragment, put: Fragment]

/**
 * Replaces each occurrence. Where the result would be longer than a text may be, only so much of
 * the text is read as surely stays within it. The arguments are columns of a select of its own, so
 * that each is worth one evaluation though it is named several times.
 */
function replaceAll([text, sought, put]: Three): Fragment {
  const max = fragment`${String(EXPRESSION_TEXT_CHARS_MAX)}::integer`
  const found = fragment`(char_length(a.x) - char_length(replace(a.x, a.y, '')))
    / nullif(char_length(a.y), 0)`
  const length = fragment`char_length(a.x)::bigint
    + coalesce(${found}, 0)::bigint * (char_length(a.z) - char_length(a.y))`
  const part = fragment`left(a.x, (${max}::bigint * char_length(a.y) / char_length(a.z))::integer)`
  return fragment`(
    select replace(
      case when char_length(a.z) <= char_length(a.y) or ${length} <= ${max}
        then a.x else ${part} end,
      a.y, a.z)
    from (select ${startOfText(text)} as x, ${startOfPattern(sought)} as y,
      ${startOfPattern(put)} as z offset 0) a)`
}

/**
 * Replaces the first occurrence. `***=` makes the sought text a literal pattern, and `$.`, in place
 * of an empty one, cannot occur in a text.
 */
function replaceFirst([text, sought, put]: Three): Fragment {
  const pattern = fragment`regexp_replace('***=' || ${startOfPattern(sought)}, '^[*]{3}=$', '$.')`
  const replacement = fragment`replace(${startOfPattern(put)}, '\\', '\\\\')`
  return startOfText(fragment`regexp_replace(${startOfText(text)}, ${pattern}, ${replacement})`)
}
