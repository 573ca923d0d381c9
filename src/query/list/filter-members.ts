/** Finds members of filters that no parser reads. */
import { isList, isObject, type Json } from '../../core/json.ts'
import { isFilterGroup, isSingleFilter } from './filters.ts'

const OF_GROUP: readonly string[] = ['type', 'values']
const OF_FILTER: readonly string[] = ['key', 'value', 'operator', 'type']
/** Further members of filters, by type. The name of a cohort is for people, and has no effect. */
const OF_TYPE: Readonly<Record<string, string>> = {
  cohort: 'cohort_name',
  group: 'group_type_index',
}

/**
 * The dotted path of the first member that no filter has, such as `0.values.1.cake`. All members of
 * the flat form are properties.
 * @param filters as `readFilters` accepts them.
 */
export function unknownFilterMember(filters: Json): string | undefined {
  if (isList(filters)) return inList(filters, '')
  if (!isObject(filters)) return undefined
  return isFilterGroup(filters) || isSingleFilter(filters) ? inItem(filters, '') : undefined
}

function inList(items: readonly Json[], path: string): string | undefined {
  for (const [index, item] of items.entries()) {
    const unknown = inItem(item, `${path}${index}.`)
    if (unknown !== undefined) return unknown
  }
  return undefined
}

function inItem(item: Json, path: string): string | undefined {
  if (!isObject(item)) return undefined
  const isGroup = isFilterGroup(item)
  const known = isGroup ? OF_GROUP : OF_FILTER
  const ofType = isGroup ? undefined : OF_TYPE[String(item['type'])]
  const unknown = Object.keys(item).find((name) => !known.includes(name) && name !== ofType)
  if (unknown !== undefined) return `${path}${unknown}`
  const { values } = item
  return isGroup && isList(values) ? inList(values, `${path}values.`) : undefined
}
