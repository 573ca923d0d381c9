/** Parses expressions. */
import type { Result } from '../../core/result.ts'
import { Cursor } from './cursor.ts'
import { type Token, tokenize } from './lexer.ts'
import { ProblemRaised, settled } from './problem.ts'
import type { Budget, Expression, Operator, Problem, Star } from './tree.ts'

/** A longer number is refused. A double needs fewer characters. */
const NUMBER_CHARS_MAX = 100

/**
 * Reads one expression; `docs/QUERYING.md` describes the language. Time is linear in the text, depth
 * and parts are bounded. Never throws.
 */
export function parseExpression(text: string, budget: Budget): Result<Expression, Problem> {
  return parseWith(text, budget, parseOr)
}

/** An item of `select`: an expression, or `*` alone. */
export function parseSelectItem(text: string, budget: Budget): Result<Expression | Star, Problem> {
  return parseWith<Expression | Star>(text, budget, (cursor) => {
    if (!cursor.isSymbol('*') || cursor.peek(1).kind !== 'end') return parseOr(cursor)
    return { kind: 'star', at: cursor.next().at }
  })
}

export type OrderItem = { readonly expression: Expression; readonly descending: boolean }

/** An item of `orderBy`: an expression, or one after a `-`. */
export function parseOrderItem(text: string, budget: Budget): Result<OrderItem, Problem> {
  return parseWith(text, budget, (cursor) => {
    const descending = cursor.takeSymbol('-')
    return { expression: parseOr(cursor), descending }
  })
}

function parseWith<T>(
  text: string,
  budget: Budget,
  parse: (cursor: Cursor) => T,
): Result<T, Problem> {
  const tokens = tokenize(text)
  if (!tokens.ok) return tokens
  const cursor = new Cursor(tokens.value, budget)
  return settled(() => {
    const parsed = parse(cursor)
    if (cursor.peek().kind !== 'end') cursor.fail('Expected the end')
    return parsed
  })
}

function parseOr(cursor: Cursor): Expression {
  return parseList(cursor, 'or', parseAnd)
}

function parseAnd(cursor: Cursor): Expression {
  return parseList(cursor, 'and', parseNot)
}

function parseList(
  cursor: Cursor,
  operator: 'or' | 'and',
  parse: (cursor: Cursor) => Expression,
): Expression {
  const first = parse(cursor)
  const args = [first]
  while (cursor.takeKeyword(operator)) args.push(parse(cursor))
  return args.length === 1 ? first : operation(cursor, first.at, operator, args)
}

function parseNot(cursor: Cursor): Expression {
  const { at } = cursor.peek()
  if (!cursor.takeKeyword('not')) return parseComparison(cursor)
  const operand = cursor.nested(() => parseNot(cursor))
  return operation(cursor, at, 'not', [operand])
}

const COMPARISONS: ReadonlyMap<string, Operator> = new Map([
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
])

/** An operation is placed at its operator: problems with its operands are reported there. */
function parseComparison(cursor: Cursor): Expression {
  const left = parseSum(cursor)
  const { at, kind, source } = cursor.peek()
  const comparison = kind === 'symbol' ? COMPARISONS.get(source) : undefined
  if (comparison !== undefined) {
    cursor.next()
    return operation(cursor, at, comparison, [left, parseSum(cursor)])
  }
  if (cursor.takeKeyword('is')) {
    const operator = cursor.takeKeyword('not') ? 'is not null' : 'is null'
    cursor.expectKeyword('null')
    return operation(cursor, at, operator, [left])
  }
  const isNegated = cursor.keyword() === 'not'
  const word = cursor.keyword(isNegated ? 1 : 0)
  if (word !== 'like' && word !== 'ilike' && word !== 'in' && word !== 'between') return left
  if (isNegated) cursor.next()
  cursor.next()
  return operation(cursor, at, isNegated ? `not ${word}` : word, [
    left,
    ...operandsOf(cursor, word),
  ])
}

function operandsOf(cursor: Cursor, word: 'like' | 'ilike' | 'in' | 'between'): Expression[] {
  switch (word) {
    case 'like':
    case 'ilike':
      return [parseSum(cursor)]
    case 'in': {
      const isSquare = cursor.takeSymbol('[')
      if (!isSquare) cursor.expectSymbol('(')
      return cursor.nested(() => parseItems(cursor, isSquare ? ']' : ')'))
    }
    case 'between': {
      const low = parseSum(cursor)
      cursor.expectKeyword('and')
      return [low, parseSum(cursor)]
    }
    default:
      return word satisfies never
  }
}

/** One or more expressions and the closing bracket. */
function parseItems(cursor: Cursor, close: ')' | ']'): Expression[] {
  const items = [parseOr(cursor)]
  while (cursor.takeSymbol(',')) items.push(parseOr(cursor))
  cursor.expectSymbol(close)
  return items
}

function parseSum(cursor: Cursor): Expression {
  return parseChain(cursor, ['+', '-', '||'], parseProduct)
}

function parseProduct(cursor: Cursor): Expression {
  return parseChain(cursor, ['*', '/', '%'], parseSigned)
}

function parseChain(
  cursor: Cursor,
  operators: readonly ('+' | '-' | '||' | '*' | '/' | '%')[],
  parse: (cursor: Cursor) => Expression,
): Expression {
  let left = parse(cursor)
  while (true) {
    const operator = operators.find((each) => cursor.isSymbol(each))
    if (operator === undefined) return left
    const { at } = cursor.next()
    left = operation(cursor, at, operator, [left, parse(cursor)])
  }
}

function parseSigned(cursor: Cursor): Expression {
  const { at } = cursor.peek()
  if (!cursor.takeSymbol('-')) return parsePrimary(cursor)
  const operand = cursor.nested(() => parseSigned(cursor))
  return operation(cursor, at, 'minus', [operand])
}

function parsePrimary(cursor: Cursor): Expression {
  const { kind, at, value } = cursor.peek()
  switch (kind) {
    case 'number':
      return parseNumber(cursor)
    case 'text':
      cursor.next()
      return cursor.made({ kind, at, value })
    case 'name':
      return parseNamed(cursor)
    default:
      break
  }
  if (!cursor.takeSymbol('(')) cursor.fail('Expected a value')
  const inner = cursor.nested(() => parseOr(cursor))
  cursor.expectSymbol(')')
  return inner
}

function parseNumber(cursor: Cursor): Expression {
  const { at, source } = cursor.peek()
  if (source.length > NUMBER_CHARS_MAX || !Number.isFinite(Number(source))) {
    throw new ProblemRaised('A number is too large', at)
  }
  cursor.next()
  return cursor.made({ kind: 'number', at, digits: source })
}

function parseNamed(cursor: Cursor): Expression {
  const { at, source } = cursor.peek()
  const word = cursor.keyword()
  const isCall = cursor.isSymbol('(', 1)
  if (word === 'true' || word === 'false' || word === 'null') {
    cursor.next()
    return cursor.made(
      word === 'null' ? { kind: 'null', at } : { kind: 'boolean', at, value: word === 'true' },
    )
  }
  const isFunction = word === 'like' || word === 'ilike'
  if (word !== undefined && !(isFunction && isCall)) cursor.fail('Expected a value')
  cursor.next()
  return isCall ? parseCall(cursor, at, word ?? source) : parseField(cursor, at, source)
}

function parseCall(cursor: Cursor, at: number, name: string): Expression {
  cursor.expectSymbol('(')
  const args = cursor.takeSymbol(')') ? [] : cursor.nested(() => parseItems(cursor, ')'))
  return cursor.made({ kind: 'call', at, name, args })
}

function parseField(cursor: Cursor, at: number, name: string): Expression {
  const path = [name]
  while (true) {
    if (cursor.takeSymbol('.')) {
      const key = cursor.peek()
      if (!isKey(key)) cursor.fail('Expected a key')
      path.push(cursor.next().value)
    } else if (cursor.takeSymbol('[')) {
      if (cursor.peek().kind !== 'text') cursor.fail('Expected a key in quotes')
      path.push(cursor.next().value)
      cursor.expectSymbol(']')
    } else {
      return cursor.made({ kind: 'field', at, path })
    }
  }
}

/** After a dot, a text in double quotes or a keyword is a key too. */
function isKey({ kind, source }: Token): boolean {
  return kind === 'name' || kind === 'key' || (kind === 'text' && source.startsWith('"'))
}

function operation(
  cursor: Cursor,
  at: number,
  operator: Operator,
  args: readonly Expression[],
): Expression {
  return cursor.made({ kind: 'operation', at, operator, args })
}
