/** Date range and filters in the address that override those of the dashboard for all tiles. */
import type { Dashboard, Json, JsonObject } from '../../../client/index.ts'
import { isRecord } from '../../data/json.ts'
import { labelOfRange, rangeOf, textOfRange } from '../../data/ranges.ts'
import { type PropertyFilter, sentenceOf } from '../../kit/filters/filter.ts'
import { filtersIn } from '../../questions/filters-in.ts'
import { changed, textIn, withRange } from '../../questions/question.ts'

export type Override = {
  /** Range as in the address; empty for none. */
  readonly date: string
  readonly filters: readonly PropertyFilter[]
}

/** Question of a tile with the override. A list of actors belongs to one number, and is kept. */
export function overridden(query: JsonObject, { date, filters }: Override): JsonObject {
  if (query['kind'] === 'ActorsQuery') return query
  const dated = date === '' ? query : withRange(query, rangeOf(date))
  return filters.length === 0
    ? dated
    : changed(dated, { properties: both(query['properties'], filters) })
}

/** Filters that must all hold. */
function both(mine: Json | undefined, theirs: readonly PropertyFilter[]): Json {
  if (mine === undefined || mine === null) return [...theirs]
  if (Array.isArray(mine)) return [...(mine as readonly Json[]), ...theirs]
  return { type: 'AND', values: [mine, { type: 'AND', values: [...theirs] }] }
}

/** Filters of the dashboard once the override is saved for everybody. */
export function keptWith({ filters: kept }: Dashboard, { date, filters }: Override): JsonObject {
  const before = isRecord(kept) ? kept : {}
  const range = date === '' ? {} : { date_to: null, ...rangeOf(date) }
  return {
    ...before,
    ...range,
    ...(filters.length === 0 ? {} : { properties: both(before['properties'], filters) }),
  }
}

/** Saved filters in words: "Last 7 days, plan is pro"; empty where there are none. */
export function wordsOfKept({ filters: kept }: Dashboard): string {
  if (!isRecord(kept)) return ''
  const from = textIn(kept, 'date_from')
  const to = textIn(kept, 'date_to')
  const range =
    from === ''
      ? ''
      : labelOfRange(
          textOfRange(to === '' ? { date_from: from } : { date_from: from, date_to: to }),
        )
  const filters = filtersIn(kept)?.map(sentenceOf) ?? ['its filters']
  return [range, ...filters].filter((part) => part !== '').join(', ')
}
