/** The values of a breakdown as answers show them. */
import type { Breakdown } from './question.ts'

type Source = Breakdown['source']

/** Cohorts without events are shown too, last: the question names them. */
export function allShown(source: Source, values: readonly string[]): readonly string[] {
  if (source.kind !== 'cohorts') return values
  return [...new Set([...values, ...source.cohorts.map(({ id }) => String(id))])]
}

/** Members of a row. A cohort is its id, and its name is the label. */
export type ShownValue = {
  readonly breakdown_value: string | number
  readonly breakdown_label?: string
}

export function shownAs(source: Source, value: string): ShownValue {
  if (source.kind !== 'cohorts') return { breakdown_value: value }
  const id = Number(value)
  const label = source.cohorts.find((each) => each.id === id)?.name ?? value
  return { breakdown_value: id, breakdown_label: label }
}
