/** The values of a breakdown as answers show them. */
import { countryName } from '../../core/charts/country.ts'
import type { Breakdown } from './question.ts'

type Source = Breakdown['source']

/** Cohorts without events are shown too, last: the question names them. */
export function allShown(source: Source, values: readonly string[]): readonly string[] {
  if (source.kind !== 'cohorts') return values
  return [...new Set([...values, ...source.cohorts.map(({ id }) => String(id))])]
}

const COUNTRY = /^\$(?:initial_)?geoip_country_code$/

/** Members of a row. A cohort is its id, and its name is the label; so is the name of a country. */
export type ShownValue = {
  readonly breakdown_value: string | number
  readonly breakdown_label?: string
}

export function shownAs(source: Source, value: string): ShownValue {
  if (source.kind !== 'cohorts') {
    const name = 'property' in source && COUNTRY.test(source.property) ? countryName(value) : value
    return { breakdown_value: value, ...(name !== value && { breakdown_label: name }) }
  }
  const id = Number(value)
  const label = source.cohorts.find((each) => each.id === id)?.name ?? value
  return { breakdown_value: id, breakdown_label: label }
}
