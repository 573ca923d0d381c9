/** Members of saved questions that say how their answers are shown. */
import type { Interval } from '../../core/charts/buckets.ts'
import { type Json, type JsonObject, objectOf, own } from '../../core/json.ts'
import { INTERVALS } from '../../query/insights/time/grid.ts'

export function kindOf(question: Json): string {
  return textOf(own(objectOf(question), 'kind'))
}

/** A member that is an object; empty where there is none. */
export function filterOf(question: Json, name: string): JsonObject {
  return objectOf(own(objectOf(question), name))
}

/** How a trend is drawn. */
export function displayOf(question: Json): string {
  return textOf(own(filterOf(question, 'trendsFilter'), 'display')) || 'ActionsLineGraph'
}

/** Interval of the buckets: a day unless the question says otherwise. */
export function intervalOf(question: Json): Interval {
  const asked = own(objectOf(question), 'interval')
  return INTERVALS.find((each) => each === asked) ?? 'day'
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
