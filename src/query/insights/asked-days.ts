/** Approximate days that questions read, to estimate how many events these have. */
import { DAY_MS } from '../../events/time/instant.ts'
import type { AskedDays } from '../../store/insights/insights-elsewhere.ts'
import type { Question } from './question.ts'
import { rangeOf } from './time/date-range.ts'

/** UTC days from the first to the last one that any of them asks for; undefined for all. */
export function daysOf(questions: readonly Question[]): AskedDays {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const question of questions) {
    const { range, zone } = question.kind === 'actors' ? question.number.source : question
    if (range.from === 'all') return undefined
    const { fromMs, untilMs } = rangeOf(range.from, range.to, zone)
    first = Math.min(first, fromMs)
    last = Math.max(last, untilMs)
  }
  return { from: dayOf(first), until: dayOf(last) }
}

const [MIN, MAX] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')]

function dayOf(ms: number): string {
  const inRange = Math.min(Math.max(ms, MIN), MAX)
  return new Date(inRange - (inRange % DAY_MS)).toISOString().slice(0, 10)
}
