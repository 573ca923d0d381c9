/** Handlers of `EventService`: lists, single events, values and exports. */
import type { EventServiceDefinition } from '../../../proto/gen/sluice/v1/EventService.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, invalid, notFound } from '../../access/errors.ts'
import { isLooseUuid, type ProjectId } from '../../core/ids.ts'
import { EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { Db } from '../../postgres/db.ts'
import { nativeEventJson } from '../../query/list/event-json.ts'
import { parseEventList } from '../../query/list/event-list-query.ts'
import { listEventValues } from '../../query/list/event-values.ts'
import { type EventReadsDeps, inTime, listEvents, readsOf } from '../../query/list/events-list.ts'
import { asksForTable } from '../../query/table/table-query.ts'
import { createTimeBudget } from '../../query/time-budget.ts'
import { echo } from '../../wire/details.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { auditExport, exportEvents } from './event-export-message.ts'
import { toListRequest, toStoredEvent, withCohorts } from './event-message.ts'
import { listEventTable } from './event-table-message.ts'

const SERVICE = '/sluice.v1.EventService'
const NATIVE = 'native'

export type EventHandlersDeps = EventReadsDeps & {
  readonly management: Management
  readonly sql: Db
  /** Called for each list that filters by one event name; a failing one counts too. */
  readonly onEventAsked: (project: ProjectId, event: string) => void
}

export function createEventHandlers(
  deps: EventHandlersDeps,
): ServiceHandlers<EventServiceDefinition> {
  const { management, sql, events, clock, onEventAsked } = deps
  const depsOf = (access: ProjectAccess) => readsOf(deps, access)
  return {
    ListEvents: management.underProject(`${SERVICE}/ListEvents`, {
      async run({ request, access, context }) {
        const { signal } = context
        const deps = depsOf(access)
        const asked = await withCohorts(deps, access.projectId, toListRequest(request), signal)
        if (asked.event !== undefined) onEventAsked(access.projectId, asked.event)
        if (asksForTable(asked)) {
          return await listEventTable(deps, access.projectId, asked, request, signal)
        }
        const query = accepted(parseEventList(asked, clock.now()))
        const list = accepted(await listEvents(deps, access.projectId, query, request, signal))
        const { count, events: found, pinnedBefore } = list
        if (request.shape === NATIVE) {
          const results = `[${found.map(nativeEventJson).join()}]`
          return { count, native: { count, results }, pinned_before: pinnedBefore }
        }
        return { count, results: found.map(toStoredEvent), pinned_before: pinnedBefore }
      },
    }),

    GetEvent: management.underProject(`${SERVICE}/GetEvent`, {
      async find({ request, access, context }) {
        const uuid = request.id.toLowerCase()
        if (!isLooseUuid(uuid)) throw invalid('Must be a valid UUID.', null, 'invalid')
        const { scans } = depsOf(access)
        const { signal } = context
        const time = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
        const read = () => events.find(access.projectId, uuid, { signal, time })
        const event = accepted(await inTime(scans.run(signal, read)))
        if (event === undefined) throw notFound(`Event with ID ${echo(request.id)} not found.`)
        return event
      },
      run: async ({ request }, event) =>
        request.shape === NATIVE
          ? { native: nativeEventJson(event) }
          : { event: toStoredEvent(event) },
    }),

    ListEventValues: management.underProject(`${SERVICE}/ListEventValues`, {
      async run({ request, access, context }) {
        const { key = '', value = '', event_name: names = [] } = request
        const asked = { key, value, events: names.filter((name) => name !== '') }
        const lists = depsOf(access)
        const { signal } = context
        const values = await listEventValues(lists, access.projectId, asked, signal)
        return { results: accepted(values).map((name) => ({ name })) }
      },
    }),

    ListExportedEvents: management.underProject(`${SERVICE}/ListExportedEvents`, {
      async run({ request, access, principal, context }) {
        const event = request.query?.event
        const isBegun = request.columns_only && !request.cursor
        if (isBegun && event !== undefined) onEventAsked(access.projectId, event)
        const piece = await exportEvents(depsOf(access), access.projectId, request, context.signal)
        await auditExport(sql, { principal, access }, request, piece)
        return piece
      },
    }),
  }
}
