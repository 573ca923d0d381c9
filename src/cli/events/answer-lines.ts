/** Answers to questions as lines for people: tables, and bars of text. */
import { isObject, type Json, type JsonObject, listOf, objectOf, own } from '../../core/json.ts'
import { exactDigits, exactJson } from '../../core/json-text/exact-numbers.ts'
import { bar, cut, numberText, percentText, spanText, spark, tableLines } from './text-chart.ts'

/**
 * Lines of one answer, by the kind of its results. Texts of clients cannot move the cursor.
 * @param width columns of the terminal.
 */
export function answerLines(answer: JsonObject, width: number): readonly string[] {
  const results = own(answer, 'results') ?? null
  const columns = listOf(own(answer, 'columns'))
  const rows = listOf(results)
  const more = own(answer, 'hasMore') === true ? ['There is more.'] : []
  return [...bodyLines(columns.map(String), results, rows, width), ...more]
}

function bodyLines(
  columns: readonly string[],
  results: Json,
  rows: readonly Json[],
  width: number,
): readonly string[] {
  const first = rows[0] ?? null
  if (columns.length > 0) return tableLines(columns, rows.map(cellsOf), width)
  if (isObject(results)) return binLines(results, width)
  if (first === null) return ['Nothing.']
  if (isActor(first)) return actorLines(rows, width)
  if (!isObject(first)) return rows.flatMap((steps) => stepLines(listOf(steps), width))
  if (own(first, 'bins') !== undefined) {
    return rows.flatMap((row) => binLines(objectOf(row), width))
  }
  if (own(first, 'values') !== undefined) return retentionLines(rows.map(objectOf), width)
  if (own(first, 'changeFromPreviousPct') !== undefined) {
    return figureLines(rows.map(objectOf), width)
  }
  if (own(first, 'source') !== undefined) return pathLines(rows.map(objectOf), width)
  if (own(first, 'data') !== undefined) return seriesLines(rows.map(objectOf), width)
  return stepLines(rows, width)
}

function cellsOf(row: Json): readonly string[] {
  return listOf(row).map((cell) =>
    typeof cell === 'string' ? (exactDigits(cell) ?? cell) : exactJson(cell),
  )
}

/** Numbers of a site, with those of the compared range. */
function figureLines(rows: readonly JsonObject[], width: number): readonly string[] {
  const names = ['key', 'value', 'previous', 'changeFromPreviousPct']
  const cell = (value: Json | undefined) =>
    typeof value === 'number' ? numberText(value) : String(value ?? '')
  const lines = rows.map((row) => names.map((name) => cell(own(row, name))))
  return tableLines(['Number', 'Value', 'Previous', 'Change in %'], lines, width)
}

function isActor(row: Json): boolean {
  const [actor = null] = listOf(row)
  return own(objectOf(actor), 'properties') !== undefined
}

/** Persons or groups behind a number. */
function actorLines(rows: readonly Json[], width: number): readonly string[] {
  const lines = rows.map((row) => {
    const actor = objectOf(listOf(row)[0] ?? null)
    const [name = own(actor, 'id')] = listOf(own(actor, 'distinct_ids'))
    return [String(name), exactJson(own(actor, 'properties'))]
  })
  return tableLines(['Who', 'Properties'], lines, width)
}

/** One series has a bar for each bucket; several have a line each. */
function seriesLines(rows: readonly JsonObject[], width: number): readonly string[] {
  const [first] = rows
  const isWhole = first !== undefined && own(first, 'aggregated_value') !== undefined
  if (isWhole) {
    return barLines(
      rows.map((row) => [nameOf(row), numberIn(row, 'aggregated_value')] as const),
      width,
    )
  }
  if (rows.length === 1 && first !== undefined) {
    const labels = listOf(own(first, 'labels')).map(String)
    const data = numbersIn(first, 'data')
    return [
      cut(nameOf(first), width),
      ...barLines(
        labels.map((label, at) => [label, data[at] ?? 0]),
        width,
      ),
    ]
  }
  const lists = rows.map((row) => numbersIn(row, 'data'))
  const most = Math.max(0, ...lists.flat().map(Math.abs))
  const dates = listOf(own(first ?? {}, 'labels')).map(String)
  const head = ['', `${dates[0] ?? ''} to ${dates.at(-1) ?? ''}`, 'Last', 'Sum']
  const lines = rows.map((row, at) => {
    const data = lists[at] ?? []
    const sum = numberText(numberIn(row, 'count'))
    return [
      nameOf(row),
      spark(data, most, Math.floor(width / 2)),
      numberText(data.at(-1) ?? 0),
      sum,
    ]
  })
  return tableLines(head, lines, width)
}

function nameOf(row: JsonObject): string {
  const words = [own(row, 'label'), own(row, 'status'), valueNameOf(row), own(row, 'compare_label')]
  return words.filter((word) => typeof word === 'string').join(', ')
}

/** Value of a breakdown, or its name: the value of a cohort is a number. */
function valueNameOf(row: JsonObject): string | undefined {
  const names = ['breakdown_label', 'breakdown_value']
  return names.map((name) => own(row, name)).find((word) => typeof word === 'string')
}

function barLines(items: readonly (readonly [string, number])[], width: number): readonly string[] {
  const most = Math.max(0, ...items.map(([, number]) => Math.abs(number)))
  const room = Math.max(Math.floor(width / 2), 10)
  return tableLines(
    [],
    items.map(([label, number]) => [label, numberText(number), bar(Math.abs(number), most, room)]),
    width,
  )
}

/** The steps of a funnel, with the share of the first that reached each. */
function stepLines(steps: readonly Json[], width: number): readonly string[] {
  const rows = steps.map(objectOf)
  const counts = rows.map((row) => numberIn(row, 'count'))
  const [all = 0] = counts
  const value = valueNameOf(rows[0] ?? {})
  const lines = rows.map((row, at) => {
    const name = own(row, 'custom_name') ?? own(row, 'name')
    const median = own(row, 'median_conversion_time')
    return [
      `${at + 1}. ${String(name)}`,
      numberText(counts[at] ?? 0),
      percentText(counts[at] ?? 0, all),
      typeof median === 'number' ? `after ${spanText(median)}` : '',
      bar(counts[at] ?? 0, all, Math.floor(width / 3)),
    ]
  })
  const head = value !== undefined ? [cut(value, width)] : []
  return [...head, ...tableLines([], lines, width)]
}

function binLines(row: JsonObject, width: number): readonly string[] {
  const bins = listOf(own(row, 'bins')).map((bin) => listOf(bin).map(Number))
  const average = own(row, 'average_conversion_time')
  const words = typeof average === 'number' ? `On average ${spanText(average)}` : 'Nobody.'
  const value = valueNameOf(row)
  return [
    value !== undefined ? cut(`${value}: ${words}`, width) : words,
    ...barLines(
      bins.map(([seconds = 0, count = 0]) => [`from ${spanText(seconds)}`, count]),
      width,
    ),
  ]
}

/** One row per group: its size, then the percentages that returned. */
function retentionLines(rows: readonly JsonObject[], width: number): readonly string[] {
  const lines = rows.map((row) => {
    const counts = listOf(own(row, 'values')).map((value) => numberIn(objectOf(value), 'count'))
    const [size = 0, ...later] = counts
    const date = String(own(row, 'date') ?? '').slice(0, 16)
    return [date, numberText(size), ...later.map((count) => percentText(count, size))]
  })
  const columns = Math.max(...lines.map((line) => line.length))
  const head = ['From', 'Size', ...Array.from({ length: columns - 2 }, (_, at) => `+${at + 1}`)]
  return tableLines(head, lines, width)
}

function pathLines(rows: readonly JsonObject[], width: number): readonly string[] {
  const most = Math.max(...rows.map((row) => numberIn(row, 'value')))
  const lines = rows.map((row) => {
    const value = numberIn(row, 'value')
    const span = spanText(numberIn(row, 'average_conversion_time') / 1_000)
    const ends = [String(own(row, 'source')), String(own(row, 'target'))]
    return [...ends, numberText(value), span, bar(value, most, Math.floor(width / 5))]
  })
  return tableLines(['From', 'To', 'Times', 'After', ''], lines, width)
}

function numberIn(row: JsonObject, name: string): number {
  const value = own(row, name)
  return typeof value === 'number' ? value : 0
}

function numbersIn(row: JsonObject, name: string): readonly number[] {
  return listOf(own(row, name)).map(Number)
}
