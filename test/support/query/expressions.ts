/** Expressions for tests: how they are written, and any number of them. */
import fc from 'fast-check'
import type { Expression, Operator } from '../../../src/query/language/tree.ts'
import { OPERATORS } from '../../../src/query/language/tree.ts'
import { codePoint } from '../code-points.ts'

/** Binding strength of operators: an operand that binds less needs brackets. */
const LEVELS: Readonly<Record<Operator, number>> = {
  or: 1,
  and: 2,
  not: 3,
  '=': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  like: 4,
  ilike: 4,
  'not like': 4,
  'not ilike': 4,
  in: 4,
  'not in': 4,
  between: 4,
  'not between': 4,
  'is null': 4,
  'is not null': 4,
  '+': 5,
  '-': 5,
  '||': 5,
  '*': 6,
  '/': 6,
  '%': 6,
  minus: 7,
}

/** The text of an expression with no more brackets than it needs. */
export function print(expression: Expression, atLeast = 0): string {
  switch (expression.kind) {
    case 'number':
      return expression.digits
    case 'text':
      return quoted(expression.value, "'")
    case 'boolean':
      return String(expression.value)
    case 'null':
      return 'null'
    case 'field':
      return expression.path.map((part, index) => (index === 0 ? part : keyText(part))).join('')
    case 'call':
      return `${expression.name}(${expression.args.map((arg) => print(arg)).join(', ')})`
    case 'operation': {
      const text = printOperation(expression.operator, expression.args)
      return LEVELS[expression.operator] < atLeast ? `(${text})` : text
    }
    default:
      return expression satisfies never
  }
}

function printOperation(operator: Operator, args: readonly Expression[]): string {
  const level = LEVELS[operator]
  const [first, second, third] = args.map((arg) => (atLeast: number) => print(arg, atLeast))
  const one = (atLeast: number) => first?.(atLeast) ?? ''
  const two = (atLeast: number) => second?.(atLeast) ?? ''
  switch (operator) {
    case 'or':
    case 'and':
      return args.map((arg) => print(arg, level + 1)).join(` ${operator} `)
    case 'not':
      return `not ${one(level)}`
    case 'minus':
      // Two signs would begin a comment.
      return `- ${one(level)}`
    case 'is null':
    case 'is not null':
      return `${one(5)} ${operator}`
    case 'in':
    case 'not in':
      return `${one(5)} ${operator} [${args
        .slice(1)
        .map((arg) => print(arg))
        .join()}]`
    case 'between':
    case 'not between':
      return `${one(5)} ${operator} ${two(5)} and ${third?.(5) ?? ''}`
    default:
      return level === 4
        ? `${one(5)} ${operator} ${two(5)}`
        : `${one(level)} ${operator} ${two(level === 6 ? 7 : 6)}`
  }
}

function quoted(text: string, quote: string): string {
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`
}

const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/

function keyText(key: string): string {
  if (NAME.test(key)) return `.${key}`
  return key.length % 2 === 0 ? `.${quoted(key, '`')}` : `[${quoted(key, '"')}]`
}

/** The same tree without the places where its parts were written. */
export function withoutPlaces(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (name, value) => (name === 'at' ? undefined : value)),
  )
}

const WORDS = new Set(['and', 'or', 'not', 'in', 'like', 'ilike', 'between', 'is'])
const CONSTANTS = new Set(['null', 'true', 'false'])
const name = fc
  .stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,6}$/)
  .filter((text) => !WORDS.has(text.toLowerCase()) && !CONSTANTS.has(text.toLowerCase()))

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .oneof(fc.nat().map(String), fc.constantFrom('1.5', '0.25e3', '2E-7', '9223372036854775808'))
    .map((digits): Expression => ({ kind: 'number', at: 0, digits })),
  fc
    .string({ unit: codePoint, maxLength: 8 })
    .map((value): Expression => ({ kind: 'text', at: 0, value })),
  fc.boolean().map((value): Expression => ({ kind: 'boolean', at: 0, value })),
  fc.constant<Expression>({ kind: 'null', at: 0 }),
  fc
    .tuple(name, fc.array(fc.string({ unit: codePoint, maxLength: 6 }), { maxLength: 3 }))
    .map(([first, keys]): Expression => ({ kind: 'field', at: 0, path: [first, ...keys] })),
)

const ARITY: Readonly<Partial<Record<Operator, readonly [number, number]>>> = {
  or: [2, 4],
  and: [2, 4],
  not: [1, 1],
  minus: [1, 1],
  in: [2, 4],
  'not in': [2, 4],
  between: [3, 3],
  'not between': [3, 3],
  'is null': [1, 1],
  'is not null': [1, 1],
}

/** An operation of every operator, and calls of functions of these names. */
export function composed(
  part: fc.Arbitrary<Expression>,
  names: fc.Arbitrary<string>,
): fc.Arbitrary<Expression> {
  const operation = fc.constantFrom(...OPERATORS).chain((operator) => {
    const [minLength, maxLength] = ARITY[operator] ?? [2, 2]
    return fc
      .array(part, { minLength, maxLength })
      .map((args): Expression => ({ kind: 'operation', at: 0, operator, args }))
  })
  const call = fc
    .tuple(names, fc.array(part, { maxLength: 4 }))
    .map(([called, args]): Expression => ({ kind: 'call', at: 0, name: called, args }))
  return fc.oneof(operation, call)
}

/** Any expression that can be written, whether it means something or not. */
export const anyExpression: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof({ maxDepth: 4 }, leaf, composed(tie('tree'), fc.oneof(name, fc.constant('like')))),
})).tree
