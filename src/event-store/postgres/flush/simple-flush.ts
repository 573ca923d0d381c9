/** Writes a flush in one statement, where its events merge no persons and change no groups. */
import type { ProjectId } from '../../../core/ids.ts'
import { changesPerson } from '../../../ingest/ordering.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import { changesNothing } from '../../../persons/property-fold.ts'
import type { Db } from '../../../postgres/db.ts'
import { ChangedPersons } from '../persons/changed-persons.ts'
import { type ChangesAnswer, foldChanges, type SimpleChange } from './changes-sql.ts'
import { type EventsInput, type EventsWritten, numbers, writeEvents } from './events-sql.ts'
import type { FlushWork } from './flush-work.ts'
import type { IngestMemory } from './ingest-memory.ts'
import type { PlannedDone } from './planned-work.ts'
import type { PreparedFlush } from './prepare-flush.ts'
import { type Judged, judgedOf } from './quiet-sql.ts'

type SimpleDone = Pick<PlannedDone, 'persons' | 'distinctIds'> & {
  readonly written: EventsWritten
  /** Rows whose person has now what they set. */
  readonly changes: readonly FlushRow[]
}

/**
 * Writes a flush without a plan. Persons that are known to have all that their events set are only
 * looked at; if one has not, everything is written as a change. Not within a transaction, which a
 * cancelled statement would end.
 * @returns undefined, and has written nothing, when the flush needs a plan.
 * @throws {PropertiesError} when a row's properties cannot be read; errors of the statement.
 */
export async function writeSimple(
  db: Db,
  memory: IngestMemory,
  { flush, input, unseen }: Pick<FlushWork, 'flush' | 'unseen'> & { readonly input: EventsInput },
): Promise<SimpleDone | undefined> {
  if (flush.changes === 'any') return undefined
  const write = async (judged: readonly Judged[], changing: PreparedFlush['planned']) => {
    const newUuid = (project: ProjectId, id: string) => memory.newPersonUuid(project, id)
    const changes = foldChanges(flush.rows, changing, newUuid)
    const written = await writeEvents(db, input, { judged, changes, unseen })
    return written && { ...written, done: doneOf(changes, written.changes), changing }
  }
  const { judged, changing } = guess(flush, memory)
  let written = await write(judged, changing)
  if (written !== undefined && written.loud.length > 0) {
    for (const place of written.loud) {
      const each = judged[place]
      if (each !== undefined) memory.forgetNames(each.projectId, each.distinctId)
    }
    written = await write([], flush.planned)
  }
  if (written === undefined) return undefined
  const { done, changing: changed } = written
  const changes = flush.rows.filter(
    ({ projectId, event }) =>
      event.person.profile &&
      changesPerson(event.person) &&
      changed.get(projectId)?.has(event.distinctId) === true,
  )
  return { ...done, written, changes }
}

/** Distinct ids whose person may change or is to be made, and the forms of the other persons. */
function guess(
  { rows }: PreparedFlush,
  memory: Pick<IngestMemory, 'expect'>,
): { readonly judged: readonly Judged[]; readonly changing: PreparedFlush['planned'] } {
  const changing = new Map<ProjectId, Set<string>>()
  const expected = rows.map(({ projectId, event }) => {
    const form = memory.expect(projectId, event)
    if (form !== undefined) return form
    const ids = changing.get(projectId) ?? new Set()
    changing.set(projectId, ids.add(event.distinctId))
    return undefined
  })
  if (changing.size === 0) return { judged: judgedOf(rows, expected), changing }
  const unchanged = expected.map((form, place) => {
    const row = rows[place]
    return row && changing.get(row.projectId)?.has(row.event.distinctId) ? undefined : form
  })
  return { judged: judgedOf(rows, unchanged), changing }
}

/** @param answer undefined where persons were only looked at, or made without properties. */
function doneOf(
  changes: readonly SimpleChange[],
  answer: ChangesAnswer | undefined,
): Pick<PlannedDone, 'persons' | 'distinctIds'> {
  const persons = new ChangedPersons()
  const distinctIds = new Map<ProjectId, string[]>()
  for (const place of [...numbers(answer?.created), ...numbers(answer?.changed)]) {
    const change = changes[place]
    // Caches hold the same for a person without properties as for none.
    if (change === undefined || changesNothing(change)) continue
    persons.addDistinctId(change.projectId, change.distinctId)
  }
  for (const [project, distinctId] of answer?.owned ?? [])
    persons.addDistinctId(project as ProjectId, distinctId)
  for (const { projectId, distinctId } of changes) {
    const ids = distinctIds.get(projectId)
    if (ids === undefined) distinctIds.set(projectId, [distinctId])
    else ids.push(distinctId)
  }
  return { persons, distinctIds }
}
