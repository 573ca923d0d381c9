/** Pieces of an export of events: the input of a CSV file. */
import type { ListEventsRequest__Output } from '../../../proto/gen/sluice/v1/ListEventsRequest.ts'
import type { ListExportedEventsRequest__Output } from '../../../proto/gen/sluice/v1/ListExportedEventsRequest.ts'
import type { ListExportedEventsResponse } from '../../../proto/gen/sluice/v1/ListExportedEventsResponse.ts'
import { accepted, invalid } from '../../access/errors.ts'
import { AppError } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { flattenJson } from '../../core/json-text/flat-json.ts'
import {
  EVENT_EXPORT_LIMIT_DEFAULT,
  EVENT_EXPORT_LIMIT_MAX,
} from '../../core/limits/limits-query.ts'
import type { Db } from '../../postgres/db.ts'
import { readExportPiece, startOfExport } from '../../query/list/event-export.ts'
import { nativeEventJson } from '../../query/list/event-json.ts'
import { parseEventList } from '../../query/list/event-list-query.ts'
import type { EventListDeps } from '../../query/list/events-list.ts'
import { decodeCursor, encodeCursor } from '../../query/list/export-cursor.ts'
import { rowJson } from '../../query/table/row-json.ts'
import { asksForTable } from '../../query/table/table-query.ts'
import { ColumnSet } from '../../wire/column-set.ts'
import { tooManyColumnsDetail } from '../../wire/details.ts'
import { pageOf } from '../../wire/page.ts'
import { type AuditCaller, auditFacts } from '../audit.ts'
import { toListRequest, withCohorts } from './event-message.ts'
import { columnsOfTable, readTable } from './event-table-message.ts'

const LIMITS = { limit_max: EVENT_EXPORT_LIMIT_MAX, limit_default: EVENT_EXPORT_LIMIT_DEFAULT }

const TABLE = { is_table: true, start: '', cursor: '' }

/**
 * The columns or the rows of one piece. A table is one piece with both, since every table is
 * bounded in bytes.
 * @throws {AppError} `invalid_argument` for the first parameter that is wrong.
 */
export async function exportEvents(
  deps: EventListDeps,
  project: ProjectId,
  request: Partial<ListExportedEventsRequest__Output>,
  signal: AbortSignal,
): Promise<ListExportedEventsResponse> {
  const list = toListRequest(request.query ?? {})
  const asked = await withCohorts(deps, project, list, signal)
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

/** Writes one entry per export, however many pieces it is read in. */
export async function auditExport(
  db: Db,
  caller: AuditCaller & { readonly access: { readonly projectId: ProjectId } },
  request: Partial<ListExportedEventsRequest__Output>,
  piece: ListExportedEventsResponse,
): Promise<void> {
  const isLater = (request.cursor ?? '') !== ''
  // The call for the columns of a table precedes the one for all of it, which is recorded.
  if (isLater || (piece.is_table === true && request.columns_only === true)) return
  const facts = factsOf(request.query ?? {})
  const entry = { scope: 'Event', activity: 'exported', itemName: null, facts } as const
  await auditFacts(db, caller, { ...entry, itemId: caller.access.projectId })
}

/** Parameters of an export for its audit entry; those that were not given are left out. */
function factsOf(query: Partial<ListEventsRequest__Output>): JsonObject {
  const { after, before, event, distinct_id, person_id, properties, select, where } = query
  const { limit, offset } = query
  const asked = { after, before, event, distinct_id, person_id, properties, limit, offset }
  const lists = { select: select ?? [], where: where ?? [] }
  const given = Object.entries({ ...asked, ...lists }).filter(
    (entry): entry is [string, string | number | string[]] =>
      entry[1] !== undefined && entry[1] !== '' && entry[1] !== 0 && entry[1].toString() !== '',
  )
  return Object.fromEntries(given)
}
