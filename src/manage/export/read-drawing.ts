/** Answers as drawings. */
import { type Interval, labelOfBucket, labelsOf } from '../../core/charts/buckets.ts'
import { formatSeconds } from '../../core/charts/duration.ts'
import { type FunnelStep, funnelGroups, labelOfStep } from '../../core/charts/funnel.ts'
import { goalsIn } from '../../core/charts/goals.ts'
import { labelOf } from '../../core/charts/label.ts'
import { STATUS_NAMES } from '../../core/charts/names.ts'
import { heatRows, type RetentionGroup } from '../../core/charts/retention.ts'
import type { Series } from '../../core/charts/series.ts'
import {
  BARS,
  hasOneValue,
  isEarlier,
  nameOfRow,
  type TrendRow,
  trendSeries,
} from '../../core/charts/trends.ts'
import { type Json, type JsonObject, listOf, objectOf, own, textsIn } from '../../core/json.ts'
import {
  displayOf,
  filterOf,
  intervalOf,
  kindOf,
  nameOfConversion,
  rowsOf,
  type StickyRow,
  tableOf,
  textOf,
} from './answer-table.ts'
import type { Drawing, ValuesDrawing } from './drawing/model.ts'

/** Series that one picture draws. */
const SERIES_MAX = 50
/** Values of a breakdown that a funnel draws. */
const GROUPS_MAX = 12
/** Persons are what all kinds but trends count. */
const PERSONS = 'persons'

/** @param answer with exact numbers, see `parseExact`. */
export function drawingOf(question: Json, answer: JsonObject): Drawing {
  const results = own(answer, 'results') ?? null
  switch (kindOf(question)) {
    case 'TrendsQuery':
      return trend(question, rowsOf<TrendRow>(results), answer)
    case 'WebTrendsQuery':
      return trend(question, comparable(rowsOf<TrendRow>(results)), answer)
    case 'LifecycleQuery':
      return lifecycle(question, rowsOf<TrendRow>(results))
    case 'StickinessQuery':
      return stickiness(question, rowsOf<StickyRow>(results))
    case 'FunnelsQuery':
      return funnel(question, results)
    case 'RetentionQuery':
      return retention(question, rowsOf<RetentionGroup>(results))
    default:
      return table(question, answer)
  }
}

function table(question: Json, answer: JsonObject): Drawing {
  const read = tableOf(question, answer)
  return read.rows.length === 0
    ? { kind: 'nothing' }
    : { kind: 'table', columns: read.columns.map(titleOf), rows: read.rows }
}

/** `Average seconds`; names of properties and expressions stay. */
function titleOf(column: string): string {
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(column)) return column
  const words = column.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Drawings of displays with one number for each row; another one is a table. */
const VALUES: Readonly<Record<string, ValuesDrawing['kind']>> = {
  BoldNumber: 'numbers',
  ActionsBarValue: 'ranked',
  ActionsPie: 'pie',
}

function trend(question: Json, rows: readonly TrendRow[], answer: JsonObject): Drawing {
  const display = displayOf(question)
  const kind = VALUES[display]
  if (kind !== undefined && rows.length > 0) {
    const numbers = rows.map((row) => ({
      label: nameOfRow(row, rows),
      value: row.aggregated_value ?? row.count,
    }))
    return { kind, numbers }
  }
  if (hasOneValue(display)) return table(question, answer)
  const interval = intervalOf(question)
  const series = trendSeries(rows, interval, display)
  const isStacked = !rows.some(isEarlier)
  return {
    kind: BARS.has(display) ? (isStacked ? 'stacked' : 'bars') : 'lines',
    labels: labelsOf(rows[0]?.buckets ?? [], interval),
    series: series.slice(0, SERIES_MAX),
    unit: '',
    caption: captionOf(question),
    isUnsigned: false,
    goals: goalsIn(own(filterOf(question, 'trendsFilter'), 'goalLines')),
  }
}

/** Rows without those of an earlier range in which nothing was counted: they would compare nothing. */
function comparable(rows: readonly TrendRow[]): readonly TrendRow[] {
  const isCounted = rows.some((row) => isEarlier(row) && row.data.some((value) => value > 0))
  return isCounted ? rows : rows.filter((row) => !isEarlier(row))
}

const OF_EVENTS = ['total', 'unique_session', 'unique_group']
const COUNTED: Readonly<Record<string, string>> = {
  total: 'events',
  unique_session: 'sessions',
  unique_group: 'groups',
}

/** Things that all series count; empty where they count different things. */
function captionOf(question: Json): string {
  const metrics = textsIn(own(objectOf(question), 'metrics'))
  if (metrics.length === 1) return metrics[0] ?? ''
  if (textOf(own(filterOf(question, 'trendsFilter'), 'formula')) !== '') return ''
  const counted = listOf(own(objectOf(question), 'series')).map((node) => {
    const math = textOf(own(objectOf(node), 'math')) || 'total'
    const property = textOf(own(objectOf(node), 'math_property'))
    if (OF_EVENTS.includes(math)) return COUNTED[math] ?? ''
    return property === '' ? PERSONS : `${math} of ${labelOf(property)}`
  })
  const [first = ''] = counted
  return counted.every((each) => each === first) ? first : ''
}

function lifecycle(question: Json, rows: readonly TrendRow[]): Drawing {
  return {
    kind: 'stacked',
    labels: labelsOf(rows[0]?.buckets ?? [], intervalOf(question)),
    series: rows.map(({ status = '', data, incomplete_from: from }) => ({
      key: status,
      label: STATUS_NAMES[status] ?? status,
      values: data,
      incompleteFrom: from ?? undefined,
    })),
    unit: '',
    caption: PERSONS,
    // Dormant persons are drawn below the line, and counted as the others are.
    isUnsigned: true,
  }
}

function stickiness(question: Json, rows: readonly StickyRow[]): Drawing {
  const unit = intervalOf(question)
  return {
    kind: 'bars',
    labels: (rows[0]?.days ?? []).map((days) => `${days} ${unit}${days === 1 ? '' : 's'}`),
    series: rows.map(({ label, data }, index) => plain(String(index), labelOf(label), data)),
    unit: '',
    caption: PERSONS,
    isUnsigned: false,
  }
}

function plain(key: string, label: string, values: readonly number[]): Series {
  return { key, label, values }
}

function funnel(question: Json, results: Json): Drawing {
  const shape = own(filterOf(question, 'funnelsFilter'), 'funnelVizType')
  if (shape === 'time_to_convert') return times(results)
  if (shape === 'trends') return conversions(rowsOf<TrendRow>(results), intervalOf(question))
  const groups = funnelGroups(rowsOf<FunnelStep | readonly FunnelStep[]>(results))
  return {
    kind: 'funnel',
    steps: (groups[0]?.steps ?? []).map(labelOfStep),
    groups: groups
      .slice(0, GROUPS_MAX)
      .map(({ name, steps }) => ({ name, counts: steps.map(({ count }) => count) })),
  }
}

function times(results: Json): Drawing {
  const bins = listOf(own(objectOf(results), 'bins')).map((bin) => listOf(bin).map(Number))
  if (bins.length === 0) return { kind: 'nothing' }
  return {
    kind: 'bars',
    labels: bins.map(([seconds = 0]) => formatSeconds(seconds)),
    series: [
      plain(
        'count',
        PERSONS,
        bins.map(([, count = 0]) => count),
      ),
    ],
    unit: '',
    caption: PERSONS,
    isUnsigned: false,
  }
}

function conversions(rows: readonly TrendRow[], interval: Interval): Drawing {
  return {
    kind: 'lines',
    labels: labelsOf(rows[0]?.buckets ?? [], interval),
    series: rows.slice(0, SERIES_MAX).map((row, index) => ({
      key: String(index),
      label: nameOfConversion(row),
      values: row.data,
      incompleteFrom: row.incomplete_from ?? undefined,
    })),
    unit: '%',
    caption: 'converted',
    isUnsigned: false,
  }
}

function retention(question: Json, groups: readonly RetentionGroup[]): Drawing {
  const period = textOf(own(filterOf(question, 'retentionFilter'), 'period')) || 'Day'
  const columns = groups.map(({ label }) => label)
  return { kind: 'heat', columns, rows: heatRows(groups, period) }
}

/** Days of the range that was answered, and its interval: `2 Mar 2026 – 4 Mar 2026, by day, UTC`. */
export function rangeTextOf(question: Json, answer: JsonObject): string {
  const range = objectOf(own(answer, 'resolved_date_range'))
  const dayOf = (name: string) => {
    const date = textOf(own(range, name)).slice(0, 10)
    return date === '' ? '' : `${labelOfBucket(date, 'day')} ${date.slice(0, 4)}`
  }
  const [from, to] = [dayOf('date_from'), dayOf('date_to')]
  const days = from === to ? from : `${from} – ${to}`
  const hasInterval = ['TrendsQuery', 'WebTrendsQuery', 'LifecycleQuery'].includes(kindOf(question))
  return [
    days,
    ...(hasInterval && !isOneNumber(question) ? [`by ${intervalOf(question)}`] : []),
    textOf(own(answer, 'timezone')),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function isOneNumber(question: Json): boolean {
  return hasOneValue(displayOf(question))
}
