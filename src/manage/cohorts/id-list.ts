/** Reads CSV in which people keep ids of persons: one on a line, or a column among others. */
import { err, ok, type Result } from '../../core/result.ts'

/** Headings of columns, and the ids that they hold. */
const HEADINGS: ReadonlyMap<string, IdColumn> = new Map([
  ['distinctid', 'distinct_id'],
  ['personid', 'person_id'],
])
const SEPARATORS = [',', ';', '\t'] as const
/** Columns that a refusal names at most. */
const NAMED_MAX = 20
const NAME_LENGTH_MAX = 40
const QUOTE = '"'

/** `person_id`: the uuids of persons. */
export type IdColumn = 'distinct_id' | 'person_id'

export type IdList = { readonly column: IdColumn; readonly ids: readonly string[] }

/**
 * Reads the ids of a text, in its order, blank ones left out. The first line that is not blank
 * decides: with a separator (`,`, `;` or a tab) it must have a heading `distinct_id` or
 * `person_id`, in whatever case, and the ids are those of its column. Without one each line is an
 * id, in quotes or not, and a heading is one of these two.
 * @returns an error text when it has several columns and none of them is known.
 */
export function readIdList(csv: string): Result<IdList, string> {
  const text = csv.replace(/^\ufeff/, '')
  const lines = text.split(/\r\n|\n|\r/)
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const rows = SEPARATORS.map((separator) => ({
    separator,
    cells: [...rowsOf(first, separator)][0],
  }))
  for (const { separator, cells = [] } of rows) {
    const at = columnAt(cells)
    if (at === -1 || cells.length === 1) continue
    const ids: string[] = []
    for (const row of rowsOf(text.slice(text.indexOf(first)), separator)) ids.push(row[at] ?? '')
    return ok({ column: columnOf(cells[at]) ?? 'distinct_id', ids: ids.slice(1).filter(Boolean) })
  }
  const widest = rows.map(({ cells = [] }) => cells).reduce((a, b) => (b.length > a.length ? b : a))
  if (widest.length > 1) return err(unknownColumns(widest))
  const ids = lines.map(cellOfLine).filter(Boolean)
  const column = columnOf(ids[0])
  return ok({ column: column ?? 'distinct_id', ids: column === undefined ? ids : ids.slice(1) })
}

function unknownColumns(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).map((name) => `"${name.slice(0, NAME_LENGTH_MAX)}"`)
  const rest = names.length > NAMED_MAX ? ', …' : ''
  return (
    'The CSV has several columns, and none is named distinct_id or person_id: ' +
    `${shown.join(', ')}${rest}. An id with a comma, semicolon or tab needs quotes.`
  )
}

/** Prefers a column of distinct ids to one of persons. */
function columnAt(cells: readonly string[]): number {
  const columns = cells.map(columnOf)
  const at = columns.indexOf('distinct_id')
  return at === -1 ? columns.indexOf('person_id') : at
}

function columnOf(name = ''): IdColumn | undefined {
  return HEADINGS.get(name.toLowerCase().replaceAll(/[\s_-]/g, ''))
}

/** A line of a single cell may hold separators. */
function cellOfLine(line: string): string {
  const cell = line.trim()
  const quoted = /^"((?:[^"]|"")*)"$/.exec(cell)
  return quoted?.[1] === undefined ? cell : quoted[1].replaceAll('""', QUOTE)
}

/** Rows of cells; a cell in quotes may hold line ends, separators and blanks at its ends. */
function* rowsOf(text: string, separator: string): Generator<string[]> {
  const end = new RegExp(`[${separator}\r\n]`, 'g')
  let row: string[] = []
  let hasQuotes = true
  for (let at = 0; at <= text.length; ) {
    const start = skipBlanks(text, at, separator)
    const isQuoted = hasQuotes && text[start] === QUOTE
    const quote = isQuoted ? closingQuote(text, start) : -1
    // A quote that is never closed, and each one behind it, is a character like others.
    if (isQuoted && quote === -1) hasQuotes = false
    end.lastIndex = quote === -1 ? at : quote + 1
    const stop = end.exec(text)?.index ?? text.length
    const cell =
      quote === -1
        ? text.slice(at, stop).trim()
        : text.slice(start + 1, quote).replaceAll('""', QUOTE)
    row.push(cell)
    at = stop + 1
    if (text[stop] === separator) continue
    if (text[stop] === '\r' && text[at] === '\n') at += 1
    if (row.length > 1 || cell !== '') yield row
    row = []
  }
}

function skipBlanks(text: string, from: number, separator: string): number {
  let at = from
  while (text[at] === ' ' || (text[at] === '\t' && separator !== '\t')) at++
  return at
}

/** -1 for a quote that is never closed. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf(QUOTE, start + 1); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (text[at + 1] !== QUOTE) return at
  }
  return -1
}
