/**
 * Stored events as CSV. The columns are the union over the whole file, so the events are read
 * twice: once for their keys, then for their cells, piece by piece and as fast as the client reads.
 * Neither the gateway nor the worker holds more than a piece. Events that are stored between the
 * two readings may have keys that are no columns: those cells are left out.
 */
import type { ListEventValuesResponse__Output } from '../../proto/gen/sluice/v1/ListEventValuesResponse.ts'
import type { ListExportedEventsRequest } from '../../proto/gen/sluice/v1/ListExportedEventsRequest.ts'
import type { ListExportedEventsResponse__Output } from '../../proto/gen/sluice/v1/ListExportedEventsResponse.ts'
import { flattenJson, itemsOfList } from '../../src/core/flat-json.ts'
import { EVENT_EXPORT_LIMIT_DEFAULT, EVENT_EXPORT_LIMIT_MAX } from '../../src/core/limits/limits.ts'
import { ColumnSet } from '../../src/wire/column-set.ts'
import { tooManyColumnsDetail } from '../../src/wire/details.ts'
import { pageOf } from '../../src/wire/page.ts'
import { refusal } from './caller.ts'
import { csvBatches, csvLines, csvReply } from './csv.ts'
import type { RestCall } from './transcode.ts'

const EXPORT = '/sluice.v1.EventService/ListExportedEvents'
const LIMITS = { limit_max: EVENT_EXPORT_LIMIT_MAX, limit_default: EVENT_EXPORT_LIMIT_DEFAULT }

type Piece = ListExportedEventsResponse__Output
type Ask = (fields: ListExportedEventsRequest) => Promise<Piece>

/**
 * Until the first piece is read, what fails is an error like any other; after that it is thrown out
 * of the body, which cuts the connection.
 */
export async function renderEventsCsv(call: RestCall) {
  if (call.request.method === 'HEAD') {
    // The columns of one event show whether the query may be made; the body is never asked for.
    await asking(call, { limit: 1 })({ columns_only: true })
    return csvReply(nothing())
  }
  const ask = asking(call, pageOfQuery(call.query))
  const { columns, start, isTable } = await readColumns(ask)
  if (columns.length === 0) return csvReply('')
  const first = await ask({ cursor: start })
  if (isTable && first.rows.length === 0) return csvReply('')
  const cellsOf = isTable ? cellsOfRow : cellsOfEvent(columns)
  return csvReply(linesOf({ columns, cellsOf }, first, ask))
}

/** One event: its own keys are the columns. */
export async function renderEventCsv(call: RestCall) {
  const answer = await call.call({ ...call.message, shape: 'native' })
  const row = 'native' in answer ? String(answer.native) : '{}'
  const columns = new ColumnSet()
  flattenJson(row, (path) => addTo(columns, path))
  return csvReply(csvLines([columns.sorted(), cellsOfEvent(columns.sorted())(row)]))
}

export async function renderEventValuesCsv(call: RestCall) {
  // The method's own answer.
  const { results } = (await call.call()) as ListEventValuesResponse__Output
  if (results.length === 0) return csvReply('')
  return csvReply(csvLines([['name'], ...results.map(({ name }) => [name])]))
}

function asking(call: RestCall, page: { limit: number; offset?: number }): Ask {
  const project_id = String(call.message['project_id'] ?? '')
  const query = { ...call.message, ...page }
  // The answer of that very method.
  return async (fields) =>
    (await call.callMethod(EXPORT, { project_id, query, ...fields })) as Piece
}

function pageOfQuery(query: URLSearchParams) {
  const last = (name: string) => query.getAll(name).at(-1)
  return pageOf(LIMITS, { limit: last('limit'), offset: last('offset') })
}

type Columns = {
  readonly columns: readonly string[]
  /** Where the rows begin. */
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
}

/** Ends with the last piece, or when its reader leaves: nothing is asked for that nobody reads. */
async function* linesOf(
  { columns, cellsOf }: Lines,
  first: Piece,
  ask: Ask,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvLines([columns]))
  let piece = first
  for (;;) {
    yield* csvBatches(piece.rows, columns.length, cellsOf)
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

/** Lists and objects stay JSON: their expression is one column. */
function cellsOfRow(row: string): readonly string[] {
  return itemsOfList(row).map(({ kind, text }) => (kind === 'null' ? '' : text))
}
