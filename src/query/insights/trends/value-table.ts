/** The events of each bucket by all values of a breakdown: one read answers several questions. */
import { byCodePoint } from '../../../core/order/by-code-point.ts'
import { firstOf } from '../../../core/order/first-of.ts'
import { NO_VALUE, OTHER_VALUE } from '../../../event-store/insight-events.ts'
import type { Values } from './cached-series.ts'
import type { Counted } from './count-series.ts'

/** Values of each bucket. */
export type ValueTable = readonly Values[]

export type ValueCount = { readonly value: string; readonly count: number }

/** The values that are shown by themselves, those with the most events; ties by code point. */
export function topOf(table: ValueTable, limit: number): readonly ValueCount[] {
  const sums = new Map<string, number>()
  for (const [value, number] of table.flat()) {
    if (value !== null && value !== OTHER_VALUE) sums.set(value, (sums.get(value) ?? 0) + number)
  }
  const all = [...sums].map(([value, count]) => ({ value, count }))
  return firstOf(all, limit, (a, b) => b.count - a.count || byCodePoint(a.value, b.value))
}

/** Numbers of events, as a count with these shown values would give them. */
export function totalsOf(table: ValueTable, shown: readonly string[]): Counted {
  const own = new Set(shown)
  const counted = new Map<string, number[]>()
  for (const [bucket, values] of table.entries()) {
    for (const [value, number] of values) {
      const key = value === null ? NO_VALUE : own.has(value) ? value : OTHER_VALUE
      const numbers = counted.get(key) ?? table.map(() => 0)
      numbers[bucket] = (numbers[bucket] ?? 0) + number
      counted.set(key, numbers)
    }
  }
  return counted
}

/** All buckets as one. */
export function wholeOf(counted: Counted): Counted {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)
  return new Map([...counted].map(([value, numbers]) => [value, [sum(numbers)]]))
}
