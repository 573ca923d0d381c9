/** Answers as tables, one shape for each kind of question: rows of CSV, and of drawn tables. */
import { hasTime, type Interval } from '../../core/charts/buckets.ts'
import { type FunnelStep, funnelGroups, labelOfStep, shareOf } from '../../core/charts/funnel.ts'
import { labelOf } from '../../core/charts/label.ts'
import { valueName } from '../../core/charts/names.ts'
import type { RetentionGroup } from '../../core/charts/retention.ts'
import {
  hasOneValue,
  isEarlier,
  nameOfRow,
  type TrendRow,
  trendSeries,
} from '../../core/charts/trends.ts'
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  own,
  textsIn,
} from '../../core/json.ts'
import { exactDigits, exactJson } from '../../core/json-text/exact-numbers.ts'
import { INTERVALS } from '../../query/insights/time/grid.ts'

export type Table = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Digits behind the point of a share. */
const SHARE_DIGITS = 4

/** @param answer with exact numbers, see `parseExact`. */
export function tableOf(question: Json, answer: JsonObject): Table {
  const results = own(answer, 'results') ?? null
  switch (kindOf(question)) {
    case 'TrendsQuery':
    case 'WebTrendsQuery':
      return trendTable(question, rowsOf<TrendRow>(results))
    case 'LifecycleQuery':
      return lifecycleTable(question, rowsOf<TrendRow>(results))
    case 'StickinessQuery':
      return stickinessTable(rowsOf<StickyRow>(results))
    case 'FunnelsQuery':
      return funnelTable(question, results)
    case 'RetentionQuery':
      return retentionTable(question, rowsOf<RetentionGroup>(results))
    case 'PathsQuery':
      return pathsTable(rowsOf<PathEdge>(results))
    default:
      return otherTable(answer, results)
  }
}

/** Rows of a kind of question; its reader has written them. */
export function rowsOf<Row>(results: Json): readonly Row[] {
  return listOf(results) as readonly unknown[] as readonly Row[]
}

export type StickyRow = {
  readonly label: string
  readonly data: readonly number[]
  readonly days: readonly number[]
}

type PathEdge = {
  /** `1_/`: the step from 1, and the item. */
  readonly source: string
  readonly target: string
  readonly value: number
  /** Milliseconds. */
  readonly average_conversion_time: number
}

function trendTable(question: Json, rows: readonly TrendRow[]): Table {
  const display = displayOf(question)
  if (hasOneValue(display)) {
    return {
      columns: ['series', 'value'],
      rows: rows.map((row) => [nameOfRow(row), cell(row.aggregated_value ?? row.count)]),
    }
  }
  const interval = intervalOf(question)
  const series = trendSeries(rows, interval, display)
  const earlier = rows.find(isEarlier)
  const datesOf = (row: TrendRow | undefined) => (row === undefined ? [] : bucketsOf(row, interval))
  const [dates, earlierDates] = [datesOf(rows[0]), datesOf(earlier)]
  const isCompared = earlier !== undefined
  return {
    columns: [
      'date',
      ...(isCompared ? ['compared_date'] : []),
      // A file has no title that names the only series.
      ...rows.map((row) => nameOfRow(row)),
    ],
    rows: dates.map((date, at) => [
      date,
      ...(isCompared ? [earlierDates[at] ?? ''] : []),
      ...series.map(({ values }) => cell(values[at] ?? null)),
    ]),
  }
}

/** A date, or a moment with its offset. */
function bucketsOf({ buckets, days }: TrendRow, interval: Interval): readonly string[] {
  return hasTime(interval) ? buckets : days
}

function lifecycleTable(question: Json, rows: readonly TrendRow[]): Table {
  const [first] = rows
  const dates = first === undefined ? [] : bucketsOf(first, intervalOf(question))
  return {
    columns: ['date', ...rows.map(({ status }) => status ?? '')],
    rows: dates.map((date, at) => [date, ...rows.map(({ data }) => cell(data[at] ?? null))]),
  }
}

function stickinessTable(rows: readonly StickyRow[]): Table {
  return {
    columns: ['intervals', ...rows.map(({ label }) => labelOf(label))],
    rows: (rows[0]?.days ?? []).map((length, at) => [
      cell(length),
      ...rows.map(({ data }) => cell(data[at] ?? null)),
    ]),
  }
}

function funnelTable(question: Json, results: Json): Table {
  const shape = own(filterOf(question, 'funnelsFilter'), 'funnelVizType')
  if (shape === 'time_to_convert') {
    const bins = isObject(results) ? listOf(own(results, 'bins')) : []
    return { columns: ['seconds', 'count'], rows: bins.map((bin) => listOf(bin).map(cell)) }
  }
  if (shape === 'trends') {
    const rows = rowsOf<TrendRow>(results)
    const [first] = rows
    const dates = first === undefined ? [] : bucketsOf(first, intervalOf(question))
    return {
      columns: ['date', ...rows.map(nameOfConversion)],
      rows: dates.map((date, at) => [date, ...rows.map(({ data }) => cell(data[at] ?? null))]),
    }
  }
  const groups = funnelGroups(rowsOf<FunnelStep | readonly FunnelStep[]>(results))
  const isSplit = groups.some(({ name }) => name !== undefined)
  return {
    columns: [
      ...(isSplit ? ['breakdown'] : []),
      ...['step', 'name', 'count', 'share_of_first', 'average_seconds'],
    ],
    rows: groups.flatMap(({ name, steps }) => {
      const counts = steps.map(({ count }) => count)
      return steps.map((step, at) => [
        ...(isSplit ? [name ?? ''] : []),
        String(at + 1),
        labelOfStep(step),
        cell(step.count),
        cell(rounded(shareOf(counts, at, 0))),
        cell(step.average_conversion_time),
      ])
    }),
  }
}

/** Name of a row of conversions over time. */
export function nameOfConversion({ breakdown_value: value, breakdown_label: label }: TrendRow) {
  return value === undefined ? 'Converted' : valueName(value, label)
}

function retentionTable(question: Json, groups: readonly RetentionGroup[]): Table {
  const isHourly = own(filterOf(question, 'retentionFilter'), 'period') === 'Hour'
  return {
    columns: ['cohort', ...groups.map(({ label }) => label)],
    rows: groups.map(({ date, values }) => [
      isHourly ? date : date.slice(0, 10),
      ...groups.map((_, at) => cell(values[at]?.count ?? null)),
    ]),
  }
}

function pathsTable(edges: readonly PathEdge[]): Table {
  return {
    columns: ['step', 'from', 'to', 'count', 'average_seconds'],
    rows: edges.map(({ source, target, value, average_conversion_time: ms }) => [
      source.slice(0, source.indexOf('_')),
      itemOf(source),
      itemOf(target),
      cell(value),
      cell(rounded(ms / 1_000)),
    ]),
  }
}

function itemOf(key: string): string {
  return key.slice(key.indexOf('_') + 1)
}

/** Lists under the columns that the answer names, or objects with a column for each member. */
function otherTable(answer: JsonObject, results: Json): Table {
  const items = isList(results) ? results : [results]
  const objects = items.filter(isObject)
  if (objects.length > 0) {
    const columns = [...new Set(objects.flatMap((each) => Object.keys(each)))]
    return {
      columns,
      rows: objects.map((each) => columns.map((name) => cell(own(each, name) ?? null))),
    }
  }
  const rows = items.map(listOf)
  const named = textsIn(own(answer, 'columns'))
  const width = Math.max(named.length, ...rows.map(({ length }) => length))
  const columns = Array.from({ length: width }, (_, at) => named[at] ?? `column_${at + 1}`)
  return { columns, rows: rows.map((row) => columns.map((_, at) => cell(row[at] ?? null))) }
}

/** Text of a value; lists and objects stay JSON, null is empty. */
function cell(value: Json): string {
  if (value === null) return ''
  if (typeof value === 'string') return exactDigits(value) ?? value
  return typeof value === 'object' ? exactJson(value) : String(value)
}

function rounded(share: number): number {
  return Number(share.toFixed(SHARE_DIGITS))
}

/** Members of saved questions that say how their answers are shown. */
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
