/** Events as calls answer them, and the parameters of a list as queries take them. */
import type { ListEventsRequest__Output } from '../../../proto/gen/sluice/v1/ListEventsRequest.ts'
import type { StoredEvent } from '../../../proto/gen/sluice/v1/StoredEvent.ts'
import { elementsJson } from '../../events/elements-chain.ts'
import { storedTimeText } from '../../query/bounds.ts'
import type { EventListRequest } from '../../query/list/event-list-query.ts'
import type { TableRequest } from '../../query/table/table-query.ts'
import type { QueriedEvent } from '../../store/events/event-rows.ts'

/** The parameters of a list; the validator leaves out those that were not given. */
export function toListRequest(
  request: Partial<ListEventsRequest__Output>,
): EventListRequest & TableRequest {
  const { after = '', before = '', properties = '', order_by: orderBy = '', event } = request
  return {
    ...{ after, before, properties, orderBy, event },
    distinctId: request.distinct_id,
    personId: request.person_id,
    select: request.select ?? [],
    where: request.where ?? [],
  }
}

/** JSON text, as that of every person is. */
const NO_PERSON = 'null'

/** The eight fields of an event, each a text as the specification has it. */
export function toStoredEvent(event: QueriedEvent): StoredEvent {
  return {
    id: event.uuid,
    distinct_id: event.distinctId,
    properties: event.properties,
    event: event.event,
    timestamp: storedTimeText(event.micros),
    person: event.person ?? NO_PERSON,
    elements: elementsJson(event.elementsChain),
    elements_chain: event.elementsChain,
  }
}

/** JSON text of an event whose properties, person and elements are JSON, not texts of it. */
export function nativeEventJson(event: QueriedEvent): string {
  const members = [
    `"id":${JSON.stringify(event.uuid)}`,
    `"distinct_id":${JSON.stringify(event.distinctId)}`,
    `"properties":${event.properties}`,
    `"event":${JSON.stringify(event.event)}`,
    `"timestamp":${JSON.stringify(storedTimeText(event.micros))}`,
    `"person":${event.person ?? 'null'}`,
    `"elements":${elementsJson(event.elementsChain)}`,
    `"elements_chain":${JSON.stringify(event.elementsChain)}`,
  ]
  return `{${members.join()}}`
}
