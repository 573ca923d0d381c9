/** Filters as expressions on events: `event = 'paid'`. `expression-filters.ts` is the way back. */
import type { JsonObject } from '../../../client/index.ts'
import type { PropertyFilter } from './filter.ts'

/** Filters in the form of queries. Filters of the event itself become expressions. */
export function asProperties(filters: readonly PropertyFilter[]): readonly JsonObject[] {
  return filters.map((filter) =>
    filter.type === 'event' || filter.type === 'person' || filter.type === 'cohort'
      ? { ...filter }
      : { type: 'hogql', key: expressionOf(filter) },
  )
}

/** Writes a comparison for which `hasExpression` is true. */
export function expressionOf({ type, key, operator, value }: PropertyFilter): string {
  if (type === 'hogql') return key
  const operand = operandOf(type, key)
  const values = Array.isArray(value) ? (value as readonly string[]) : [String(value ?? '')]
  const [first = ''] = values
  switch (operator) {
    case 'is_set':
      return `notEmpty(${operand})`
    case 'is_not_set':
      return `empty(${operand})`
    case 'gt':
      return `${operand} > ${numberOrText(first)}`
    case 'lt':
      return `${operand} < ${numberOrText(first)}`
    case 'icontains':
    case 'not_icontains': {
      const pattern = first.replace(/[\\%_]/g, '\\$&')
      return `${operand} ${operator === 'icontains' ? '' : 'not '}ilike ${quoted(`%${pattern}%`)}`
    }
    default:
      break
  }
  const isNot = operator === 'is_not'
  if (values.length === 1) return `${operand} ${isNot ? '!=' : '='} ${quoted(first)}`
  return `${operand} ${isNot ? 'not in' : 'in'} (${values.map(quoted).join(', ')})`
}

function numberOrText(text: string): string {
  return NUMBER.test(text) ? text : quoted(text)
}

/** Whether `expressionOf` can write the operator; other comparisons stay in `properties`. */
export function hasExpression(operator: string): boolean {
  return /^(exact|is_not|is_(not_)?set|(not_)?icontains|[gl]t)$/.test(operator)
}

const isExpression = ({ operator }: PropertyFilter) => hasExpression(operator)

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

const NUMBER = /^-?\d+(?:\.\d+)?$/
const WORD = /^[A-Za-z_$][\w$]*$/
/** Words of the language, which are no keys without quotes. */
const RESERVED = /^(?:or|and|not|like|ilike|in|between|is|null|true|false|asc|desc)$/i

/** `properties.plan`, and ``properties.`my key` `` for a key that is no word. */
export function propertyOf(type: 'event' | 'person', key: string): string {
  const isWord = WORD.test(key) && !RESERVED.test(key)
  const name = isWord ? key : `\`${key.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
  return type === 'person' ? `person.properties.${name}` : `properties.${name}`
}

function operandOf(type: PropertyFilter['type'], key: string): string {
  return type === 'event' || type === 'person' ? propertyOf(type, key) : key
}

/** A text of the language. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
