/** Ranges of time, as the address and questions name them. */
import type { Interval } from '../../../src/core/charts/buckets.ts'

/** As `dateRange` of a question. */
export type DateRange = { readonly date_from: string; readonly date_to?: string }

export const RANGES = [
  { value: '-24h', label: 'Last 24 hours' },
  { value: '-0d', label: 'Today' },
  { value: '-1d..-1dEnd', label: 'Yesterday' },
  { value: '-7d', label: 'Last 7 days' },
  { value: '-30d', label: 'Last 30 days' },
  { value: '-90d', label: 'Last 90 days' },
  { value: 'mStart', label: 'This month' },
  { value: '-1mStart..-1mEnd', label: 'Last month' },
  { value: 'yStart', label: 'This year' },
  { value: '-12m', label: 'Last 12 months' },
  { value: 'all', label: 'All time' },
] as const

/** Single keys of ranges. */
export const RANGE_KEYS: Readonly<Record<string, (typeof RANGES)[number]['value']>> = {
  d: '-0d',
  e: '-1d..-1dEnd',
  w: '-7d',
  t: '-30d',
  m: 'mStart',
  y: 'yStart',
  a: 'all',
}

export const DEFAULT_RANGE = '-7d'

/** Reads `FROM` or `FROM..TO`. */
export function rangeOf(text: string): DateRange {
  const [from = DEFAULT_RANGE, to] = text.split('..')
  return to === undefined || to === '' ? { date_from: from } : { date_from: from, date_to: to }
}

export function textOfRange({ date_from, date_to }: DateRange): string {
  return date_to === undefined ? date_from : `${date_from}..${date_to}`
}

const UNITS: Readonly<Record<string, string>> = {
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
}

/** Label of a range: its name, or its days. */
export function labelOfRange(text: string): string {
  const known = RANGES.find(({ value }) => value === text)
  if (known !== undefined) return known.label
  const { date_from, date_to } = rangeOf(text)
  const [, count, unit = ''] = /^-(\d+)([hdwmqy])$/.exec(text) ?? []
  if (count !== undefined) return `Last ${count} ${UNITS[unit]}${count === '1' ? '' : 's'}`
  return date_to === undefined ? `Since ${date_from}` : `${date_from} to ${date_to}`
}

/** `-14d` as `14 days earlier`. */
export function earlierBy(offset: string): string {
  return `${labelOfRange(offset).replace('Last ', '')} earlier`
}

/** Interval with a readable number of buckets for a range. */
export function intervalOf(text: string): Interval {
  if (/^-(?:\d+h|0d|1d\.\.-1dEnd)$/.test(text)) return 'hour'
  if (/^(?:all|yStart|-12m|-\d+y)$/.test(text)) return 'month'
  if (/^-(?:90d|\d{3}d|\d{2,3}w|[3-9]m|\d{2,3}m|\d+q)$/.test(text)) return 'week'
  return 'day'
}
