/**
 * Filters of expressions. An address of events holds expressions alone: a part that is a simple
 * comparison is a filter, exactly as `expression.ts` writes it, and every other part is a filter
 * with its text. Only the server says whether an expression is right: when this reads less than
 * the server does, more is shown as text, and the question is the same.
 */
import { isBare, type PropertyFilter } from './filter.ts'
import { type Token, tokensOf } from './tokens.ts'

/** One condition that says all of them. */
export function joined(expressions: readonly string[]): string {
  if (expressions.length === 1) return expressions[0] ?? ''
  const parts = expressions.map((text) => (placesOf(text, 'or').length > 0 ? `(${text})` : text))
  return parts.join(' and ')
}

/** The conditions that must all hold, each as a filter; what is no simple one is an expression. */
export function filtersOfExpression(text: string): readonly PropertyFilter[] {
  return partsOf(text).map((part) => {
    const read = simpleFilter(tokensOf(part) ?? [])
    return read ?? { type: 'hogql', key: part, operator: 'exact' }
  })
}

/** Splits at each `and` that is in no brackets. */
function partsOf(text: string): readonly string[] {
  const tokens = tokensOf(text)
  if (tokens === undefined) return [text.trim()].filter((part) => part !== '')
  const [first, last] = [tokens[0], tokens.at(-1)]
  if (first === undefined || last === undefined) return []
  const whole = text.slice(first.at, last.at + last.source.length)
  if (placesOf(whole, 'or').length > 0) return [whole]
  const cuts = placesOf(whole, 'and')
  if (cuts.length > 0) {
    const ends = [...cuts, whole.length]
    return ends.flatMap((end, index) => {
      const before = cuts[index - 1]
      return partsOf(whole.slice(before === undefined ? 0 : before + 'and'.length, end))
    })
  }
  return isBracketed(tokens) ? partsOf(text.slice(first.at + 1, last.at)) : [whole]
}

/** Offsets of a word outside of brackets that does not belong to a `between`. */
function placesOf(text: string, word: 'and' | 'or'): readonly number[] {
  const places: number[] = []
  let depth = 0
  let betweens = 0
  for (const token of tokensOf(text) ?? []) {
    depth += depthOf(token)
    const lower = token.kind === 'name' ? token.source.toLowerCase() : ''
    if (depth > 0) continue
    if (lower === 'between') betweens += 1
    else if (lower === 'and' && betweens > 0) betweens -= 1
    else if (lower === word) places.push(token.at)
  }
  return places
}

function depthOf({ kind, source }: Token): number {
  if (kind !== 'symbol') return 0
  return source === '(' || source === '[' ? 1 : source === ')' || source === ']' ? -1 : 0
}

/** The first bracket is closed by the last token, and by none before it. */
function isBracketed(tokens: readonly Token[]): boolean {
  if (tokens[0]?.source !== '(') return false
  let depth = 0
  const end = tokens.findIndex((token) => {
    depth += depthOf(token)
    return depth === 0
  })
  return end === tokens.length - 1
}

type Operand = Pick<PropertyFilter, 'type' | 'key'>

function simpleFilter(tokens: readonly Token[]): PropertyFilter | undefined {
  const [call, open] = tokens
  if (open?.source === '(' && (call?.source === 'notEmpty' || call?.source === 'empty')) {
    const read = operandAt(tokens, 2)
    if (read === undefined || read.next !== tokens.length - 1) return undefined
    return { ...read.operand, operator: call.source === 'empty' ? 'is_not_set' : 'is_set' }
  }
  const left = operandAt(tokens, 0)
  return left === undefined ? undefined : comparison(left.operand, tokens.slice(left.next))
}

type OperandRead = { readonly operand: Operand; readonly next: number }

function operandAt(tokens: readonly Token[], at: number): OperandRead | undefined {
  const [first, second, third] = tokens.slice(at)
  const name = first?.kind === 'name' ? first.source : ''
  if (name === 'person' && second?.source === '.' && third?.source === 'properties') {
    return keyAt(tokens, at + 3, 'person')
  }
  if (name === 'properties') return keyAt(tokens, at + 1, 'event')
  if (name !== 'event' && name !== 'distinct_id') return undefined
  return { operand: { type: 'event_metadata', key: name }, next: at + 1 }
}

function keyAt(
  tokens: readonly Token[],
  at: number,
  type: 'event' | 'person',
): OperandRead | undefined {
  const [open, key, close] = tokens.slice(at)
  if (open?.source === '.' && (key?.kind === 'name' || key?.kind === 'key')) {
    return { operand: { type, key: key.value }, next: at + 2 }
  }
  if (open?.source !== '[' || key?.kind !== 'text' || close?.source !== ']') return undefined
  return { operand: { type, key: key.value }, next: at + 3 }
}

const SIGNS: Readonly<Record<string, string>> = {
  '=': 'exact',
  '==': 'exact',
  '!=': 'is_not',
  '<>': 'is_not',
  '>': 'gt',
  '<': 'lt',
}

function comparison(
  operand: Operand,
  [sign, ...right]: readonly Token[],
): PropertyFilter | undefined {
  const word = sign?.source.toLowerCase() ?? ''
  if (word === 'not') {
    const read = right[0]?.source.toLowerCase() === 'not' ? undefined : comparison(operand, right)
    if (read?.operator === 'icontains') return { ...read, operator: 'not_icontains' }
    const isList = right[0]?.source.toLowerCase() === 'in'
    return isList && read !== undefined ? { ...read, operator: 'is_not' } : undefined
  }
  if (word === 'in') {
    const values = listOf(right)
    return values === undefined ? undefined : { ...operand, operator: 'exact', value: values }
  }
  const [value, ...rest] = signed(right)
  if (value === undefined || rest.length > 0) return undefined
  if (word === 'ilike') {
    const text = value.kind === 'text' ? containedOf(value.value) : undefined
    return text === undefined ? undefined : { ...operand, operator: 'icontains', value: text }
  }
  const operator = Object.hasOwn(SIGNS, word) ? SIGNS[word] : undefined
  if (operator === undefined || isBare(operator)) return undefined
  // A number and the text of it are compared otherwise.
  const isText = value.kind === 'text' && !(operator === 'gt' || operator === 'lt')
  const isNumber = value.kind === 'number' && (operator === 'gt' || operator === 'lt')
  if (!isText && !isNumber) return undefined
  return { ...operand, operator, value: isText ? [value.value] : value.value }
}

/** A minus and its number as one. */
function signed(tokens: readonly Token[]): readonly Token[] {
  const [minus, number, ...rest] = tokens
  if (minus?.source !== '-' || number?.kind !== 'number') return tokens
  return [{ ...number, value: `-${number.value}` }, ...rest]
}

/** `('a', 'b')`, texts only. */
function listOf(tokens: readonly Token[]): readonly string[] | undefined {
  const items = tokens.slice(1, -1)
  if (tokens[0]?.source !== '(' || tokens.at(-1)?.source !== ')') return undefined
  const isRegular = items.every(({ kind, source }, at) =>
    at % 2 === 0 ? kind === 'text' : source === ',',
  )
  if (!isRegular || items.length % 2 === 0) return undefined
  return items.filter(({ kind }) => kind === 'text').map(({ value }) => value)
}

/** Text of an `ilike` pattern that looks for one text anywhere; undefined for other patterns. */
function containedOf(pattern: string): string | undefined {
  const inner = /^%((?:[^%_\\]|\\.)*)%$/s.exec(pattern)?.[1]
  return inner?.replace(/\\(.)/gs, '$1')
}
