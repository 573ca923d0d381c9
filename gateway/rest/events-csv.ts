/**
 * Streams stored events as CSV. The columns are the union over the whole file, so the events are
 * read twice: once for their keys, then for their cells, in pieces, as fast as the client reads.
 * Gateway and worker hold one piece at a time. Keys that only events stored between the two
 * readings have are left out.
 */
import type { ListEventValuesResponse__Output } from '../../proto/gen/sluice/v1/ListEventValuesResponse.ts'
import type { ListExportedEventsRequest } from '../../proto/gen/sluice/v1/ListExportedEventsRequest.ts'
import type { ListExportedEventsResponse__Output } from '../../proto/gen/sluice/v1/ListExportedEventsResponse.ts'
import { flattenJson, itemsOfList } from '../../src/core/json-text/flat-json.ts'
import {
  EVENT_EXPORT_LIMIT_DEFAULT,
  EVENT_EXPORT_LIMIT_MAX,
} from '../../src/core/limits/limits-query.ts'
import { ColumnSet } from '../../src/wire/column-set.ts'
import { type CellMode, csvLines } from '../../src/wire/csv.ts'
import { tooManyColumnsDetail } from '../../src/wire/details.ts'
import { pageOf } from '../../src/wire/page.ts'
import { refusal } from './caller.ts'
import { cellModeOf, csvBatches, csvReply } from './csv.ts'
import type { RestCall } from './renderer.ts'

const EXPORT = '/sluice.v1.EventService/ListExportedEvents'
const LIMITS = { limit_max: EVENT_EXPORT_LIMIT_MAX, limit_default: EVENT_EXPORT_LIMIT_DEFAULT }

type Piece = ListExportedEventsResponse__Output
type Ask = (fields: ListExportedEventsRequest) => Promise<Piece>

/**
 * A failure before the first piece is an ordinary error answer. A later failure is thrown out of
 * the body, which cuts the connection.
 */
export async function renderEventsCsv(call: RestCall) {
  if (call.request.method === 'HEAD') {
    // HEAD reads the columns of one event, which checks the query, and no rows.
    await asking(call, { limit: 1 })({ columns_only: true })
    return csvReply(nothing())
  }
  const ask = asking(call, pageOfQuery(call.query))
  const { columns, start, isTable } = await readColumns(ask)
  if (columns.length === 0) return csvReply('')
  const first = await ask({ cursor: start })
  if (isTable && first.rows.length === 0) return csvReply('')
  const cellsOf = isTable ? cellsOfRow : cellsOfEvent(columns)
  return csvReply(linesOf({ columns, cellsOf, mode: cellModeOf(call.query) }, first, ask))
}

/** CSV of one event: its keys are the columns. */
export async function renderEventCsv(call: RestCall) {
  const answer = await call.call({ ...call.message, shape: 'native' })
  const row = 'native' in answer ? String(answer.native) : '{}'
  const columns = new ColumnSet()
  flattenJson(row, (path) => addTo(columns, path))
  const lines = [columns.sorted(), cellsOfEvent(columns.sorted())(row)]
  return csvReply(csvLines(lines, cellModeOf(call.query)))
}

export async function renderEventValuesCsv(call: RestCall) {
  // The generated type of this method's answer.
  const { results } = (await call.call()) as ListEventValuesResponse__Output
  if (results.length === 0) return csvReply('')
  const lines = [['name'], ...results.map(({ name }) => [name])]
  return csvReply(csvLines(lines, cellModeOf(call.query)))
}

function asking(call: RestCall, page: { limit: number; offset?: number }): Ask {
  const project_id = String(call.message['project_id'] ?? '')
  const query = { ...call.message, ...page }
  // The generated type of this method's answer.
  return async (fields) =>
    (await call.callMethod(EXPORT, { project_id, query, ...fields })) as Piece
}

function pageOfQuery(query: URLSearchParams) {
  const last = (name: string) => query.getAll(name).at(-1)
  return pageOf(LIMITS, { limit: last('limit'), offset: last('offset') })
}

type Columns = {
  readonly columns: readonly string[]
  /** Position of the first row. */
  readonly start: string
  readonly isTable: boolean
}

async function readColumns(ask: Ask): Promise<Columns> {
  const first = await ask({ columns_only: true })
  if (first.is_table) return { columns: first.columns, start: '', isTable: true }
  const columns = new ColumnSet()
  let piece = first
  for (;;) {
    for (const name of piece.columns) addTo(columns, name)
    if (piece.cursor === '') break
    piece = await ask({ columns_only: true, cursor: piece.cursor })
  }
  return { columns: columns.sorted(), start: first.start, isTable: false }
}

/** @throws {AppError} `invalid_argument` when there are too many. */
function addTo(columns: ColumnSet, name: string): void {
  if (!columns.add(name)) throw refusal('invalid_argument', tooManyColumnsDetail)
}

type Lines = {
  readonly columns: readonly string[]
  readonly cellsOf: (row: string) => readonly string[]
  readonly mode: CellMode
}

/** Reads pieces until the last one, or until the reader leaves. */
async function* linesOf(
  { columns, cellsOf, mode }: Lines,
  first: Piece,
  ask: Ask,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvLines([columns], mode))
  let piece = first
  for (;;) {
    yield* csvBatches(piece.rows, columns.length, cellsOf, mode)
    if (piece.cursor === '') return
    piece = await ask({ cursor: piece.cursor })
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The cells of one event, in the order of the columns. */
export function cellsOfEvent(columns: readonly string[]): (row: string) => readonly string[] {
  const places = new Map(columns.map((name, place) => [name, place]))
  return (row) => {
    const cells = new Array<string>(columns.length).fill('')
    flattenJson(row, (path, cell) => {
      const place = places.get(path)
      if (place !== undefined) cells[place] = cell
    })
    return cells
  }
}

/** Renders lists and objects as JSON in one cell. */
function cellsOfRow(row: string): readonly string[] {
  return itemsOfList(row).map(({ kind, text }) => (kind === 'null' ? '' : text))
}
