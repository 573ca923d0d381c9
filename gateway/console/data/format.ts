/** Numbers and times as people read them. Formatters are made once: making one is slow. */

export { formatCompact, formatNumber, formatPercent } from '../../../src/core/charts/numbers.ts'

const times = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  const known = times.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
  times.set(key, made)
  return made
}

const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** Time in the project's zone. */
export function formatTime(time: string | number, zone: string): string {
  return formatterOf(zone, { ...DATE, ...TIME }).format(new Date(time))
}

/** The same time in UTC, for a tooltip. */
export function formatUtc(time: string | number): string {
  return `${new Date(time).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}

/** Shortens the text to its beginning when it is longer than `length`. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text
  // Not in the middle of a character.
  return `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const TURNING = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]/

/** Isolates a name in a sentence, so that right-to-left text does not reorder what follows. */
export function isolated(name: string): string {
  return TURNING.test(name) ? `\u2068${name.replace(/[\u2066-\u2069]/g, '')}\u2069` : name
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const STEPS: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/** `3 min. ago`. @param from milliseconds since the epoch. */
export function formatAgo(time: string | number, from: number): string {
  const seconds = (new Date(time).getTime() - from) / 1000
  const step = STEPS.find(([size]) => Math.abs(seconds) >= size)
  if (step === undefined) return 'now'
  return relative.format(Math.round(seconds / step[0]), step[1])
}
