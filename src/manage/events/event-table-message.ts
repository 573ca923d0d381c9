/** A list of events with `select`: rows of the values of its expressions. */
import type { ListEventsResponse } from '../../../proto/gen/sluice/v1/ListEventsResponse.ts'
import { accepted } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { EventListRequest } from '../../query/list/event-list-query.ts'
import type { EventListDeps } from '../../query/list/events-list.ts'
import { type EventTable, parseEventTable, readEventTable } from '../../query/table/event-table.ts'
import { rowJson } from '../../query/table/row-json.ts'
import type { TableRequest } from '../../query/table/table-query.ts'
import type { Page } from '../../wire/page.ts'

/**
 * Answers with `table` set.
 * @throws {AppError} `invalid_argument` for the first parameter that is wrong, and for a query that
 * takes too long or gives too much.
 */
export async function listEventTable(
  deps: EventListDeps,
  project: ProjectId,
  request: EventListRequest & TableRequest,
  page: Page,
  signal: AbortSignal,
): Promise<ListEventsResponse> {
  const table = await readTable(deps, project, request, page, signal)
  const { columns, types, rows, count, hasMore, pinnedBefore } = table
  return {
    table: {
      columns: [...columns],
      types: [...types],
      results: `[${rows.map(rowJson).join()}]`,
      has_more: hasMore,
      count,
    },
    pinned_before: pinnedBefore,
  }
}

/**
 * The expressions of `select`, once the whole request is understood; reads nothing.
 * @throws {AppError} `invalid_argument` for the first parameter that is wrong.
 */
export function columnsOfTable(deps: EventListDeps, request: EventListRequest & TableRequest) {
  return [...parsed(deps, request).table.columns]
}

/** @throws {AppError} as `listEventTable`. */
export async function readTable(
  deps: EventListDeps,
  project: ProjectId,
  request: EventListRequest & TableRequest,
  page: Page,
  signal: AbortSignal,
): Promise<EventTable> {
  return accepted(await readEventTable(deps, project, parsed(deps, request), page, signal))
}

function parsed({ clock }: EventListDeps, request: EventListRequest & TableRequest) {
  return accepted(parseEventTable(request, clock.now()))
}
