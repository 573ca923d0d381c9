/** Handlers of `PersonService`: what is known of a person, and that it is forgotten. */
import { v7 as uuidv7 } from 'uuid'
import type { ExportPersonResponse } from '../../../proto/gen/sluice/v1/ExportPersonResponse.ts'
import type { PersonServiceDefinition } from '../../../proto/gen/sluice/v1/PersonService.ts'
import { accepted, found, invalid } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { EVENT_EXPORT_LIMIT_MAX } from '../../core/limits/limits.ts'
import { readExportPiece, startOfExport } from '../../query/list/event-export.ts'
import { type EventListQuery, parseEventList } from '../../query/list/event-list-query.ts'
import type { EventListDeps } from '../../query/list/events-list.ts'
import { decodeCursor, encodeCursor } from '../../query/list/export-cursor.ts'
import type { ScanGate } from '../../query/scan-gate.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { findDeletion } from '../../store/privacy/deletion-store.ts'
import {
  countPersonEvents,
  deletePerson,
  type FoundPerson,
  findPerson,
  type PersonName,
  readPersonData,
} from '../../store/privacy/person-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { nativeEventJson } from '../events/event-message.ts'
import type { Management } from '../management.ts'
import { auditDeletion, toDeletion } from './deletion-message.ts'

const SERVICE = '/sluice.v1.PersonService'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const BIGINT_DIGITS = /^\d{1,18}$/

export type PersonHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  /** Connections for queries alone. */
  readonly scanSql: Sql
  readonly scanGate: ScanGate
  readonly clock: Clock
  readonly backupDays: number | undefined
  /** Awaited after the commit and before the answer. */
  readonly onPersonDeleted: (
    project: ProjectId,
    distinctIds: readonly string[],
    hasMoreIds: boolean,
  ) => Promise<void>
}

export function createPersonHandlers({
  management,
  sql,
  scanSql,
  scanGate,
  clock,
  backupDays,
  onPersonDeleted,
}: PersonHandlersDeps): ServiceHandlers<PersonServiceDefinition> {
  const find = async (project: ProjectId, request: { id: string; by?: string }) => {
    const name = nameOf(request)
    return found(name === undefined ? undefined : await findPerson(sql, project, name))
  }
  return {
    DeletePerson: management.underProject(`${SERVICE}/DeletePerson`, {
      find: ({ request, access }) => find(access.projectId, request),
      async run({ request, access, principal }, person) {
        const { projectId } = access
        const withEvents = request.delete_events === true
        const total = withEvents ? await countPersonEvents(sql, projectId, person) : 0
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
      async run({ request, access, context }, person) {
        const { projectId, organizationId } = access
        const deps = { sql: scanSql, clock, scans: scanGate.of(organizationId) }
        return await exportPiece(deps, projectId, person, request.cursor ?? '', context.signal)
      },
    }),
  }
}

function nameOf({ id, by }: { id: string; by?: string }): PersonName | undefined {
  if (by === 'distinct_id') return { distinctId: id }
  if (UUID.test(id)) return { uuid: id }
  return BIGINT_DIGITS.test(id) ? { id } : undefined
}

/** The person in the first piece, and a part of its events, oldest first, in every one. */
async function exportPiece(
  deps: EventListDeps,
  project: ProjectId,
  person: FoundPerson,
  cursorText: string,
  signal: AbortSignal,
): Promise<ExportPersonResponse> {
  const query = eventsOf(person, deps.clock.now())
  // Each piece takes as many as it can; the next one begins where it ended.
  const page = { limit: EVENT_EXPORT_LIMIT_MAX, offset: 0 }
  const cursor = cursorText === '' ? startOfExport(query, page) : decodeCursor(cursorText)
  if (cursor === undefined) throw invalid('The cursor is of no export.', 'cursor')
  const whole = { ...cursor, left: EVENT_EXPORT_LIMIT_MAX }
  const { events, next } = accepted(await readExportPiece(deps, project, query, whole, signal))
  const data = cursorText === '' ? found(await readPersonData(deps.sql, project, person)) : 'null'
  return {
    person: data,
    events: `[${events.map(nativeEventJson).join()}]`,
    cursor: next === undefined ? '' : encodeCursor(next),
  }
}

/** Whatever their time is. */
function eventsOf({ uuid }: FoundPerson, nowMs: number): EventListQuery {
  const all = { after: '', before: '9999-12-31T23:59:59Z', properties: '' }
  const asked = { event: undefined, distinctId: undefined, personId: uuid }
  return accepted(parseEventList({ ...all, ...asked, orderBy: '["timestamp"]' }, nowMs))
}
