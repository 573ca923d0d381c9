/** Checks a parsed expression: it finds fields and functions, and gives every part a type. */
import { cleanText } from '../../core/clean-text.ts'
import type { Result } from '../../core/result.ts'
import {
  FIELDS,
  type FieldName,
  type PlainOperation,
  type Typed,
} from '../../events/trees/expression.ts'
import type { ValueType } from '../../events/trees/value-type.ts'
import { echo } from '../../wire/details.ts'
import { AGGREGATES } from './aggregates.ts'
import { concatenated, FUNCTIONS } from './functions.ts'
import { ProblemRaised, settled } from './problem.ts'
import { alike, isRefusal, MANY, type Moment, numeric, type Rule, taking, widest } from './rules.ts'
import { canonical, type Expression, type Operator, type Problem } from './tree.ts'
import { apply, isProperty } from './typed.ts'

/** The names under which an expression finds the fields of events. */
const PATHS: ReadonlyMap<string, FieldName> = new Map([
  // The keys of a record of field names are field names.
  ...(Object.keys(FIELDS) as FieldName[]).map((name) => [name, name] as const),
  ['id', 'uuid'],
  ['person_id', 'person.id'],
])

/** The field of a name and its keys; undefined when there is none. */
export function fieldOf(path: readonly string[]): Typed | undefined {
  const [first, second, third] = path
  if (first === 'properties' && second !== undefined && path.length === 2) {
    return { kind: 'property', type: 'String', source: 'event', key: second }
  }
  if (first === 'person' && second === 'properties' && third !== undefined && path.length === 3) {
    return { kind: 'property', type: 'String', source: 'person', key: third }
  }
  const field = PATHS.get(path.join('.'))
  return field === undefined ? undefined : { kind: 'field', type: FIELDS[field].type, field }
}

/** Context of an expression: where it is used, and what it may refer to. */
export type Scope = Moment & {
  /**
   * The groups that the expression is evaluated for. Without groups it is evaluated for each event.
   */
  readonly grouping?: Grouping
  /** The error for an aggregate where there is no grouping. */
  readonly noAggregates: string
}

/** The keys of a grouped query, and the aggregates that its expressions use. */
export type Grouping = {
  readonly keys: Column[]
  readonly aggregates: Column[]
}
export type Column = { readonly canonical: string; readonly value: Typed }

/** Finds fields and functions, and checks types. Never throws. */
export function check(expression: Expression, scope: Scope): Result<Typed, Problem> {
  return settled(() => understand(expression, scope))
}

export function hasAggregate(expression: Expression): boolean {
  if (expression.kind === 'call' && AGGREGATES.has(expression.name)) return true
  return 'args' in expression && expression.args.some(hasAggregate)
}

/** The index of the expression's column, which is added when it is missing. */
export function columnOf(columns: Column[], name: string, make: () => Typed): number {
  const known = columns.findIndex((column) => column.canonical === name)
  if (known !== -1) return known
  columns.push({ canonical: name, value: make() })
  return columns.length - 1
}

/** @throws {ProblemRaised} */
function understand(expression: Expression, scope: Scope): Typed {
  switch (expression.kind) {
    case 'number':
      return numberConstant(expression.digits)
    case 'text':
      return { kind: 'constant', type: 'String', value: cleanText(expression.value) }
    case 'boolean':
      return { kind: 'constant', type: 'Bool', value: String(expression.value) }
    case 'null':
      return { kind: 'null', type: 'String' }
    case 'field':
      return keyOf(expression, scope) ?? fieldIn(expression, scope)
    case 'operation':
      return (
        keyOf(expression, scope) ?? applied(OPERATOR_RULES[expression.operator], expression, scope)
      )
    case 'call':
      return keyOf(expression, scope) ?? called(expression, scope)
    default:
      return expression satisfies never
  }
}

const INT64_MAX = 2n ** 63n - 1n

function numberConstant(digits: string): Typed {
  const isWhole = /^\d+$/.test(digits) && BigInt(digits) <= INT64_MAX
  return { kind: 'constant', type: isWhole ? 'Int64' : 'Float64', value: digits }
}

/** The key of the groups that this expression is, as a column; `undefined` when it is none. */
function keyOf(expression: Expression, { grouping }: Scope): Typed | undefined {
  if (grouping === undefined) return undefined
  const name = canonical(expression)
  const place = grouping.keys.findIndex((key) => key.canonical === name)
  const key = grouping.keys[place]
  if (key === undefined) return undefined
  const { value } = key
  return { kind: 'column', of: 'key', type: value.type, place, isProperty: isProperty(value) }
}

function fieldIn(expression: Extract<Expression, { kind: 'field' }>, scope: Scope): Typed {
  const { path, at } = expression
  const name = echo(path.join('.'))
  const field = fieldOf(path.map(cleanText))
  if (field === undefined) throw new ProblemRaised(fieldProblem(path, name), at)
  if (scope.grouping === undefined) return field
  const message = `"${name}" is neither selected as it is nor within an aggregate`
  throw new ProblemRaised(message, at)
}

function fieldProblem(path: readonly string[], name: string): string {
  const [first, second] = path
  if (path.length === 1 && first === 'person') {
    return `"${name}" stands as a whole item of select only`
  }
  const isDeep = first === 'properties' || (first === 'person' && second === 'properties')
  if (isDeep) return `"${name}" names more than one key: put a key with dots into quotes`
  return `Unknown field "${name}"`
}

type Call = Extract<Expression, { kind: 'call' | 'operation' }>

function called(call: Extract<Expression, { kind: 'call' }>, scope: Scope): Typed {
  const aggregate = AGGREGATES.get(call.name)
  if (aggregate !== undefined) return aggregated(aggregate, call, scope)
  const rule = FUNCTIONS.get(call.name)
  if (rule !== undefined) return applied(rule, call, scope)
  throw new ProblemRaised(`Unknown function "${echo(call.name)}"`, call.at)
}

const NESTED = 'An aggregate within an aggregate'

function aggregated(rule: Rule, call: Call, scope: Scope): Typed {
  const { grouping, nowMs, local } = scope
  if (grouping === undefined) throw new ProblemRaised(scope.noAggregates, call.at)
  const inner = { nowMs, local, noAggregates: NESTED }
  const place = columnOf(grouping.aggregates, canonical(call), () => applied(rule, call, inner))
  const { type } = grouping.aggregates[place]?.value ?? { type: 'Float64' }
  return { kind: 'column', of: 'aggregate', type, place, isProperty: false }
}

function applied(rule: Rule, call: Call, scope: Scope): Typed {
  const { args, at } = call
  if (args.length < rule.arityMin || args.length > rule.arityMax) {
    throw new ProblemRaised(arityProblem(call, rule), at)
  }
  const result = rule.apply(
    args.map((arg) => understand(arg, scope)),
    scope,
  )
  if (!isRefusal(result)) return result
  const blamed = result.argument === undefined ? undefined : args[result.argument]
  throw new ProblemRaised(result.refused, blamed?.at ?? at)
}

function arityProblem(call: Call, { arityMin, arityMax }: Rule): string {
  const name = call.kind === 'call' ? call.name : call.operator
  const count =
    arityMin === arityMax
      ? `${arityMin}`
      : arityMax === MANY
        ? `${arityMin} or more`
        : `${arityMin} to ${arityMax}`
  const noun = count === '1' ? 'argument' : 'arguments'
  return `"${echo(name)}" takes ${count} ${noun}, not ${call.args.length}`
}

/** The operators of the expression language. */
const OPERATOR_RULES: Readonly<Record<Operator, Rule>> = {
  or: conditions('or'),
  and: conditions('and'),
  not: taking(['Bool'], 'Bool', 'not'),

  '=': alike([2, 2], 'Bool', 'equal'),
  '!=': alike([2, 2], 'Bool', 'unequal'),
  '<': alike([2, 2], 'Bool', 'less'),
  '<=': alike([2, 2], 'Bool', 'less_or_equal'),
  '>': alike([2, 2], 'Bool', 'greater'),
  '>=': alike([2, 2], 'Bool', 'greater_or_equal'),
  between: alike([3, 3], 'Bool', 'between'),
  'not between': alike([3, 3], 'Bool', 'not_between'),
  in: alike([2, MANY], 'Bool', 'in'),
  'not in': alike([2, MANY], 'Bool', 'not_in'),
  'is null': ofAny('is_null'),
  'is not null': ofAny('is_not_null'),

  like: taking(['String', 'String'], 'Bool', 'like'),
  ilike: taking(['String', 'String'], 'Bool', 'ilike'),
  'not like': taking(['String', 'String'], 'Bool', 'not_like'),
  'not ilike': taking(['String', 'String'], 'Bool', 'not_ilike'),

  '+': numeric(2, widest, 'add'),
  '-': numeric(2, widest, 'subtract'),
  '*': numeric(2, widest, 'multiply'),
  '/': numeric(2, () => 'Float64', 'divide'),
  '%': numeric(2, widest, 'modulo'),
  minus: numeric(1, widest, 'negate'),
  '||': { arityMin: 2, arityMax: MANY, apply: concatenated },
}

function ofAny(operation: PlainOperation): Rule {
  return { arityMin: 1, arityMax: 1, apply: (args) => apply('Bool', operation, args) }
}

function conditions(operation: PlainOperation): Rule {
  return {
    arityMin: 2,
    arityMax: MANY,
    apply: (args, at) => {
      const wants = args.map((): ValueType => 'Bool')
      return taking(wants, 'Bool', operation).apply(args, at)
    },
  }
}
