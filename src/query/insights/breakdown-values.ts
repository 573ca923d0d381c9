/** The values of a breakdown as answers show them. */
import type { Breakdown } from './question.ts'

type Source = Breakdown['source']

/** Cohorts without events are shown too, last: the question names them. */
export function allShown(source: Source, values: readonly string[]): readonly string[] {
  if (source.kind !== 'cohorts') return values
  return [...new Set([...values, ...source.cohorts.map(({ id }) => String(id))])]
}

/** A cohort is shown by its id. */
export function shownAs(source: Source, value: string): string | number {
  return source.kind === 'cohorts' ? Number(value) : value
}
