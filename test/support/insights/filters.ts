/** Filters that choose the events of a question. */
import type { Json } from '../../../src/core/json.ts'
import type { Seen, World, WorldEvent } from './world.ts'

export type Filter = {
  readonly key: string
  readonly type: 'event' | 'person'
  readonly operator: (typeof OPERATORS)[number]
  readonly value?: Json
}

const OPERATORS = [
  ...(['exact', 'is_not', 'icontains', 'not_icontains', 'gt', 'lt', 'gte', 'lte'] as const),
  ...(['is_set', 'is_not_set'] as const),
] as const

export type EventsNode = {
  readonly kind: 'EventsNode'
  readonly event: string | null
  readonly math?: string
  readonly math_property?: string
  readonly math_group_type_index?: number
  readonly properties?: readonly Filter[]
}

type Filtered = {
  readonly properties?: readonly Filter[]
  readonly filterTestAccounts?: boolean
}

/** A property as a text; nothing for null. Lists and objects as Postgres writes them. */
export function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : jsonText(value)
}

function jsonText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, each]) => `"${key}": ${jsonText(each)}`)
  return `{${members.join(', ')}}`
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i

/** Texts as they are, other values as compact JSON; in lower case. */
function comparedText(value: Json | undefined): string {
  return (typeof value === 'string' ? value : JSON.stringify(value ?? null)).toLowerCase()
}

function compares(operator: string, one: number, other: number): boolean {
  if (operator === 'gt') return one > other
  if (operator === 'gte') return one >= other
  return operator === 'lt' ? one < other : one <= other
}

function passes(filter: Filter, properties: WorldEvent['properties']): boolean {
  const { key, operator, value } = filter
  const has = Object.hasOwn(properties, key)
  if (operator === 'is_set') return has
  if (operator === 'is_not_set') return !has
  const text = has ? comparedText(properties[key]) : undefined
  const wanted = (Array.isArray(value) ? value : [value]).map(comparedText)
  switch (operator) {
    case 'exact':
      return text !== undefined && wanted.includes(text)
    case 'is_not':
      return text === undefined || !wanted.includes(text)
    case 'icontains':
      return text?.includes(comparedText(value)) === true
    case 'not_icontains':
      return text?.includes(comparedText(value)) !== true
    default:
      return text !== undefined && NUMBER.test(text)
        ? compares(operator, Number(text), Number(value))
        : false
  }
}

export function matcherOf(world: World, query: Filtered, node: EventsNode) {
  const filters = [
    ...(node.properties ?? []),
    ...(query.properties ?? []),
    ...(query.filterTestAccounts === true ? world.testAccountFilters : []),
  ]
  return (event: Seen): boolean =>
    (node.event === null || node.event === event.event) &&
    filters.every((each) =>
      passes(each, each.type === 'person' ? (event.person ?? {}) : event.properties),
    )
}
