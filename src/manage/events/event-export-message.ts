/** Pieces of an export of events: what a CSV file is made of. */
import type { ListExportedEventsRequest__Output } from '../../../proto/gen/sluice/v1/ListExportedEventsRequest.ts'
import type { ListExportedEventsResponse } from '../../../proto/gen/sluice/v1/ListExportedEventsResponse.ts'
import { accepted, invalid } from '../../access/errors.ts'
import { AppError } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { flattenJson } from '../../core/json-text/flat-json.ts'
import { EVENT_EXPORT_LIMIT_DEFAULT, EVENT_EXPORT_LIMIT_MAX } from '../../core/limits/limits.ts'
import { readExportPiece, startOfExport } from '../../query/list/event-export.ts'
import { parseEventList } from '../../query/list/event-list-query.ts'
import type { EventListDeps } from '../../query/list/events-list.ts'
import { decodeCursor, encodeCursor } from '../../query/list/export-cursor.ts'
import { asksForTable } from '../../query/table/table-query.ts'
import { ColumnSet } from '../../wire/column-set.ts'
import { tooManyColumnsDetail } from '../../wire/details.ts'
import { pageOf } from '../../wire/page.ts'
import { nativeEventJson, toListRequest } from './event-message.ts'
import { columnsOfTable, readTable, rowJson } from './event-table-message.ts'

const LIMITS = { limit_max: EVENT_EXPORT_LIMIT_MAX, limit_default: EVENT_EXPORT_LIMIT_DEFAULT }

const TABLE = { is_table: true, start: '', cursor: '' }

/**
 * The columns or the rows of one piece. A table is one piece, columns and rows, for it is bounded
 * in bytes as every table is.
 * @throws {AppError} `invalid_argument` for the first parameter that is wrong.
 */
export async function exportEvents(
  deps: EventListDeps,
  project: ProjectId,
  request: Partial<ListExportedEventsRequest__Output>,
  signal: AbortSignal,
): Promise<ListExportedEventsResponse> {
  const asked = toListRequest(request.query ?? {})
  const page = pageOf(LIMITS, request.query ?? {})
  if (asksForTable(asked)) {
    if (request.columns_only === true) return { columns: columnsOfTable(deps, asked), ...TABLE }
    const { columns, rows } = await readTable(deps, project, asked, page, signal)
    return { columns: [...columns], rows: rows.map(rowJson), ...TABLE }
  }
  const query = accepted(parseEventList(asked, deps.clock.now()))
  const isFirst = request.cursor === undefined || request.cursor === ''
  const cursor = isFirst ? startOfExport(query, page) : decodeCursor(request.cursor ?? '')
  if (cursor === undefined) throw invalid('The cursor is of no export.', 'cursor')
  const { events, next } = accepted(await readExportPiece(deps, project, query, cursor, signal))
  const rows = events.map(nativeEventJson)
  return {
    ...(request.columns_only === true ? { columns: columnsOf(rows) } : { rows }),
    start: encodeCursor(cursor),
    cursor: next === undefined ? '' : encodeCursor(next),
  }
}

function columnsOf(rows: readonly string[]): string[] {
  const columns = new ColumnSet()
  const add = (path: string) => {
    if (columns.add(path)) return
    throw new AppError('invalid_argument', 'too many columns', { detail: tooManyColumnsDetail })
  }
  for (const row of rows) flattenJson(row, add)
  return columns.sorted()
}
