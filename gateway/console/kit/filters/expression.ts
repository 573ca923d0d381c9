/**
 * Filters on the event itself as expressions: `event = 'paid'`. Names of events and distinct ids are
 * exact; properties, persons and cohorts have filters, with the comparisons of all conditions.
 * `expression-filters.ts` is the way back.
 */
import type { JsonObject } from '../../../client/index.ts'
import type { PropertyFilter } from './filter.ts'

/** Filters in the form of queries. Filters of the event itself become expressions. */
export function asProperties(filters: readonly PropertyFilter[]): readonly JsonObject[] {
  return filters.map((filter) =>
    isExpression(filter) ? { type: 'hogql', key: expressionOf(filter) } : { ...filter },
  )
}

/** Comparisons of the event itself. */
export const EXPRESSED = ['exact', 'is_not', 'icontains', 'not_icontains']

function isExpression({ type, operator }: PropertyFilter): boolean {
  return type === 'hogql' || (type === 'event_metadata' && EXPRESSED.includes(operator))
}

/** Writes a filter for which `isExpression` is true. */
export function expressionOf({ type, key, operator, value }: PropertyFilter): string {
  if (type === 'hogql') return key
  const values = [value ?? ''].flat()
  const [first = ''] = values
  const isNot = operator.includes('not')
  if (operator.endsWith('icontains')) {
    const pattern = first.replace(/[\\%_]/g, '\\$&')
    return `${key} ${isNot ? 'not ' : ''}ilike ${quoted(`%${pattern}%`)}`
  }
  if (values.length === 1) return `${key} ${isNot ? '!=' : '='} ${quoted(first)}`
  return `${key} ${isNot ? 'not in' : 'in'} (${values.map(quoted).join(', ')})`
}

/** Splits filters into expressions, for the address, and others. */
export function parted(filters: readonly PropertyFilter[]) {
  return {
    where: filters.filter(isExpression).map(expressionOf),
    others: filters.filter((each) => !isExpression(each)),
  }
}

/** Address of the list of matching events. */
export function eventsAddress(
  project: number,
  filters: readonly PropertyFilter[],
  after: string | undefined,
): string {
  const { where, others } = parted(filters)
  const parameters = new URLSearchParams()
  const [only = ''] = where
  // As the events list spells one, and several.
  if (where.length > 0) parameters.set('where', where.length > 1 ? JSON.stringify(where) : only)
  if (others.length > 0) parameters.set('properties', JSON.stringify(others))
  if (after !== undefined) parameters.set('after', after)
  return `/project/${project}/events?${parameters}`
}

const WORD = /^[A-Za-z_$][\w$]*$/
/** Words of the language, which are no keys without quotes. */
const RESERVED = /^(?:or|and|not|like|ilike|in|between|is|null|true|false|asc|desc)$/i

/** `properties.plan`, and ``properties.`my key` `` for a key that is no word. */
export function propertyOf(type: 'event' | 'person', key: string): string {
  const isWord = WORD.test(key) && !RESERVED.test(key)
  const name = isWord ? key : `\`${key.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
  return type === 'person' ? `person.properties.${name}` : `properties.${name}`
}

/** A text of the language. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
