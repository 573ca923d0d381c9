/** Events as calls answer them, and the parameters of a list as queries take them. */
import type { ListEventsRequest__Output } from '../../../proto/gen/sluice/v1/ListEventsRequest.ts'
import type { StoredEvent } from '../../../proto/gen/sluice/v1/StoredEvent.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Zone } from '../../core/time/zone.ts'
import { elementsJson } from '../../events/elements-chain.ts'
import type { QueriedEvent } from '../../events/ports.ts'
import type { Sql } from '../../postgres/connect.ts'
import { readCohortsOfText } from '../../query/asked-cohorts.ts'
import { namesZone, storedTimeText } from '../../query/bounds.ts'
import type { EventListRequest } from '../../query/list/event-list-query.ts'
import type { EventListDeps } from '../../query/list/events-list.ts'
import type { TableRequest } from '../../query/table/table-query.ts'
import { loadZone } from '../../store/projects/project-store.ts'

/** The parameters of a list; the validator leaves out those that were not given. */
export function toListRequest(
  request: Partial<ListEventsRequest__Output>,
): EventListRequest & TableRequest {
  const { after = '', before = '', properties = '', order_by: orderBy = '', event } = request
  return {
    after,
    before,
    properties,
    orderBy,
    event,
    distinctId: request.distinct_id,
    personId: request.person_id,
    select: request.select ?? [],
    where: request.where ?? [],
  }
}

/**
 * The request with the cohorts that its filters name, and the zone of its days and dates.
 * @throws {AppError} of the query limiter.
 * @throws {PostgresError} 57014 when checking a pattern of one takes too long.
 */
export async function withCohorts<R extends EventListRequest>(
  { sql, scans, clock }: EventListDeps,
  project: ProjectId,
  request: R,
  signal: AbortSignal,
): Promise<R> {
  const [cohorts, zone] = await Promise.all([
    readCohortsOfText({ sql, scans, signal }, project, request.properties, clock.now()),
    zoneOfList(sql, project, request),
  ])
  return { ...request, cohorts, zone }
}

type OfZone = Pick<EventListRequest, 'properties' | 'where'> &
  Partial<Pick<EventListRequest, 'after' | 'before'> & Pick<TableRequest, 'select'>>

/** The zone of the project for bounds, dates of filters, and expressions. */
export async function zoneOfList(
  sql: Sql,
  project: ProjectId,
  { after = '', before = '', properties, where = [], select = [] }: OfZone,
): Promise<Zone | undefined> {
  const isBound = [after, before].some((text) => text !== '' && !namesZone(text))
  const hasDates = properties.includes('_date') || properties.includes('hogql')
  const hasExpressions = [...where, ...select].some((text) => text !== '')
  return isBound || hasDates || hasExpressions ? await loadZone(sql, project) : undefined
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
