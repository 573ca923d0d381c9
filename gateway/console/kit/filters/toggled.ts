import type { PropertyFilter } from './filter.ts'

/** Adds a value, or removes it where it is already: the effect of a click on a row. */
export function toggled(
  filters: readonly PropertyFilter[],
  key: string,
  value: string,
  isExcluded: boolean,
  type: PropertyFilter['type'] = 'event',
): readonly PropertyFilter[] {
  const operator = isExcluded ? 'is_not' : 'exact'
  const same = (filter: PropertyFilter) =>
    filter.type === type && filter.key === key && filter.operator === operator
  const known = filters.find(same)
  const values = Array.isArray(known?.value) ? (known.value as readonly string[]) : []
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
  const others = filters.filter((filter) => !same(filter))
  return next.length === 0 ? others : [...others, { type, key, operator, value: next }]
}
