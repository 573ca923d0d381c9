/** Values by which a series is broken down. */
import { textOf } from './filters.ts'
import type { Seen } from './world.ts'

export const NONE = '$$_posthog_breakdown_null_$$'
export const OTHER = '$$_posthog_breakdown_other_$$'

export type Breakdown = {
  readonly breakdown: string
  readonly breakdown_type: 'event' | 'person' | 'event_metadata'
  readonly breakdown_limit?: number
}

const LENGTH_MAX = 400
export const LIMIT = 25

/** Breakdown value of an event. */
export function breakdownValue({ breakdown, breakdown_type }: Breakdown, event: Seen): string {
  if (breakdown_type === 'event_metadata') return cut(event.event)
  const properties = breakdown_type === 'person' ? (event.person ?? {}) : event.properties
  return cut(Object.hasOwn(properties, breakdown) ? textOf(properties[breakdown]) : undefined)
}

function cut(text: string | undefined): string {
  if (text === undefined || text === '') return NONE
  return [...text].slice(0, LENGTH_MAX).join('')
}

/** Values with the most events; ties by code point. */
export function topValues(by: Breakdown, events: readonly Seen[]): string[] {
  const counts = new Map<string, number>()
  for (const event of events) {
    const value = breakdownValue(by, event)
    if (value !== NONE && value !== OTHER) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || byCodePoint(one, other))
    .slice(0, by.breakdown_limit ?? LIMIT)
    .map(([value]) => value)
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
