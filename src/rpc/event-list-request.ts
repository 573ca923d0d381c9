import type { ListEventsRequest__Output } from '../../proto/gen/sluice/v1/ListEventsRequest.ts'
import type { EventListRequest } from '../query/list/event-list-query.ts'
import type { TableRequest } from '../query/table/table-query.ts'

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
