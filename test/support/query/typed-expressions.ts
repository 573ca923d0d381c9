/** Well-typed expressions, with malicious literals and keys. */
import fc from 'fast-check'
import type { Expression, Operator } from '../../../src/query/language/tree.ts'
import { codePoint } from '../code-points.ts'

export type Kinds = {
  readonly text: Expression
  readonly number: Expression
  readonly time: Expression
  readonly condition: Expression
  readonly uuid: Expression
}

const NASTY = [
  "'",
  "''; drop table events; --",
  '\\',
  'a\\',
  '%',
  '_',
  '%\\',
  '$1',
  '$1::text',
  '(',
  '***=',
  '\0',
  '\ud800',
  '😀',
  'ß',
  '\u3000',
  '',
  ' ',
  '1e99',
  '1e-99',
  '-1',
  '0x10',
  'NaN',
  'Infinity',
  '2024-02-30',
  '2024-02-29T10:00:00Z',
  '0001-01-01',
  '9999-12-31 23:59:59.999999999',
  'now',
  'true',
  'null',
  '{}',
  '[1]',
  'epoch',
  'zz'.repeat(300),
  '9'.repeat(400),
  '0.'.padEnd(400, '0'),
]

const harm = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: codePoint, maxLength: 12 }))
const key = fc.oneof(fc.constantFrom('n', 's', 'd', 'b', 'o', 'x', 'missing'), harm)

export const number = (digits: string): Expression => ({ kind: 'number', at: 0, digits })
export const text = (value: string): Expression => ({ kind: 'text', at: 0, value })
export const field = (...path: readonly string[]): Expression => ({ kind: 'field', at: 0, path })
export const call = (name: string, ...args: readonly Expression[]): Expression => ({
  kind: 'call',
  at: 0,
  name,
  args,
})
export const operation = (operator: Operator, ...args: readonly Expression[]): Expression => ({
  kind: 'operation',
  at: 0,
  operator,
  args,
})

const property = fc.oneof(
  key.map((name) => field('properties', name)),
  key.map((name) => field('person', 'properties', name)),
)
const unit = fc
  .constantFrom('second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year')
  .map(text)
const nothing = fc.constant<Expression>({ kind: 'null', at: 0 })

const texts = fc.oneof(
  harm.map(text),
  property,
  fc
    .constantFrom('event', 'distinct_id', 'elements_chain', 'properties')
    .map((name) => field(name)),
  fc.constant(field('person', 'properties')),
)
const numbers = fc.oneof(
  fc
    .constantFrom('0', '1', '2', '2147483648', '9223372036854775807', '1e308', '1e-308')
    .map(number),
  fc.nat().map((value) => number(String(value))),
  property,
  fc.constant(field('team_id')),
)
const times = fc.oneof(
  fc.constantFrom('timestamp', 'created_at').map((name) => field(name)),
  fc.constant(field('person', 'created_at')),
  fc.constant(call('now')),
  property,
)
const uuids = fc.constantFrom(field('uuid'), field('id'), field('person_id'), field('person', 'id'))
const conditions = fc.oneof(
  fc.boolean().map((value): Expression => ({ kind: 'boolean', at: 0, value })),
  property,
)

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const
const STARTS = ['Minute', 'Hour', 'Day', 'Week', 'Month', 'Year'].map((each) => `toStartOf${each}`)

type Any = fc.Arbitrary<Expression>

function one(names: readonly string[], arg: Any): Any {
  return fc.tuple(fc.constantFrom(...names), arg).map(([name, value]) => call(name, value))
}

function two(names: readonly string[], left: Any, right = left): Any {
  return fc
    .tuple(fc.constantFrom(...names), left, right)
    .map(([name, ...values]) => call(name, ...values))
}

function infix(operators: readonly Operator[], left: Any, right = left): Any {
  return fc
    .tuple(fc.constantFrom(...operators), left, right)
    .map(([operator, ...values]) => operation(operator, ...values))
}

/** One of several values of a kind. */
function chosen(condition: Any, value: Any): Any {
  return fc.oneof(
    fc.tuple(condition, value, value).map((args) => call('ifElse', ...args)),
    fc.tuple(condition, value, condition, value, value).map((args) => call('multiIf', ...args)),
    fc.array(fc.oneof(value, nothing), { minLength: 1, maxLength: 3 }).map((args) => {
      return call('coalesce', ...args)
    }),
  )
}

function related(value: Any): Any {
  return fc.oneof(
    infix(COMPARISONS, value),
    fc
      .tuple(fc.constantFrom('in' as const, 'not in' as const), fc.array(value, { minLength: 2 }))
      .map(([operator, args]) => operation(operator, ...args)),
    fc
      .tuple(fc.constantFrom('between' as const, 'not between' as const), value, value, value)
      .map(([operator, ...args]) => operation(operator, ...args)),
  )
}

/** Expressions of each kind, down to a depth of `maxDepth`. */
export function sensible(maxDepth: number): { [Kind in keyof Kinds]: fc.Arbitrary<Expression> } {
  return fc.letrec<Kinds>((tie) => {
    const kinds: KindsOfAny = {
      t: tie('text'),
      n: tie('number'),
      d: tie('time'),
      c: tie('condition'),
      u: tie('uuid'),
    }
    const depth = { maxDepth, depthIdentifier: fc.createDepthIdentifier() }
    return {
      text: fc.oneof(depth, texts, ...textsOver(kinds)),
      number: fc.oneof(depth, numbers, ...numbersOver(kinds)),
      time: fc.oneof(depth, times, ...timesOver(kinds)),
      uuid: fc.oneof(depth, uuids, chosen(kinds.c, kinds.u)),
      condition: fc.oneof(depth, conditions, ...conditionsOver(kinds)),
    }
  })
}

/** Texts, numbers, times (dates), conditions and UUIDs, each of any depth that is left. */
type KindsOfAny = Readonly<Record<'t' | 'n' | 'd' | 'c' | 'u', Any>>

function textsOver({ t, n, d, c, u }: KindsOfAny): readonly Any[] {
  const any = fc.oneof(t, n, d, c, u)
  return [
    one(['lower', 'upper', 'trim'], t),
    one(['toString'], any),
    infix(['||'], any),
    fc.array(any, { minLength: 1, maxLength: 3 }).map((args) => call('concat', ...args)),
    fc.tuple(t, n).map((args) => call('substring', ...args)),
    fc.tuple(t, n, n).map((args) => call('substring', ...args)),
    fc.tuple(fc.constantFrom('replace', 'replaceOne'), t, t, t).map(([name, ...args]) => {
      return call(name, ...args)
    }),
    chosen(c, t),
  ]
}

function numbersOver({ t, n, d, c }: KindsOfAny): readonly Any[] {
  return [
    infix(['+', '-', '*', '/', '%'], n),
    n.map((value) => operation('minus', value)),
    one(['abs', 'floor', 'ceil', 'round'], n),
    fc.tuple(n, fc.nat(15)).map(([value, places]) => call('round', value, number(`${places}`))),
    two(['max2', 'min2'], n),
    one(['length'], t),
    one(['toInt', 'toFloat'], fc.oneof(t, n, d, c)),
    fc.tuple(unit, d, d).map((args) => call('dateDiff', ...args)),
    chosen(c, n),
  ]
}

function timesOver({ t, n, d, c }: KindsOfAny): readonly Any[] {
  return [
    one(['toDateTime', 'toDate'], fc.oneof(t, n, d)),
    one(STARTS, d),
    fc.tuple(unit, d).map((args) => call('dateTrunc', ...args)),
    chosen(c, fc.oneof(d, fc.constant(call('now')))),
  ]
}

function conditionsOver({ t, n, d, c, u }: KindsOfAny): readonly Any[] {
  const any = fc.oneof(t, n, d, c, u)
  return [
    ...[t, n, d, u, c].map(related),
    infix(['like', 'ilike', 'not like', 'not ilike'], t),
    two(['like', 'ilike', 'notLike', 'startsWith', 'endsWith'], t),
    one(['empty', 'notEmpty'], t),
    fc.tuple(fc.constantFrom('is null' as const, 'is not null' as const), any).map(([o, v]) => {
      return operation(o, v)
    }),
    infix(['and', 'or'], c),
    c.map((value) => operation('not', value)),
  ]
}

/** An aggregate of any kind, over expressions of `maxDepth`. */
export function aggregates(maxDepth: number): fc.Arbitrary<Expression> {
  const { text: t, number: n, time: d, condition: c, uuid: u } = sensible(maxDepth)
  const any = fc.oneof(t, n, d, c, u)
  return fc.oneof(
    fc.constant(call('count')),
    c.map((value) => call('countIf', value)),
    fc
      .tuple(fc.constantFrom('countDistinct', 'min', 'max', 'any'), any)
      .map(([name, value]) => call(name, value)),
    fc
      .tuple(fc.constantFrom('countDistinctIf', 'minIf', 'maxIf', 'anyIf'), any, c)
      .map(([name, ...args]) => call(name, ...args)),
    fc.tuple(fc.constantFrom('sum', 'avg'), n).map(([name, value]) => call(name, value)),
    fc.tuple(fc.constantFrom('sumIf', 'avgIf'), n, c).map(([name, ...args]) => call(name, ...args)),
  )
}
