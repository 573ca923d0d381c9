/** Writes a flush whose events change properties of persons and nothing else: one statement. */
import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../pool/db.ts'
import type { IngestMemory } from '../ingest-memory.ts'
import { PersonNews } from '../person-news.ts'
import type { PlannedDone } from '../planned-work.ts'
import {
  type EventsInput,
  type EventsWritten,
  numbers,
  writeEventsAndChanges,
} from './events-sql.ts'
import type { PreparedFlush } from './prepare-flush.ts'
import { foldChanges } from './simple-changes.ts'

type SimpleDone = Pick<PlannedDone, 'news' | 'distinctIds'> & { readonly written: EventsWritten }

/**
 * Not within a transaction: a statement that takes itself back would end it.
 * @returns undefined, and has written nothing, when the flush needs a plan.
 * @throws {PropertiesError} when a row's properties cannot be read; what the statement throws.
 */
export async function writeSimple(
  db: Db,
  memory: Pick<IngestMemory, 'newPersonUuid'>,
  { flush, input }: { readonly flush: PreparedFlush; readonly input: EventsInput },
): Promise<SimpleDone | undefined> {
  const changes = foldChanges(flush, (project, id) => memory.newPersonUuid(project, id))
  const written = await writeEventsAndChanges(db, input, changes)
  if (written === undefined) return undefined
  const { created, absent, changed, owned } = written.changes
  const news = new PersonNews()
  const byPosition = new Map(changes.map((change) => [change.position, change]))
  for (const position of [...numbers(created), ...numbers(changed)]) {
    const change = byPosition.get(position)
    if (change !== undefined) news.addDistinctId(change.projectId, change.distinctId)
  }
  for (const [project, distinctId] of owned ?? [])
    news.addDistinctId(project as ProjectId, distinctId)
  const without = new Set(numbers(absent))
  const distinctIds = new Map<ProjectId, string[]>()
  for (const { position, projectId, distinctId } of changes) {
    if (without.has(position)) continue
    const ids = distinctIds.get(projectId)
    if (ids === undefined) distinctIds.set(projectId, [distinctId])
    else ids.push(distinctId)
  }
  return { written, news, distinctIds }
}
