/** Handlers of `DeletionService`: events that are deleted by filter, and all that is deleted. */
import { v7 as uuidv7 } from 'uuid'
import type { CreateDeletionRequest__Output } from '../../../proto/gen/sluice/v1/CreateDeletionRequest.ts'
import type { DeletionServiceDefinition } from '../../../proto/gen/sluice/v1/DeletionService.ts'
import { accepted, found, invalid, notFound } from '../../access/errors.ts'
import { isUuid, type ProjectId } from '../../core/ids.ts'
import type { Zone } from '../../core/time/zone.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  cancelDeletion,
  countDeletions,
  findDeletion,
  insertDeletion,
  listDeletions,
  type StoredDeletion,
} from '../../privacy/deletion-store.ts'
import { parseEventList } from '../../query/list/event-list-query.ts'
import { type EventReadsDeps, listEvents, readsOf } from '../../query/list/events-list.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { toListRequest, zoneOfList } from '../events/event-message.ts'
import type { Management } from '../management.ts'
import { auditDeletion, toDeletion } from './deletion-message.ts'

/** Deletions of a project that run at a time; one more is 400. */
const DELETIONS_RUNNING_MAX = 1_000

const SERVICE = '/sluice.v1.DeletionService'

export type DeletionHandlersDeps = EventReadsDeps & {
  readonly management: Management
  readonly sql: Sql
  readonly backupDays: number | undefined
}

export function createDeletionHandlers(
  deps: DeletionHandlersDeps,
): ServiceHandlers<DeletionServiceDefinition> {
  const { management, sql, clock, backupDays } = deps
  const find = async (project: ProjectId, id: string) =>
    isUuid(id) ? found(await findDeletion(sql, project, id)) : unknown()
  return {
    ListDeletions: management.underProject(`${SERVICE}/ListDeletions`, {
      async run({ request, access: { projectId } }) {
        const [{ all }, rows] = await Promise.all([
          countDeletions(sql, projectId),
          listDeletions(sql, projectId, request),
        ])
        return { count: all, results: rows.map((row) => toDeletion(row, backupDays)) }
      },
    }),

    CreateDeletion: management.underProject(`${SERVICE}/CreateDeletion`, {
      async run({ request, access, principal, context }) {
        const { projectId } = access
        const list = toListRequest(request)
        const zone = await zoneOfList(sql, projectId, list)
        const filters = { ...filtersOf(request), ...(zone && calendarFields(zone)) }
        const query = accepted(parseEventList({ ...list, zone }, clock.now()))
        // Checked before any event is deleted: a filter too slow to read would never end.
        const one = { limit: 1, offset: 0 }
        const counted = await listEvents(
          readsOf(deps, access),
          projectId,
          query,
          one,
          context.signal,
        )
        const { count: total } = accepted(counted)
        if (request.dry_run === true) return dryRun(filters, total)
        return await sql.begin(async (tx) => {
          const asked = { id: uuidv7(), projectId, filters, total, askedBy: principal.userId }
          await insertDeletion(tx, { ...asked, kind: 'events', personUuid: null, withEvents: true })
          await refuseTooMany(tx, projectId)
          const after = found(await findDeletion(tx, projectId, asked.id))
          await auditDeletion(tx, { principal, access }, { before: null, after })
          return toDeletion(after, backupDays)
        })
      },
    }),

    GetDeletion: management.underProject(`${SERVICE}/GetDeletion`, {
      find: ({ request, access }) => find(access.projectId, request.id),
      run: async (_call, deletion) => toDeletion(deletion, backupDays),
    }),

    CancelDeletion: management.underProject(`${SERVICE}/CancelDeletion`, {
      find: ({ request, access }) => find(access.projectId, request.id),
      async run({ access, principal }, before) {
        await sql.begin(async (tx) => {
          if (
            before.kind === 'person' ||
            !(await cancelDeletion(tx, access.projectId, before.id))
          ) {
            throw invalid('Only a deletion by filter or by age that runs can be cancelled.', null)
          }
          const after: StoredDeletion = found(await findDeletion(tx, access.projectId, before.id))
          await auditDeletion(tx, { principal, access }, { activity: 'cancelled', before, after })
        })
        return {}
      },
    }),
  }
}

function unknown(): never {
  throw notFound()
}

type Filters = Readonly<Record<string, string | number | readonly string[]>>

/** @throws {AppError} `invalid_argument` when they hold for every event of the project. */
/** A project may change them while its deletion runs. */
function calendarFields({ name, weekStartDay }: Zone) {
  return { timezone: name, week_start_day: weekStartDay }
}

function filtersOf(request: Partial<CreateDeletionRequest__Output>): Filters {
  const { after = '', before = '', properties = '', where = [] } = request
  const texts = { event: request.event, distinct_id: request.distinct_id }
  const given = Object.entries({ ...texts, person_id: request.person_id, properties }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1].trim() !== '',
  )
  const conditions = where.filter((each) => each.trim() !== '')
  if (given.length + conditions.length === 0 && (after === '' || before === '')) {
    throw invalid('Give a filter, or both after and before.', null)
  }
  return {
    ...(after === '' ? {} : { after }),
    ...(before === '' ? {} : { before }),
    ...Object.fromEntries(given),
    ...(conditions.length === 0 ? {} : { where: conditions }),
  }
}

function dryRun(filters: Filters, total: number) {
  const state = { kind: 'events', state: 'dry_run', delete_events: true }
  return { ...state, filters: JSON.stringify(filters), total, deleted: 0 }
}

async function refuseTooMany(tx: Db, project: ProjectId): Promise<void> {
  const { running } = await countDeletions(tx, project)
  if (running > DELETIONS_RUNNING_MAX) {
    throw invalid(`At most ${DELETIONS_RUNNING_MAX} deletions may run at a time.`, null)
  }
}
