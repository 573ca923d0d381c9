/** Conditions on properties as SQL of ClickHouse, which mean what `src/conditions` decides. */
import type { Bound, Condition, Relation, ValueTest } from '../../../conditions/condition.ts'
import { compileValue } from '../../../conditions/decide.ts'
import { type Plainly, plainly } from '../../../conditions/plain-text.ts'
import { assert } from '../../../core/code.ts'
import { zoneOf } from '../../../core/time/zone.ts'
import { wallChanges } from '../../../core/time/zone-changes.ts'
import { type Fragment, fragment, join } from '../../../postgres/fragment.ts'
import { hasMember, isNestedMember, isNumberMember, memberText } from './json-member.ts'
import { bind } from './written.ts'

/** A condition that is true or false, of a member of JSON. */
export function conditionIn(
  { whenMissing, value: test }: Condition,
  json: Fragment,
  key: string,
): Fragment {
  switch (test.kind) {
    case 'always':
      return hasMember(json, key)
    case 'never':
      return whenMissing ? fragment`(not ${hasMember(json, key)})` : fragment`false`
    case 'one_of':
    case 'text':
    case 'regex':
      return textHolds(test, json, key)
    case 'between':
      return betweenHolds(test, json, key)
    case 'number':
      return isTrue(
        numberOf(json, key),
        (n) => fragment`${n} ${SIGNS[test.relation]} ${double(test.number)}`,
      )
    case 'time':
      return isTrue(
        momentOf(json, key, test.zone),
        (n) => fragment`${n} ${SIGNS[test.relation]} ${double(msOf(test.bound))}`,
      )
    case 'day':
      return isTrue(
        momentOf(json, key, test.zone),
        (n) => fragment`${n} >= ${double(test.from)} and ${n} < ${double(test.before)}`,
      )
    case 'version':
      return isTrue(versionOf(json, key), (n) => fragment`${n} ${SIGNS[test.relation]} ${test.key}`)
    case 'releases': {
      const { from, below } = test
      const isBelow = (n: Fragment) =>
        below === undefined ? fragment`true` : fragment`${n} < ${below}`
      return isTrue(
        versionOf(json, key),
        (n) => fragment`endsWith(${n}, '~') and ${n} >= ${from} and ${isBelow(n)}`,
      )
    }
    default:
      return test satisfies never
  }
}

type Of<Kind extends ValueTest['kind']> = Extract<ValueTest, { kind: Kind }>

const SIGNS: Readonly<Record<Relation | 'eq' | 'neq', Fragment>> = {
  gt: fragment`>`,
  gte: fragment`>=`,
  lt: fragment`<`,
  lte: fragment`<=`,
  eq: fragment`=`,
  neq: fragment`!=`,
}

function double(number: number): Fragment {
  return fragment`toFloat64(${String(number)})`
}

function msOf(bound: Bound): number {
  assert('ms' in bound, 'the condition is one of a moment')
  return bound.ms
}

/** Null counts as false. */
function isTrue(value: Fragment, holds: (value: Fragment) => Fragment): Fragment {
  return fragment`ifNull(${bind(fragment`w`, [value], holds(fragment`w`))}, false)`
}

/** The text of null is `null`, where the member itself has none. */
function textHolds(test: TextTest, json: Fragment, key: string): Fragment {
  const positive = { ...test, negated: false }
  const plain = test.kind === 'regex' ? undefined : plainly(test)
  const text = plain === undefined ? textOf(json, key) : memberText(json, key)
  const ofNull = { now: 0, regexWork: 0, timeDependent: false }
  const isNull = plain === undefined && compileValue(positive)(null, ofNull)
  const whenNull = isNull ? hasMember(json, key) : fragment`false`
  const matches = fragment`ifNull(${textMatches(positive, text, plain)}, ${whenNull})`
  if (!test.negated) return matches
  if (test.kind === 'one_of') return fragment`(not ${matches})`
  return fragment`(not ${matches} and lengthUTF8(ifNull(${text}, '')) <= toUInt32(${String(test.lengthMax)}))`
}

type TextTest = Of<'one_of' | 'text' | 'regex'>

function textMatches(test: TextTest, text: Fragment, plain: Plainly | undefined): Fragment {
  switch (test.kind) {
    case 'one_of':
      return isOneOf(folded(text, plain), test.texts)
    case 'text': {
      const { how, parts, lengthMax } = test
      const holds = parts.map((part) => PARTS[how](fragment`f`, fragment`${part}`))
      const isShort = fragment`lengthUTF8(f) <= toUInt32(${String(lengthMax)})`
      const body = fragment`(${join(holds, 'or')}) and ${isShort}`
      return bind(fragment`f`, [folded(text, plain)], body)
    }
    case 'regex': {
      const isShort = fragment`lengthUTF8(t) <= toUInt32(${String(test.lengthMax)})`
      // ClickHouse lets a dot take a line break too.
      return bind(fragment`t`, [text], fragment`match(t, ${`(?-s)${test.pattern}`}) and ${isShort}`)
    }
    default:
      return test satisfies never
  }
}

const PARTS: Readonly<Record<Of<'text'>['how'], (text: Fragment, part: Fragment) => Fragment>> = {
  includes: (text, part) => fragment`position(${text}, ${part}) > 0`,
  starts_with: (text, part) => fragment`startsWith(${text}, ${part})`,
  ends_with: (text, part) => fragment`endsWith(${text}, ${part})`,
}

function isOneOf(text: Fragment, texts: readonly string[]): Fragment {
  const [only, ...others] = texts
  if (only === undefined) return fragment`false`
  if (others.length === 0) return fragment`${text} = ${only}`
  return fragment`${text} in (JSONExtract(${JSON.stringify(texts)}, 'Array(String)'))`
}

/** `fold` of `src/conditions`: each character by itself, with one lower sigma. */
function folded(text: Fragment, plain: Plainly | undefined): Fragment {
  if (plain === 'ascii') return fragment`lower(${text})`
  if (plain === 'kelvin') return fragment`lower(replaceAll(${text}, ${'\u212a'}, 'k'))`
  const all = fragment`replaceAll(replaceAll(replaceAll(x, 'İ', ${'i\u0307'}), 'Σ', 'σ'), 'ς', 'σ')`
  return bind(
    fragment`x`,
    [text],
    fragment`if(isValidASCII(ifNull(x, '')), lower(x), lowerUTF8(${all}))`,
  )
}

/** A number in the form of both stores that `textOf` does not write otherwise, or no number at all. */
const AS_IS = '^(?:[^-0-9{[]|-?(?:0|[1-9][0-9]{0,20})(?:[.][0-9]{0,5}[1-9])?$)'

/**
 * `textOf` of `src/conditions`; null for null and for a missing member. Most texts are what the
 * document has; numbers are as JavaScript writes them, and lists and objects without blanks.
 */
function textOf(json: Fragment, key: string): Fragment {
  const other = fragment`multiIf(
    ${isNumberMember(json, key)}, ${numberText(fragment`t`)},
    ${isNestedMember(json, key)}, ${compactText(fragment`t`)}, t)`
  return bind(
    fragment`t`,
    [memberText(json, key)],
    fragment`if(match(ifNull(t, ''), ${AS_IS}), t, ${other})`,
  )
}

/** Numbers of more than 15 digits stay as they are: a double has no more. */
function numberText(text: Fragment): Fragment {
  const digits = fragment`length(replaceRegexpAll(replaceRegexpOne(replaceAll(replaceOne(${text}, '-', ''), '.', ''), '^0+', ''), '0+$', ''))`
  const shortest = fragment`replaceRegexpOne(toString(toFloat64(${text})), 'e([0-9])', ${'e+\\1'})`
  return fragment`if(${digits} > 15, ${text}, replaceOne(${shortest}, 'inf', 'Infinity'))`
}

const TOKENS = String.raw`"(?:[^"\\]|\\.)*"(?:: )?|[{}\[\]]|, |[^"{}\[\], ]+`

/** Lists and objects beyond 32,768 characters have no text. */
function compactText(text: Fragment): Fragment {
  const token = fragment`multiIf(k = ', ', ',', endsWith(k, ': '), substring(k, 1, length(k) - 1),
    match(k, '^[-0-9]'), ${numberText(fragment`k`)}, k)`
  const compact = fragment`arrayStringConcat(arrayMap(k -> ${token}, extractAll(${text}, ${TOKENS})))`
  return bind(fragment`j`, [compact], fragment`if(lengthUTF8(j) > 32768, null, j)`)
}

const NUMERIC = '^[-+]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][-+]?[0-9]+)?$'

/** `numberOf` of `src/conditions`. */
function numberOf(json: Fragment, key: string): Fragment {
  const plain = fragment`replaceRegexpOne(replaceRegexpOne(replaceOne(t, '+', ''), '[.]([eE]|$)', ${'\\1'}), '^(-?)[.]', ${'\\10.'})`
  // A number too large for a double is infinite, as in JavaScript.
  const infinite = fragment`if(startsWith(t, '-'), -inf, inf)`
  const number = fragment`ifNull(toFloat64OrNull(${plain}), ${infinite})`
  const isSound = fragment`not (isInfinite(n) and ${isNumberMember(json, key)})`
  const finite = bind(fragment`n`, [number], fragment`if(${isSound}, n, null)`)
  return bind(
    fragment`t`,
    [memberText(json, key)],
    fragment`if(match(ifNull(t, ''), ${NUMERIC}) and (length(ifNull(t, '')) <= 400 or ${isNumberMember(json, key)}), ${finite}, null)`,
  )
}

function betweenHolds(
  { low, high, negated }: Of<'between'>,
  json: Fragment,
  key: string,
): Fragment {
  const isIn = fragment`w >= ${double(low)} and w <= ${double(high)}`
  if (!negated) return isTrue(numberOf(json, key), () => isIn)
  const isOut = bind(fragment`w`, [numberOf(json, key)], fragment`not (${isIn})`)
  return fragment`ifNull(${isOut}, not ${hasMember(json, key)})`
}

const EPOCH = '^-?[0-9]+(?:[.][0-9]+)?$'
const MOMENT = `^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,9}))?)?(?: ?([Zz]|[-+][0-9]{2}(?::?[0-9]{2})?))?)?$`

/** `momentOf` of `src/conditions`: milliseconds. Numbers of any length are ones. */
function momentOf(json: Fragment, key: string, zone: string): Fragment {
  const isEpoch = fragment`match(t, ${EPOCH}) and (length(t) <= 64 or ${isNumberMember(json, key)})`
  const groups = fragment`extractGroups(leftUTF8(t, 65), ${MOMENT})`
  const date = bind(fragment`g`, [groups], fragment`if(empty(g), null, ${ofGroups(zone)})`)
  return bind(
    fragment`t`,
    [fragment`ifNull(${memberText(json, key)}, '')`],
    fragment`if(${isEpoch}, ${ofEpoch(fragment`toFloat64OrNull(t)`)}, if(lengthUTF8(t) > 64, null, ${date}))`,
  )
}

function ofEpoch(number: Fragment): Fragment {
  const ms = fragment`multiIf(abs(n) >= 1e14, n / 1000, abs(n) >= 1e11, n, n * 1000)`
  return bind(
    fragment`n`,
    [number],
    bind(fragment`m`, [ms], fragment`if(abs(m) <= 8.64e15, m, null)`),
  )
}

/** Reads `g`, the groups of `MOMENT`. A day that does not exist is none. */
function ofGroups(zone: string): Fragment {
  const group = (place: number) =>
    fragment`toInt64(toUInt32OrZero(g[${fragment`toUInt8(${String(place)})`}]))`
  const daysOfMonth = fragment`multiIf(o = 2, if((y % 4 = 0 and y % 100 != 0) or y % 400 = 0, 29, 28), o in (4, 6, 9, 11), 30, 31)`
  const exists = fragment`o between 1 and 12 and d between 1 and ${daysOfMonth}
    and ${group(4)} <= 23 and ${group(5)} <= 59 and ${group(6)} <= 59`
  // Years begin in March, so that their leap day is the last.
  const days = fragment`(r * 365 + intDiv(r, 4) - intDiv(r, 100) + intDiv(r, 400)
    + intDiv(153 * (o + if(o > 2, -3, 9)) + 2, 5) + d - 1 - 146097 - 719468)`
  const seconds = fragment`((${group(4)} * 60 + ${group(5)}) * 60 + ${group(6)})`
  const fraction = fragment`toFloat64OrZero(concat('0.', g[7], '0')) * 1000`
  const wall = bind(
    fragment`r`,
    [fragment`y - if(o <= 2, 1, 0) + 400`],
    fragment`toFloat64(${days} * 86400000 + ${seconds} * 1000) + ${fraction}`,
  )
  const hours = fragment`toInt64(toUInt32OrZero(substring(g[8], 2, 2)))`
  const minutes = fragment`toInt64(toUInt32OrZero(replaceOne(substring(g[8], 4), ':', '')))`
  const offset = fragment`(${hours} * 60 + ${minutes}) * if(startsWith(g[8], '-'), -60000, 60000)`
  const zoned = fragment`multiIf(upper(g[8]) = 'Z', a, g[8] = '', ${instantOfWall(zone)},
    ${hours} > 23 or ${minutes} > 59, null, a - ${offset})`
  const moment = bind(fragment`a`, [wall], zoned)
  return bind(
    fragment`y, o, d`,
    [group(1), group(2), group(3)],
    fragment`if(${exists}, ${moment}, null)`,
  )
}

/** Instant of `a`, the face of a clock. The time zones of ClickHouse are wrong before 1970 and after 2105. */
function instantOfWall(name: string): Fragment {
  const { walls, offsets } = wallChanges(zoneOf(name))
  const [first = 0] = offsets
  if (walls.length === 0) return fragment`a - ${double(first)}`
  const list = (numbers: readonly number[]) =>
    fragment`JSONExtract(${JSON.stringify(numbers)}, 'Array(Float64)')`
  const place = fragment`1 + arrayLastIndex(l -> l <= a, ${list(walls)})`
  return fragment`a - arrayElement(${list(offsets)}, ${place})`
}

const BLANKS = String.raw`[\t\n\r\f\v \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]+`
const VERSION =
  '^[vV]?([0-9]{1,15})(?:[.]([0-9]{1,15}))?(?:[.]([0-9]{1,15}))?(-[0-9A-Za-z-]+(?:[.][0-9A-Za-z-]+)*)?(?:[+](?s:.*))?$'

/** `versionKey` of `src/conditions`. */
function versionOf(json: Fragment, key: string): Fragment {
  const part = (place: number) =>
    fragment`leftPad(g[${fragment`toUInt8(${String(place)})`}], 15, '0')`
  const digits = fragment`replaceRegexpOne(i, '^0+([0-9])', ${'\\1'})`
  const numeric = bind(
    fragment`s`,
    [digits],
    fragment`concat('1', leftPad(toString(length(s)), 3, '0'), s, ' ')`,
  )
  const identifier = fragment`if(match(i, '^[0-9]+$'), ${numeric}, concat('2', i, ' '))`
  const identifiers = fragment`arrayStringConcat(arrayMap(i -> ${identifier}, splitByChar('.', substring(g[4], 2))))`
  const tail = fragment`if(g[4] = '', '~', concat('-', ${identifiers}))`
  const keyOf = fragment`if(empty(g), null, concat(${part(1)}, ${part(2)}, ${part(3)}, ${tail}))`
  const trimmed = fragment`replaceRegexpAll(ifNull(${textOf(json, key)}, ''), ${`^${BLANKS}|${BLANKS}$`}, '')`
  const groups = fragment`if(lengthUTF8(v) > 256, [], extractGroups(v, ${VERSION}))`
  return bind(fragment`v`, [trimmed], bind(fragment`g`, [groups], keyOf))
}
