/** The syntax tree of expressions, as the parser makes it. */

export const OPERATORS = [
  'or',
  'and',
  'not',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'like',
  'ilike',
  'not like',
  'not ilike',
  'in',
  'not in',
  'between',
  'not between',
  'is null',
  'is not null',
  '+',
  '-',
  '||',
  '*',
  '/',
  '%',
  'minus',
] as const

/** `minus` is the sign, `-` the operator between two values. */
export type Operator = (typeof OPERATORS)[number]

/** `at` is the index in the text, in UTF-16 units, where the part begins. */
export type Expression =
  | { readonly kind: 'number'; readonly at: number; readonly digits: string }
  | { readonly kind: 'text'; readonly at: number; readonly value: string }
  | { readonly kind: 'boolean'; readonly at: number; readonly value: boolean }
  | { readonly kind: 'null'; readonly at: number }
  /** A name and the keys after it. */
  | { readonly kind: 'field'; readonly at: number; readonly path: readonly string[] }
  | {
      readonly kind: 'call'
      readonly at: number
      readonly name: string
      readonly args: readonly Expression[]
    }
  /** `or` and `and` have two or more operands; `in` has a value and its list. */
  | {
      readonly kind: 'operation'
      readonly at: number
      readonly operator: Operator
      readonly args: readonly Expression[]
    }

/** `*`, the whole event. It is an item of `select` and cannot be part of an expression. */
export type Star = { readonly kind: 'star'; readonly at: number }

/** Error in a text, and its index there. The message is the beginning of a sentence. */
export type Problem = { readonly message: string; readonly at: number }

/** How many more parts the expressions of one query may have. All of them share it. */
export type Budget = { nodes: number }

/** The same text for equal expressions, whatever their spaces. */
export function canonical(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return `n${expression.digits.toLowerCase()}`
    case 'text':
      return JSON.stringify(expression.value)
    case 'boolean':
      return `b${expression.value}`
    case 'null':
      return '0'
    case 'field':
      return `f${JSON.stringify(expression.path)}`
    case 'call':
      return `c${expression.name}(${expression.args.map(canonical).join()})`
    case 'operation':
      return `o${expression.operator}(${expression.args.map(canonical).join()})`
    default:
      return expression satisfies never
  }
}
