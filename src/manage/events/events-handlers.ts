import type { EventServiceDefinition } from '../../../proto/gen/sluice/v1/EventService.ts'
import type { StoredEvent } from '../../../proto/gen/sluice/v1/StoredEvent.ts'
import { invalid, notFound } from '../../access/errors.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { elementsJson } from '../../events/elements-chain.ts'
import { storedTimeText } from '../../query/bounds.ts'
import { listEvents, parseEventList } from '../../query/list/event-list-query.ts'
import { parseEventId, retrieveEvent } from '../../query/list/event-retrieve.ts'
import { listEventValues } from '../../query/list/event-values.ts'
import { createScanGate } from '../../query/scan-gate.ts'
import { asksForTable } from '../../query/table/table-query.ts'
import { toListRequest } from '../../rpc/event-list-request.ts'
import { nativeEventJson } from '../../rpc/native-event.ts'
import type { QueriedEvent } from '../../store/events/event-rows.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { echo } from '../../wire/details.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { exportEvents } from './event-export-message.ts'
import { listEventTable } from './event-table-message.ts'

const SERVICE = '/sluice.v1.EventService'
const NATIVE = 'native'

export type EventHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly clock: Clock
  /** Told of each list that asks for one event by its name; a failing one counts too. */
  readonly onEventAsked: (project: ProjectId, event: string) => void
}

export function createEventHandlers({
  management,
  sql,
  clock,
  onEventAsked,
}: EventHandlersDeps): ServiceHandlers<EventServiceDefinition> {
  const deps = { sql, clock, scans: createScanGate() }
  return {
    ListEvents: management.underProject(`${SERVICE}/ListEvents`, {
      async run({ request, access, context }) {
        const asked = toListRequest(request)
        if (asked.event !== undefined) onEventAsked(access.projectId, asked.event)
        const { signal } = context
        if (asksForTable(asked)) {
          return await listEventTable(deps, access.projectId, asked, request, signal)
        }
        const query = parseEventList(asked, clock.now())
        if (!query.ok) throw invalid(query.error.detail, query.error.attr, query.error.code)
        const list = await listEvents(deps, access.projectId, query.value, request, signal)
        if (!list.ok) throw invalid(list.error.detail, list.error.attr, list.error.code)
        const { count, events, pinnedBefore } = list.value
        if (request.shape === NATIVE) {
          const results = `[${events.map(nativeEventJson).join()}]`
          return { count, native: { count, results }, pinned_before: pinnedBefore }
        }
        return { count, results: events.map(toStoredEvent), pinned_before: pinnedBefore }
      },
    }),

    GetEvent: management.underProject(`${SERVICE}/GetEvent`, {
      async find({ request, access }) {
        const uuid = parseEventId(request.id)
        if (uuid === undefined) throw invalid('Must be a valid UUID.', null, 'invalid')
        const withPerson = request.include_person !== undefined
        const event = await retrieveEvent(sql, access.projectId, uuid, withPerson)
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
        const values = await listEventValues(deps, access.projectId, asked, context.signal)
        if (!values.ok) throw invalid(values.error.detail, values.error.attr, values.error.code)
        return { results: values.value.map((name) => ({ name })) }
      },
    }),

    ListExportedEvents: management.underProject(`${SERVICE}/ListExportedEvents`, {
      async run({ request, access, context }) {
        const event = request.query?.event
        const isBegun = request.columns_only && !request.cursor
        if (isBegun && event !== undefined) onEventAsked(access.projectId, event)
        return await exportEvents(deps, access.projectId, request, context.signal)
      },
    }),
  }
}

/** All eight are texts, as the specification has them. */
function toStoredEvent(event: QueriedEvent): StoredEvent {
  return {
    id: event.uuid,
    distinct_id: event.distinctId,
    properties: event.properties,
    event: event.event,
    timestamp: storedTimeText(event.micros),
    ...(event.person === null ? {} : { person: event.person }),
    elements: elementsJson(event.elementsChain),
    elements_chain: event.elementsChain,
  }
}
