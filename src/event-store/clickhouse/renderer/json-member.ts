/**
 * Members of JSON that is stored as the text that `writeJsonb` makes, read as Postgres reads them.
 * The functions of ClickHouse read most of it. They cannot read any of a document with an integer
 * beyond 64 bits, write a number as the nearest double, and lists without blanks: those are looked
 * for in the text itself, cut into its tokens.
 */
import { commas, type Fragment, fragment } from '../../../postgres/fragment.ts'
import { bind } from './written.ts'

/** The text of a member, as `->>` gives it: null when it is missing or null. */
export function memberText(json: Fragment, key: string): Fragment {
  return textAt(json, [key])
}

/** The text of a member of a member. */
export function nestedText(json: Fragment, keys: readonly [string, string]): Fragment {
  return textAt(json, keys)
}

function textAt(json: Fragment, keys: readonly string[]): Fragment {
  const path = fragment`${json}, ${commas(keys.map((key) => fragment`${key}`))}`
  const kind = fragment`JSONType(${path})`
  return fragment`multiIf(${kind} = 'String', JSONExtractString(${path}),
    ${kind} in ('Int64', 'UInt64', 'Bool'), JSONExtractRaw(${path}),
    ${kind} = 'Null' and ${isReadable(json)}, null,
    ${decimalOnce(json, keys)}
    ${textOfRaw(rawAt(json, keys))})`
}

/**
 * A decimal, where the text has its key once: it is the one that was found. Nothing for longer
 * paths.
 */
function decimalOnce(json: Fragment, keys: readonly string[]): Fragment {
  const [key, ...others] = keys
  if (key === undefined || others.length > 0) return fragment``
  const mark = `${JSON.stringify(key)}: `
  const rest = fragment`substring(${json}, position(${json}, ${mark}) + length(${mark}))`
  return fragment`JSONType(${json}, ${key}) = 'Double' and countSubstrings(${json}, ${mark}) = 1,
    extract(${rest}, '^-?[0-9]+[.]?[0-9]*'),`
}

/** Whether a member is there; null counts. */
export function hasMember(json: Fragment, key: string): Fragment {
  return fragment`if(${isReadable(json)}, JSONHas(${json}, ${key}) = 1,
    ${rawAt(json, [key])} is not null)`
}

/** Whether a member is a number. */
export function isNumberMember(json: Fragment, key: string): Fragment {
  return fragment`if(${isReadable(json)}, JSONType(${json}, ${key}) in ('Int64', 'UInt64', 'Double'),
    match(ifNull(${rawAt(json, [key])}, ''), '^[-0-9]'))`
}

/** Whether a member is a list or an object. */
export function isNestedMember(json: Fragment, key: string): Fragment {
  return fragment`if(${isReadable(json)}, JSONType(${json}, ${key}) in ('Array', 'Object'),
    match(ifNull(${rawAt(json, [key])}, ''), '^[{[]'))`
}

/** Whether the functions of ClickHouse can read it. */
function isReadable(json: Fragment): Fragment {
  return fragment`JSONType(${json}) = 'Object'`
}

/** A key with its colon, a text, a bracket, a comma, any other value: together, all of the text. */
const TOKENS = String.raw`"(?:[^"\\]|\\.)*"(?:: )?|[{}\[\]]|, |[^"{}\[\], ]+`

/** The JSON text of a member, as Postgres writes it; null when it is missing. */
function rawAt(json: Fragment, keys: readonly string[]): Fragment {
  return keys.reduce(rawMember, json)
}

/** Depths are those behind a token. A value ends where its depth is that of its key again. */
function rawMember(json: Fragment, key: string): Fragment {
  const step = fragment`if(x in ('{', '['), 1, if(x in ('}', ']'), -1, 0))`
  const depths = fragment`arrayCumSum(arrayMap(x -> ${step}, t))`
  const mark = `${JSON.stringify(key)}: `
  const place = fragment`arrayFirstIndex((x, y) -> x = ${mark} and y = 1, t, d)`
  const end = fragment`arrayFirstIndex((y, n) -> n > i and y = 1, d, arrayEnumerate(d))`
  const value = fragment`arrayStringConcat(arraySlice(t, i + 1, ${end} - i))`
  const found = bind(fragment`i`, [place], fragment`if(i = 0, null, ${value})`)
  const deep = bind(fragment`d`, [depths], found)
  return bind(fragment`t`, [fragment`extractAll(ifNull(${json}, ''), ${TOKENS})`], deep)
}

function textOfRaw(raw: Fragment): Fragment {
  return bind(
    fragment`r`,
    [raw],
    fragment`multiIf(r = 'null', null, startsWith(r, '"'), JSONExtractString(r), r)`,
  )
}
