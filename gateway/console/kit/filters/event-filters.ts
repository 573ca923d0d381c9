/**
 * Filters as an address of events holds them: in `properties`, and in `where` expressions and those
 * on the event itself.
 */
import { parsedJson } from '../../data/json.ts'
import { parted } from './expression.ts'
import { filtersOfExpression } from './expression-filters.ts'
import { filtersOf, type PropertyFilter, textOfFilters } from './filter.ts'

export function eventFiltersOf(query: URLSearchParams): readonly PropertyFilter[] {
  const where = listOf(query.getAll('where')).flatMap(filtersOfExpression)
  return [...where, ...filtersOf(query.get('properties'))]
}

/** The parameters of an address; undefined takes one out. */
export function parametersOf(filters: readonly PropertyFilter[]) {
  const { where, others } = parted(filters)
  return { where: textOfList(where), properties: textOfFilters(others) }
}

/** One item for each value, or one value that is a JSON list. */
export function listOf(values: readonly string[]): readonly string[] {
  const [first = '', ...others] = values
  const isJson = others.length === 0 && first.trimStart().startsWith('[')
  const json = isJson ? parsedJson(first) : values
  return (Array.isArray(json) ? json.map(String) : values).filter((text) => text.trim() !== '')
}

/** As the address holds a list; undefined for none. */
export function textOfList(items: readonly string[]): string | undefined {
  if (items.length === 0) return undefined
  return items.length === 1 ? items[0] : JSON.stringify(items)
}
