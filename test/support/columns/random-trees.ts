/**
 * Random trees of what is asked of events, over keys and values that stores are apt to read
 * differently. Arithmetic has small numbers and halves, which doubles hold: see ADR 102.
 */
import fc from 'fast-check'
import { withWeeks, zoneOf } from '../../../src/core/time/zone.ts'
import type { Typed } from '../../../src/events/trees/expression.ts'
import type { FilterNode } from '../../../src/events/trees/filter.ts'
import type { Operation } from '../../../src/events/trees/operations.ts'
import { TIME_UNITS, type ValueType } from '../../../src/events/trees/value-type.ts'
import { localTimeOf } from '../../../src/query/local-time-of.ts'
import { conditions } from '../conditions/conditions.ts'

export const KEYS = [
  'a',
  'b',
  'n',
  't',
  'a.b',
  '',
  'é',
  'x"a',
  '$set',
  'back\\',
  '{',
  ' "a": ',
] as const

/** JSON texts. */
export const VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0.0',
  '1',
  '1.0',
  '1.50',
  '-1.5',
  '10',
  '9',
  '1e3',
  '1.5e-7',
  '12345678901234567890123',
  '12345678901234567890124',
  '-12345678901234567890123',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '9007199254740993',
  '0.1',
  '0.30000000000000004',
  '1e400',
  '123456789.123456789123456789',
  '1700000000.123456',
  '""',
  '" "',
  '"true"',
  '"null"',
  '"1"',
  '" 1.50\\t"',
  '"1e2"',
  '".5"',
  '"5."',
  '"-.5E-1"',
  '"+7"',
  '"1e100"',
  '"0x1"',
  '"1_0"',
  '"12345678901234567890123"',
  '"\\u00a01"',
  '"1,5"',
  '"2024-02-29"',
  '"2023-02-29"',
  '"1850-06-01T01:02:03.999999Z"',
  '"1965-01-01 00:00"',
  '"2300-12-31T23:59:59.1234567+05:30"',
  '"2026-03-29T02:30:00+0200"',
  '"0001-01-01T00:00:00+14"',
  '"9999-12-31T23:59:59.999999Z"',
  '"2026-10-25T01:59:60Z"',
  '"1700000000"',
  '"-62135596800"',
  '"Ärger"',
  '"ÄRGER"',
  '"straße"',
  '"İstanbul"',
  '"ΟΔΟΣ"',
  '"🎉 Fête"',
  '"%_\\\\"',
  '"a%b"',
  '"line\\nbreak"',
  '"tab\\t\\u0001"',
  '"\\"quoted\\""',
  '"\\\\N"',
  '"\ufffd"',
  '"x {\\"a\\": 1, "',
  '[]',
  '{}',
  '[1, 1.0, {"a": 1.50}]',
  '{"a": 2.5, "n": null}',
  '{"a": {"a": [2]}}',
  '["a"]',
  `"${'long '.repeat(40)}"`,
  `"${'9'.repeat(400)}"`,
]

/** Objects whose keys occur again within their values, also in a text. */
export const NESTED: readonly string[] = [
  '{"": {"a": 2.5}, "a": 1.50}',
  '{"": [{"a": 0.5}, {"n": 9.5}], "n": 0.25, "a": 10.0}',
  '{"": {"a": 0.05}, "a": {"a": {"a": 1.25}}, "b": 1.5}',
  '{"$set": {"a": 0.1, "b": 100.5}, "a": 0.30, "b": 1e-7}',
  String.raw`{"": "{\"a\": 7.5, \\", "a": 12.50, "n": 12345678901234567890123}`,
  '{"": {"b": 12345678901234567890123}, "a": true, "b": "1.0", "n": 1.0, "t": {"n": 3.0}}',
]

const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  'true',
  'null',
  '1',
  '1.0',
  '1.50',
  '10',
  'ärger',
  'STRASSE',
  'i',
  'ς',
  'σ',
  '%',
  '_',
  '%a%',
  '\\',
  'a\\',
  '\\%',
  '\\\\',
  'a_b',
  '%ä%',
  'l%\\',
  '🎉',
  'e',
  "'",
  '"',
  '\n',
  'é',
  '[1, 1.0, {"a": 1.50}]',
  '{"a": 2.5, "n": null}',
  '12345678901234567890123',
  'x {"a": 1, ',
]
const NUMBERS = [
  '0',
  '1',
  '-1.5',
  '1.5',
  '10',
  '100',
  '0.05',
  '0.00000015',
  '0.30000000000000004',
  '1e3',
  '12345678901234567890123',
  '12345678901234567890124',
  '-12345678901234567890122.5',
  '9223372036854775807',
  '9223372036854775808',
  '1700000000',
  '9007199254740993',
]
/** Microseconds since 1970. */
const TIMES = [
  '0',
  '-1',
  '-3771522000000001',
  '-157766400000000',
  '1709164800000000',
  '1774747800000001',
  '10445587199123457',
  '253402300799999999',
  '-62135596800000000',
  '1777246200500000',
]
const UUIDS = ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-0000-4000-8000-000000000001']

const key = fc.constantFrom(...KEYS)

const condition = conditions(Date.parse('2026-11-20T10:00:00.123Z'))

export const propertyTest: fc.Arbitrary<FilterNode> = fc.record({
  kind: fc.constant('property' as const),
  source: fc.constant('event' as const),
  key,
  condition,
})

type Trees = Readonly<
  Record<'text' | 'exact' | 'small' | 'truth' | 'time' | 'uuid', fc.Arbitrary<Typed>>
>

export function apply(
  operation: Operation,
  type: ValueType,
  args: readonly Typed[],
  more = {},
): Typed {
  // The tests of trees check signatures; here they hold by construction.
  return { kind: 'apply', operation, type, args, ...more } as Typed
}

function constants(type: ValueType, values: readonly string[]): fc.Arbitrary<Typed> {
  return fc.constantFrom(...values).map((value) => ({ kind: 'constant', type, value }))
}

function field(name: Extract<Typed, { kind: 'field' }>['field'], type: ValueType): Typed {
  return { kind: 'field', type, field: name }
}

const property: fc.Arbitrary<Typed> = key.map((name) => ({
  kind: 'property',
  type: 'String',
  source: 'event',
  key: name,
}))
const read = property.map((text) => apply('read_number', 'Float64', [text]))
const none = (type: ValueType): fc.Arbitrary<Typed> => fc.constant({ kind: 'null', type })

const LEAVES: Trees = {
  text: fc.oneof(
    { arbitrary: property, weight: 4 },
    { arbitrary: constants('String', TEXTS), weight: 2 },
    fc.constantFrom(field('event', 'String'), field('distinct_id', 'String')),
    fc.constantFrom(field('elements_chain', 'String'), field('properties', 'String')),
    none('String'),
  ),
  exact: fc.oneof(
    { arbitrary: read, weight: 3 },
    { arbitrary: constants('Float64', NUMBERS), weight: 2 },
    none('Float64'),
  ),
  small: fc.oneof(
    constants('Float64', ['0', '1', '-1', '0.5', '2.5', '-7', '12', '0.25']),
    property.map((text) =>
      apply('length', 'UInt64', [
        apply('substring', 'String', [text, constant('1'), constant('9')]),
      ]),
    ),
    none('Int64'),
  ),
  truth: fc.oneof(
    constants('Bool', ['true', 'false']),
    property.map((text) => apply('read_condition', 'Bool', [text])),
    none('Bool'),
  ),
  time: fc.oneof(
    constants('DateTime', TIMES),
    fc.constantFrom(field('timestamp', 'DateTime'), field('created_at', 'DateTime')),
    property.map((text) => apply('read_time', 'DateTime', [text])),
    property.map((text) => apply('read_iso_time', 'DateTime', [text])),
    none('DateTime'),
  ),
  uuid: fc.oneof(constants('UUID', UUIDS), fc.constant(field('uuid', 'UUID')), none('UUID')),
}

function constant(value: string): Typed {
  return { kind: 'constant', type: 'Int64', value }
}

function op(
  operation: Operation,
  type: ValueType,
  ...args: fc.Arbitrary<Typed>[]
): fc.Arbitrary<Typed> {
  return fc.tuple(...args).map((all) => apply(operation, type, all))
}

function several(
  operation: Operation,
  type: ValueType,
  of: fc.Arbitrary<Typed>,
): fc.Arbitrary<Typed> {
  const args = fc.array(of, { minLength: 2, maxLength: 4 })
  return args.map((all) => apply(operation, type, all))
}

function choices(type: ValueType, of: fc.Arbitrary<Typed>, truth: fc.Arbitrary<Typed>) {
  return [
    several('coalesce', type, of),
    op('choose', type, of, truth, of),
    op('choose', type, of, truth, of, truth, of),
  ]
}

/** Trees of each type, at most so many operations above each other. */
export function trees(depth: number): Trees {
  if (depth === 0) return LEAVES
  const less = trees(depth - 1)
  return {
    text: textsOver(less),
    exact: exactOver(less),
    small: smallOver(less),
    truth: truthsOver(less),
    time: timesOver(less),
    uuid: fc.oneof(less.uuid, ...choices('UUID', less.uuid, less.truth)),
  }
}

function textsOver({ text, exact, small, truth, time, uuid }: Trees): fc.Arbitrary<Typed> {
  const numbers = fc.oneof(exact, small)
  return fc.oneof(
    { arbitrary: text, weight: 3 },
    ...choices('String', text, truth),
    op('text', 'String', fc.oneof(exact, small, truth, time, uuid, text)),
    ...(['lower', 'upper', 'trim'] as const).map((name) => op(name, 'String', text)),
    several('concat', 'String', text),
    op('substring', 'String', text, numbers),
    op('substring', 'String', text, numbers, numbers),
    op('replace', 'String', text, text, text),
    op('replace_first', 'String', text, text, text),
  )
}

function exactOver({ text, exact, truth, time }: Trees): fc.Arbitrary<Typed> {
  return fc.oneof(
    { arbitrary: exact, weight: 3 },
    ...choices('Float64', exact, truth),
    op('greatest', 'Float64', exact, exact),
    op('least', 'Float64', exact, exact),
    op('number', 'Float64', exact),
    op('read_number', 'Float64', text),
    op('seconds_of_time', 'Float64', time),
  )
}

function smallOver({ small, truth }: Trees): fc.Arbitrary<Typed> {
  const divisors = constants('Float64', ['0.5', '2', '-4', '0', '0.25'])
  return fc.oneof(
    { arbitrary: small, weight: 3 },
    ...choices('Float64', small, truth),
    ...(['add', 'subtract', 'multiply', 'greatest', 'least'] as const).map((name) =>
      op(name, 'Float64', small, small),
    ),
    ...(['negate', 'abs', 'floor', 'ceil'] as const).map((name) => op(name, 'Float64', small)),
    ...(['divide', 'modulo'] as const).map((name) => op(name, 'Float64', small, divisors)),
    fc
      .tuple(fc.integer({ min: -2, max: 3 }), small)
      .map(([digits, value]) => apply('round', 'Float64', [value], { digits })),
    op('number_of_condition', 'Int64', truth),
  )
}

const COMPARISONS = [
  ...(['equal', 'unequal', 'less', 'less_or_equal', 'greater', 'greater_or_equal'] as const),
] as const
const TESTS_OF_TEXTS = [
  ...(['like', 'ilike', 'not_like', 'not_ilike', 'starts_with', 'ends_with'] as const),
] as const

function truthsOver({ text, exact, small, truth, time, uuid }: Trees): fc.Arbitrary<Typed> {
  const alike = fc.constantFrom(text, exact, small, fc.oneof(exact, small), truth, time, uuid)
  const of = (name: Operation, count: number) =>
    alike.chain((kind) => op(name, 'Bool', ...Array.from({ length: count }, () => kind)))
  return fc.oneof(
    { arbitrary: truth, weight: 2 },
    several('and', 'Bool', truth),
    several('or', 'Bool', truth),
    op('not', 'Bool', truth),
    ...choices('Bool', truth, truth),
    ...COMPARISONS.map((name) => of(name, 2)),
    ...(['between', 'not_between'] as const).map((name) => of(name, 3)),
    ...(['in', 'not_in'] as const).map((name) =>
      alike.chain((kind) => several(name, 'Bool', kind)),
    ),
    ...(['is_null', 'is_not_null'] as const).map((name) => of(name, 1)),
    ...TESTS_OF_TEXTS.map((name) => op(name, 'Bool', text, text)),
    op('is_empty', 'Bool', text),
    op('is_not_empty', 'Bool', text),
  )
}

function timesOver({ text, exact, truth, time }: Trees): fc.Arbitrary<Typed> {
  return fc.oneof(
    { arbitrary: time, weight: 3 },
    ...choices('DateTime', time, truth),
    fc
      .tuple(fc.constantFrom(...TIME_UNITS), time, fc.constantFrom(...LOCAL_TIMES))
      .map(([unit, value, local]) => apply('start_of', 'DateTime', [value], { unit, local })),
    op('read_time', 'DateTime', text),
    op('time_of_seconds', 'DateTime', exact),
  )
}

const LOCAL_TIMES = [
  undefined,
  ...['America/Santiago', 'Australia/Lord_Howe', 'Asia/Kolkata'].map((name) =>
    localTimeOf(zoneOf(name)),
  ),
  ...['UTC', 'America/Santiago'].map((name) => localTimeOf(withWeeks(zoneOf(name), 0))),
]

/** Numbers of operations that give no small ones. */
export const wholes = (depth: number): fc.Arbitrary<Typed> => {
  const less = trees(depth)
  return fc.oneof(
    fc.oneof(less.exact, less.small).map((value) => apply('whole', 'Int64', [value])),
    less.text.map((value) => apply('length', 'UInt64', [value])),
    fc
      .tuple(fc.constantFrom(...TIME_UNITS), less.time, less.time, fc.constantFrom(...LOCAL_TIMES))
      .map(([unit, from, to, local]) => apply('difference', 'Int64', [from, to], { unit, local })),
    fc
      .tuple(fc.integer({ min: 0, max: 6 }), less.exact)
      .map(([digits, value]) => apply('round', 'Float64', [value], { digits })),
  )
}

export function filters(depth: number): fc.Arbitrary<FilterNode> {
  const leaf: fc.Arbitrary<FilterNode> = fc.oneof(
    { arbitrary: propertyTest, weight: 4 },
    trees(2).truth.map((tree) => ({ kind: 'expression' as const, tree })),
    fc.constantFrom('seen', 'é', 'none').map((event) => ({ kind: 'named' as const, event })),
  )
  if (depth === 0) return leaf
  const nodes = fc.array(filters(depth - 1), { maxLength: 3 })
  return fc.oneof(
    { arbitrary: leaf, weight: 2 },
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), nodes }),
  )
}

/** Aggregates, as texts. */
export function aggregates(depth: number): fc.Arbitrary<Typed> {
  const { text, exact, small, truth, time, uuid } = trees(depth)
  const whens = fc.option(truth, { nil: undefined })
  const any = fc.oneof(text, exact, small, truth, time, uuid)
  const of = (operation: Operation, type: ValueType | 'same', value: fc.Arbitrary<Typed>) =>
    fc.tuple(value, whens).map(([first, when]) => {
      const args = when === undefined ? [first] : [first, when]
      return apply(operation, type === 'same' ? first.type : type, args)
    })
  const six = (value: Typed) => apply('round', 'Float64', [value], { digits: 6 })
  return fc
    .oneof(
      whens.map((when) => apply('count', 'UInt64', when === undefined ? [] : [when])),
      of('count_distinct', 'UInt64', any),
      of('sum', 'Float64', small),
      of('avg', 'Float64', small).map(six),
      of('min', 'same', any),
      of('max', 'same', any),
    )
    .map((value) => apply('text', 'String', [value]))
}
