/** Reads the expressions of parameters, and words their errors. */

import { parseJson } from '../../core/json-text/parse-json.ts'
import { EXPRESSION_NODES_MAX } from '../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { Typed } from '../../events/trees/expression.ts'
import type { FilterNode } from '../../events/trees/filter.ts'
import { echo } from '../../wire/details.ts'
import { check, type Scope } from './check.ts'
import { convert } from './convert.ts'
import { parseExpression } from './parser.ts'
import { type Moment, unfit } from './rules.ts'
import type { Budget, Expression, Problem } from './tree.ts'

/** Expressions of `select`, `where` and `orderBy`: in one list, and characters of each. */
const EXPRESSIONS_MAX = 32
export const EXPRESSION_CHARS_MAX = 4_096
/** Characters of the JSON text of one list: every character of it may be escaped. */
const EXPRESSION_LIST_CHARS_MAX = 524_288

/** The budget that all expressions of one query share. */
export function createBudget(): Budget {
  return { nodes: EXPRESSION_NODES_MAX }
}

/**
 * Reads a list: one item for each value, or one value that is a JSON list of texts. Undefined when
 * there is none. An error is a whole sentence.
 */
export function readExpressions(
  values: readonly string[],
): Result<readonly string[] | undefined, string> {
  const [first = '', ...others] = values
  if (others.length > 0) return bounded(values)
  if (first.trim() === '') return ok(undefined)
  return first.trimStart().startsWith('[') ? readExpressionList(first) : bounded([first])
}

/** Reads a JSON list of texts. An error is a whole sentence. */
export function readExpressionList(text: string): Result<readonly string[], string> {
  if (text.length > EXPRESSION_LIST_CHARS_MAX) {
    return err(`The list is longer than ${EXPRESSION_LIST_CHARS_MAX} characters.`)
  }
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    return err('The list is not JSON.')
  }
  if (!Array.isArray(json)) return err(NO_TEXTS)
  const items = json.filter((item: unknown) => typeof item === 'string')
  return items.length === json.length ? bounded(items) : err(NO_TEXTS)
}

const NO_TEXTS = 'Must be a JSON list of expressions, each a text.'

function bounded(items: readonly string[]): Result<readonly string[], string> {
  if (items.length > EXPRESSIONS_MAX) {
    return err(`There are more than ${EXPRESSIONS_MAX} expressions.`)
  }
  const isLong = items.some((item) => item.length > EXPRESSION_CHARS_MAX)
  return isLong
    ? err(`An expression is longer than ${EXPRESSION_CHARS_MAX} characters.`)
    : ok(items)
}

const NO_GROUPS = 'An aggregate has a place only in a query with select'

/** Reads one condition on an event. An error is a whole sentence. */
export function parseCondition(
  text: string,
  budget: Budget,
  moment: Moment,
): Result<Typed, string> {
  if (text.length > EXPRESSION_CHARS_MAX) {
    return err(`An expression is longer than ${EXPRESSION_CHARS_MAX} characters.`)
  }
  const parsed = parseExpression(text, budget)
  const condition = parsed.ok
    ? checkCondition(parsed.value, { ...moment, noAggregates: NO_GROUPS })
    : parsed
  return condition.ok ? condition : err(sentence(condition.error, text))
}

/** Conditions on events, all of which must hold; undefined when there is none. */
export function parseWhere(
  values: readonly string[],
  moment: Moment,
  budget: Budget,
): Result<FilterNode | undefined, string> {
  const texts = readExpressions(values)
  if (!texts.ok) return texts
  const conditions: Typed[] = []
  for (const text of texts.value ?? []) {
    const condition = parseCondition(text, budget, moment)
    if (!condition.ok) return condition
    conditions.push(condition.value)
  }
  return ok(conditionOf(conditions))
}

/** All of the conditions; undefined when there is none. */
export function conditionOf(conditions: readonly Typed[]): FilterNode | undefined {
  if (conditions.length === 0) return undefined
  return { kind: 'and', nodes: conditions.map((tree) => ({ kind: 'expression', tree })) }
}

/** As `check`, for an expression that must be a condition. */
export function checkCondition(expression: Expression, scope: Scope): Result<Typed, Problem> {
  const checked = check(expression, scope)
  if (!checked.ok) return checked
  const condition = convert(checked.value, 'Bool')
  if (condition !== undefined) return ok(condition)
  const { refused } = unfit(checked.value, 'Bool', 0)
  return err({ message: refused, at: expression.at })
}

/** The error as a sentence. Characters are counted from 1, and a surrogate pair counts as one. */
export function sentence({ message, at }: Problem, text: string): string {
  const character = Array.from(text.slice(0, at)).length + 1
  return `${message} at character ${character} of "${echo(text)}".`
}
