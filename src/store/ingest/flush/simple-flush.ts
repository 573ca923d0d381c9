/** Writes a flush in one statement, where its events merge no persons and change no groups. */
import type { ProjectId } from '../../../core/ids.ts'
import { changesPerson } from '../../../ingest/ordering.ts'
import type { PersonForm } from '../../../ingest/store-port.ts'
import { changesNothing } from '../../../persons/property-fold.ts'
import type { Db } from '../../pool/db.ts'
import { ChangedPersons } from '../changed-persons.ts'
import type { IngestMemory } from '../ingest-memory.ts'
import type { PlannedDone } from '../planned-work.ts'
import {
  type EventsInput,
  type EventsWritten,
  numbers,
  writeEventsAndChanges,
  writeOrdinary,
} from './events-sql.ts'
import type { FlushWork } from './flush-work.ts'
import { judgedOf } from './quiet-sql.ts'
import { foldChanges } from './simple-changes.ts'

type SimpleDone = Pick<PlannedDone, 'persons' | 'distinctIds'> & { readonly written: EventsWritten }

/**
 * Writes events that are expected to change nothing else.
 * @returns undefined, and has written nothing, when something may change.
 */
export async function writeQuiet(
  db: Db,
  memory: Pick<IngestMemory, 'expect' | 'forgetNames'>,
  { flush, input, unseen }: Pick<FlushWork, 'flush' | 'unseen'> & { readonly input: EventsInput },
): Promise<EventsWritten | undefined> {
  if (unseen.seenDefinitions.length > 0 || unseen.firstProjectIds.length > 0) return undefined
  const expected: PersonForm[] = []
  for (const { projectId, event, expected: before } of flush.rows) {
    const form = before ?? memory.expect(projectId, event)
    if (form === undefined) return undefined
    expected.push(form)
  }
  const judged = judgedOf(flush.rows, expected)
  const { loud, ...written } = await writeOrdinary(db, input, judged)
  if (loud.length === 0) return written
  for (const place of loud) {
    const each = judged[place]
    if (each !== undefined) memory.forgetNames(each.projectId, each.distinctId)
  }
  return undefined
}

/**
 * Writes a flush without a plan. Not within a transaction, which a cancelled statement would end.
 * @returns undefined, and has written nothing, when the flush needs a plan.
 * @throws {PropertiesError} when a row's properties cannot be read; errors of the statement.
 */
export async function writeSimple(
  db: Db,
  memory: Pick<IngestMemory, 'newPersonUuid' | 'learnDistinctId' | 'learnChange'>,
  { flush, input, unseen }: Pick<FlushWork, 'flush' | 'unseen'> & { readonly input: EventsInput },
): Promise<SimpleDone | undefined> {
  const changes = foldChanges(flush, (project, id) => memory.newPersonUuid(project, id))
  const written = await writeEventsAndChanges(db, input, changes, unseen)
  if (written === undefined) return undefined
  const { created, absent, changed, owned } = written.changes
  const persons = new ChangedPersons()
  const byPosition = new Map(changes.map((change) => [change.position, change]))
  for (const position of [...numbers(created), ...numbers(changed)]) {
    const change = byPosition.get(position)
    // Caches hold the same for a person without properties as for none.
    if (change === undefined || changesNothing(change)) continue
    persons.addDistinctId(change.projectId, change.distinctId)
  }
  for (const [project, distinctId] of owned ?? [])
    persons.addDistinctId(project as ProjectId, distinctId)
  const without = new Set(numbers(absent))
  const distinctIds = new Map<ProjectId, string[]>()
  for (const { position, projectId, distinctId } of changes) {
    if (without.has(position)) continue
    const ids = distinctIds.get(projectId)
    if (ids === undefined) distinctIds.set(projectId, [distinctId])
    else ids.push(distinctId)
    memory.learnDistinctId(projectId, distinctId)
  }
  for (const { projectId, event } of flush.rows) {
    if (event.person.profile && changesPerson(event.person)) memory.learnChange(projectId, event)
  }
  return { written, persons, distinctIds }
}
