/** Functions of texts. */
import { EXPRESSION_TEXT_CHARS_MAX } from '../../core/limits/limits.ts'
import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { like } from './patterns.ts'
import { byType, MANY, type Rule, taking } from './rules.ts'
import { startOfPattern, startOfText } from './text-bounds.ts'
import { concatenated, textOf } from './text-of.ts'

export const TEXT_FUNCTIONS: Readonly<Record<string, Rule>> = {
  toString: byType(textOf),
  length: taking(['String'], 'UInt64', (text) => fragment`char_length(${text})::numeric`),
  lower: taking(['String'], 'String', (text) => fragment`lower(${startOfText(text)})`),
  upper: taking(['String'], 'String', (text) => fragment`upper(${startOfText(text)})`),
  trim: taking(['String'], 'String', (text) => fragment`btrim(${text})`),
  empty: taking(['String'], 'Bool', (text) => fragment`(${text} = '')`),
  notEmpty: taking(['String'], 'Bool', (text) => fragment`(${text} <> '')`),
  concat: {
    arityMin: 1,
    arityMax: MANY,
    apply: (args) => apply('String', args.map(textOf), concatenated),
  },
  substring: taking(['String', 'Float64', 'Float64'], 'String', substring, 1),
  startsWith: taking(
    ['String', 'String'],
    'Bool',
    (text, start) => fragment`starts_with(${text}, ${start})`,
  ),
  endsWith: taking(
    ['String', 'String'],
    'Bool',
    (text, end) => fragment`starts_with(reverse(${text}), reverse(${end}))`,
  ),
  like: like('like'),
  ilike: like('ilike'),
  notLike: like('notLike'),
  replace: taking(['String', 'String', 'String'], 'String', replaceAll),
  replaceOne: taking(['String', 'String', 'String'], 'String', replaceOne),
}

/**
 * The part from a character on, counted from 1. A length that is negative or too large gives null.
 */
function substring(text: Fragment, from: Fragment, length?: Fragment): Fragment {
  if (length === undefined) return fragment`substring(${text} from ${position(from)})`
  return fragment`substring(${text} from ${position(from)} for ${position(length)})`
}

function position(number: Fragment): Fragment {
  return fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= 0 && @ <= 1000000000)')::integer`
}

/**
 * Replaces each occurrence. Where the result would be longer than a text may be, only so much of
 * the text is read as surely stays within it. The arguments are columns of a select of its own, so
 * that each is worth one evaluation though it is named several times.
 */
function replaceAll(text: Fragment, sought: Fragment, put: Fragment): Fragment {
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
 * Replaces the first occurrence. `***=` makes the sought text a literal pattern, and `$.` cannot
 * occur in a text.
 */
function replaceOne(text: Fragment, sought: Fragment, put: Fragment): Fragment {
  const pattern = fragment`coalesce(nullif('***=' || ${startOfPattern(sought)}, '***='), '$.')`
  const replacement = fragment`replace(${startOfPattern(put)}, '\\', '\\\\')`
  return startOfText(fragment`regexp_replace(${startOfText(text)}, ${pattern}, ${replacement})`)
}
