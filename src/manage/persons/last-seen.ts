/** Times of the newest events of listed persons. */
import type { Person } from '../../../proto/gen/sluice/v1/Person.ts'
import type { ProjectId } from '../../core/ids.ts'
import { EVENT_LIST_AHEAD_MS, EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { boundText, microsOf } from '../../query/bounds.ts'
import { type EventListDeps, inTime } from '../../query/list/events-list.ts'
import { createTimeBudget } from '../../query/time-budget.ts'

/** Distinct ids of one statement. */
const IDS_MAX = 5_000

/**
 * Reads the newest event of each listed distinct id; those far ahead count as in lists of events.
 * Persons stay without a time when it takes too long.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function withLastSeen(
  { events, clock, scans }: EventListDeps,
  project: ProjectId,
  persons: readonly Person[],
  signal: AbortSignal,
): Promise<Person[]> {
  const ids = persons.flatMap(({ distinct_ids }) => distinct_ids ?? [])
  const before = microsOf({ ms: clock.now() + EVENT_LIST_AHEAD_MS, us: 0 })
  const time = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
  const newest = new Map<string, bigint>()
  for (let at = 0; at < ids.length; at += IDS_MAX) {
    const wanted = { project, distinctIds: ids.slice(at, at + IDS_MAX), before }
    const found = await inTime(scans.run(signal, () => events.newest(wanted, { signal, time })))
    if (!found.ok) return [...persons]
    for (const [id, micros] of found.value) newest.set(id, BigInt(micros))
  }
  return persons.map((person) => {
    const times = (person.distinct_ids ?? []).flatMap((id) => newest.get(id) ?? [])
    const [first, ...others] = times
    if (first === undefined) return person
    const last = others.reduce((most, each) => (each > most ? each : most), first)
    return { ...person, last_seen_at: timeText(last) }
  })
}

function timeText(micros: bigint): string {
  const us = ((micros % 1_000n) + 1_000n) % 1_000n
  return boundText({ ms: Number((micros - us) / 1_000n), us: Number(us) })
}
