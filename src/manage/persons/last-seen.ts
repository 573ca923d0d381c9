/** Times of the newest events of listed persons. */
import type { Person } from '../../../proto/gen/sluice/v1/Person.ts'
import { accepted } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { Typed } from '../../events/trees/expression.ts'
import type { EventListDeps } from '../../query/list/events-list.ts'
import { parseEventTable, readEventTable } from '../../query/table/event-table.ts'

/** Distinct ids of one statement. */
const IDS_MAX = 500

/**
 * Reads the newest event of each distinct id, by the index of distinct ids. Persons stay without a
 * time when it takes too long.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function withLastSeen(
  deps: EventListDeps,
  project: ProjectId,
  persons: readonly Person[],
  signal: AbortSignal,
): Promise<Person[]> {
  const ids = persons.flatMap(({ distinct_ids }) => distinct_ids ?? [])
  const newest = new Map<string, string>()
  for (let at = 0; at < ids.length; at += IDS_MAX) {
    const found = await newestOf(deps, project, ids.slice(at, at + IDS_MAX), signal)
    if (found === undefined) return [...persons]
    for (const [id, time] of found) newest.set(id, time)
  }
  return persons.map((person) => {
    const times = (person.distinct_ids ?? []).flatMap((id) => newest.get(id) ?? [])
    const last = times.sort().at(-1)
    return last === undefined ? person : { ...person, last_seen_at: last }
  })
}

/** Undefined when the time-out cuts it. */
async function newestOf(
  deps: EventListDeps,
  project: ProjectId,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly [id: string, time: string])[] | undefined> {
  const { events, table } = accepted(parseEventTable(ASKED, deps.clock.now()))
  const where = { kind: 'expression', tree: isOneOf(ids) } as const
  const page = { limit: ids.length, offset: 0 }
  const read = await readEventTable(
    deps,
    project,
    { table, events: { ...events, where } },
    page,
    signal,
  )
  if (!read.ok) return undefined
  return read.value.rows.map(({ parts: [row = ''] }) => {
    // The cells of `ASKED`.
    const [id, time] = parseJson(row) as [string, string]
    const [, seconds = '', fraction = ''] = /^([^.+]+)(?:\.(\d+))?/.exec(time) ?? []
    return [id, `${seconds}.${fraction.padEnd(6, '0')}Z`]
  })
}

const ASKED = {
  after: '',
  before: '',
  event: undefined,
  distinctId: undefined,
  personId: undefined,
  properties: '',
  select: ['distinct_id', 'max(timestamp)'],
  where: [],
  orderBy: '',
} as const

function isOneOf(ids: readonly string[]): Typed {
  const field = { kind: 'field', type: 'String', field: 'distinct_id' } as const
  const items = ids.map((value) => ({ kind: 'constant', type: 'String', value }) as const)
  return { kind: 'apply', type: 'Bool', operation: 'in', args: [field, ...items] }
}
