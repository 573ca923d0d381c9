/** Handlers of `PersonService` that give all that is known of a person, and forget it. */
import { v7 as uuidv7 } from 'uuid'
import type { Deletion } from '../../../proto/gen/sluice/v1/Deletion.ts'
import type { PersonServiceDefinition } from '../../../proto/gen/sluice/v1/PersonService.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { found } from '../../access/errors.ts'
import { hasCode } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { FoundPerson } from '../../event-store/postgres/persons/find-person.ts'
import type { Sql } from '../../postgres/connect.ts'
import { deletePerson } from '../../privacy/delete-person.ts'
import { findDeletion } from '../../privacy/deletion-store.ts'
import {
  countPersonEvents,
  type EventListDeps,
  type EventReadsDeps,
  readsOf,
} from '../../query/list/events-list.ts'
import { createTimeBudget, isOutOfTime } from '../../query/time-budget.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditFacts } from '../audit.ts'
import type { Management } from '../management.ts'
import { auditDeletion, toDeletion } from '../privacy/deletion-message.ts'
import { readPersonPiece } from '../privacy/person-export.ts'
import { foundPerson, type Named, nameOf } from './person-name.ts'

/** Time for counting the events of a person before their deletion; then it runs without a total. */
const PERSON_COUNT_TIMEOUT_MS = 2_000

const SERVICE = '/sluice.v1.PersonService'

export type PersonPrivacyDeps = EventReadsDeps & {
  readonly management: Management
  readonly sql: Sql
  readonly backupDays: number | undefined
  /** Awaited after the commit and before the answer. */
  readonly onPersonDeleted: (
    project: ProjectId,
    distinctIds: readonly string[],
    hasMoreIds: boolean,
  ) => Promise<void>
}

type Handlers = Pick<ServiceHandlers<PersonServiceDefinition>, 'DeletePerson' | 'ExportPerson'>

export function createPersonPrivacyHandlers(all: PersonPrivacyDeps): Handlers {
  const { management, sql, backupDays, onPersonDeleted } = all
  const find = (project: ProjectId, request: Named) => foundPerson(sql, project, nameOf(request))
  const reading = (access: ProjectAccess) => readsOf(all, access)
  return {
    DeletePerson: management.underProject(`${SERVICE}/DeletePerson`, {
      find: ({ request, access }) => find(access.projectId, request),
      async run({ request, access, principal, context }, person) {
        const { projectId } = access
        const withEvents = request.delete_events === true
        const deps = reading(access)
        const total = withEvents ? await countIfSoon(deps, projectId, person, context.signal) : 0
        if (request.dry_run === true) return dryRun(person, withEvents, total)
        const { deletion, deleted } = await sql.begin(async (tx) => {
          const id = uuidv7()
          const personUuid = person.uuid
          const asked = { id, projectId, personUuid, withEvents, total, askedBy: principal.userId }
          const deleted = await deletePerson(tx, person, {
            ...asked,
            kind: 'person',
            filters: null,
          })
          const gone = found(deleted)
          const after = found(await findDeletion(tx, projectId, id))
          await auditDeletion(tx, { principal, access }, { before: null, after })
          return { deletion: after, deleted: gone }
        })
        await onPersonDeleted(projectId, deleted.distinctIds, deleted.hasMoreIds)
        return toDeletion(deletion, backupDays)
      },
    }),

    ExportPerson: management.underProject(`${SERVICE}/ExportPerson`, {
      find: ({ request, access }) => find(access.projectId, request),
      async run({ request, access, principal, context }, person) {
        const asked = { project: access.projectId, person }
        const cursor = request.cursor ?? ''
        const piece = await readPersonPiece(reading(access), asked, cursor, context.signal)
        // Named by the uuid, which reveals nothing once the person is forgotten.
        const entry = { activity: 'exported', itemId: person.uuid, itemName: null, facts: {} }
        const caller = { principal, access }
        if (cursor === '') await auditFacts(sql, caller, { scope: 'Person', ...entry })
        return piece
      },
    }),
  }
}

function dryRun({ uuid }: FoundPerson, withEvents: boolean, total: number | null): Deletion {
  const counted = total === null ? {} : { total }
  const fields = { kind: 'person', state: 'dry_run', person_uuid: uuid, delete_events: withEvents }
  return { ...fields, filters: 'null', ...counted, deleted: 0 }
}

/**
 * Counts the events to delete, if that is fast: a count that takes long, or finds no connection,
 * holds up no deletion.
 */
async function countIfSoon(
  { events, clock, scans }: EventListDeps,
  project: ProjectId,
  person: FoundPerson,
  signal: AbortSignal,
): Promise<number | null> {
  const time = createTimeBudget(clock, PERSON_COUNT_TIMEOUT_MS)
  const count = () => countPersonEvents(events, project, person, { signal, time })
  try {
    return await scans.run(signal, count)
  } catch (error) {
    const isBusy = hasCode(error, 'resource_exhausted') || hasCode(error, 'unavailable')
    if (isBusy || isOutOfTime(error)) return null
    throw error
  }
}
