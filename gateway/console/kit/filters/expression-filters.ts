/**
 * Filters of expressions. A part that compares the event's name or distinct id, exactly as
 * `expression.ts` writes it, is a filter; every other part is a filter with its text, as is one on a
 * property: expressions compare properties by rules of their own. Only the server says whether an
 * expression is right: when this reads less than the server does, more is shown as text, and the
 * question is the same.
 */
import type { PropertyFilter } from './filter.ts'
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
  const first = tokens[0]
  const last = tokens.at(-1)
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

const SIGNS = new Map(
  Object.entries({
    '=': 'exact',
    '==': 'exact',
    in: 'exact',
    '!=': 'is_not',
    '<>': 'is_not',
    'not in': 'is_not',
    ilike: 'icontains',
    'not ilike': 'not_icontains',
  }),
)

/** `event = 'a'`, `distinct_id not in ('a', 'b')` or `event ilike '%a%'`. */
function simpleFilter([operand, ...tokens]: readonly Token[]): PropertyFilter | undefined {
  const key = operand?.kind === 'name' ? operand.source : ''
  if (key !== 'event' && key !== 'distinct_id') return undefined
  const at = tokens.findIndex(({ kind, source }) => kind === 'text' || source === '(')
  const sign = tokens.slice(0, at).map(({ source }) => source.toLowerCase())
  const operator = SIGNS.get(sign.join(' '))
  const value = comparedWith(tokens.slice(at), sign.at(-1))
  if (operator === undefined || value === undefined) return undefined
  return { type: 'event_metadata', key, operator, value }
}

function comparedWith(right: readonly Token[], sign: string | undefined) {
  if (sign === 'in') return listOf(right)
  const [text, ...rest] = right
  if (text?.kind !== 'text' || rest.length > 0) return undefined
  return sign === 'ilike' ? containedOf(text.value) : [text.value]
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

/** `event`, or a property as expressions name it. */
export function operandFilter(operand: string): Pick<PropertyFilter, 'type' | 'key'> | undefined {
  const tokens = tokensOf(operand) ?? []
  const isOfPerson = tokens[0]?.source === 'person'
  const [root, dot, key, ...rest] = tokens.slice(isOfPerson ? 2 : 0)
  if (rest.length > 0) return undefined
  if (root?.source === 'properties' && dot?.source === '.' && key !== undefined) {
    return { type: isOfPerson ? 'person' : 'event', key: key.value }
  }
  const isOfEvent = root?.source === 'event' || root?.source === 'distinct_id'
  return isOfEvent && tokens.length === 1 ? { type: 'event_metadata', key: root.value } : undefined
}
