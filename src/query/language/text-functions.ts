import { type Fragment, fragment } from '../../store/pool/fragment.ts'
import { apply } from './apply.ts'
import { like } from './patterns.ts'
import { byType, MANY, type Rule, taking } from './rules.ts'
import { startOfPattern, startOfText } from './text-bounds.ts'
import { concatenated, textOf } from './text-of.ts'

export const TEXT_FUNCTIONS: Readonly<Record<string, Rule>> = {
  toString: byType(textOf),
  length: taking(['String'], 'UInt64', (text) => fragment`char_length(${text})::numeric`),
  lower: taking(['String'], 'String', (text) => fragment`lower(${text})`),
  upper: taking(['String'], 'String', (text) => fragment`upper(${text})`),
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
  replace: taking(
    ['String', 'String', 'String'],
    'String',
    (text, sought, put) =>
      fragment`replace(${startOfText(text)}, ${startOfPattern(sought)}, ${startOfPattern(put)})`,
  ),
  replaceOne: taking(['String', 'String', 'String'], 'String', replaceOne),
}

/** From a character counted from 1; a length that is negative or beyond all texts gives null. */
function substring(text: Fragment, from: Fragment, length?: Fragment): Fragment {
  if (length === undefined) return fragment`substring(${text} from ${position(from)})`
  return fragment`substring(${text} from ${position(from)} for ${position(length)})`
}

function position(number: Fragment): Fragment {
  return fragment`jsonb_path_query_first(to_jsonb(trunc(${number})),
    '$ ? (@ >= 0 && @ <= 1000000000)')::integer`
}

/** The first of what is sought: `***=` makes a pattern of a text, and `$.` is in no text. */
function replaceOne(text: Fragment, sought: Fragment, put: Fragment): Fragment {
  const pattern = fragment`coalesce(nullif('***=' || ${startOfPattern(sought)}, '***='), '$.')`
  const replacement = fragment`replace(${startOfPattern(put)}, '\\', '\\\\')`
  return fragment`regexp_replace(${startOfText(text)}, ${pattern}, ${replacement})`
}
