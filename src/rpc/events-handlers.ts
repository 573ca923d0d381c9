import type { EventServiceDefinition } from '../../proto/gen/sluice/v1/EventService.ts'
import type { StoredEvent } from '../../proto/gen/sluice/v1/StoredEvent.ts'
import { invalid, notFound } from '../admin/errors.ts'
import type { Clock } from '../core/clock.ts'
import { echo } from '../core/details.ts'
import { storedTimeText } from '../query/bounds.ts'
import { elementsJson } from '../query/elements-chain.ts'
import { parseEventId, retrieveEvent } from '../query/event-retrieve.ts'
import { listEvents, parseEventList } from '../query/events-list.ts'
import { createScanGate } from '../query/scan-gate.ts'
import type { Sql } from '../store/connect.ts'
import type { QueriedEvent } from '../store/event-query-store.ts'
import type { Management } from './management.ts'
import type { ServiceHandlers } from './service-handlers.ts'

const SERVICE = '/sluice.v1.EventService'

export type EventHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly clock: Clock
}

export function createEventHandlers({
  management,
  sql,
  clock,
}: EventHandlersDeps): ServiceHandlers<EventServiceDefinition> {
  const deps = { sql, clock, scans: createScanGate() }
  return {
    ListEvents: management.underProject(`${SERVICE}/ListEvents`, {
      async run({ request, access, context }) {
        // The validator leaves out texts that are empty.
        const { after = '', before = '', properties = '', order_by: orderBy = '', event } = request
        const parameters = { after, before, event, properties, orderBy }
        const query = parseEventList(
          { ...parameters, distinctId: request.distinct_id, personId: request.person_id },
          clock.now(),
        )
        if (!query.ok) throw invalid(query.error.detail, query.error.attr, query.error.code)
        const { signal } = context
        const list = await listEvents(deps, access.projectId, query.value, request, signal)
        if (!list.ok) throw invalid(list.error.detail, list.error.attr, list.error.code)
        const { count, events, pinnedBefore } = list.value
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
      run: async (_call, event) => toStoredEvent(event),
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
