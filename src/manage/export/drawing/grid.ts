/** Grids of cells: retention, and tables of rows. */
import { formatNumber, formatPercent } from '../../../core/charts/numbers.ts'
import { type HeatRow, meansOf } from '../../../core/charts/retention.ts'
import { type Box, SMALL } from './box.ts'
import type { HeatDrawing, TableDrawing } from './model.ts'
import { element, group, type Markup, textLine } from './svg.ts'
import { cutTo, widthOf } from './text-width.ts'

const ROW_MAX = 30
const ROW_MIN = 18
const LABEL_WIDTH = 96
const SIZE_WIDTH = 64
/** The smallest letters. */
const SIZE_MIN = 7
/** Opacity of the largest share, as on the page: text stays readable on it. */
const DEEPEST = 0.42
const SHARE_MIN = 0.01

/** Shares of groups over time: the larger the share, the deeper the shade. */
export function drawHeat({ columns, rows }: HeatDrawing, box: Box): Markup {
  const { theme } = box
  const fitting = Math.floor(box.height / ROW_MIN) - 2
  const shown = rows.length > fitting ? rows.slice(0, Math.max(1, fitting - 1)) : rows
  const height = Math.min(ROW_MAX, box.height / (shown.length + (shown === rows ? 2 : 3)))
  const widthBeside = (labels: number) => (box.width - labels) / Math.max(1, columns.length)
  // The first column is whole by definition: the others share the scale.
  const shares = rows.flatMap(({ values, size }) => values.slice(1).map((v) => share(v, size) ?? 0))
  const most = Math.max(...shares, SHARE_MIN)
  const fit = Math.min(SMALL, height * 0.6, widthBeside(LABEL_WIDTH + SIZE_WIDTH) / 4)
  const size = Math.max(SIZE_MIN, fit)
  // Small letters need less room for their labels.
  const labelWidth = LABEL_WIDTH * (size / SMALL)
  const beside = labelWidth + SIZE_WIDTH * (size / SMALL)
  const width = widthBeside(beside)
  const left = box.left + beside
  const baseOf = (nth: number) => box.top + (nth + 0.5) * height + size * 0.35
  const word = (content: string, x: number, nth: number, isBold = false, isEnd = true) =>
    textLine(content, {
      x,
      y: baseOf(nth),
      size,
      fill: isBold ? theme.text : theme.text2,
      anchor: isEnd ? 'end' : 'start',
      isBold,
    })
  const cell = (value: number | null, at: number, nth: number, mark = '', isBold = false) => {
    if (value === null) return []
    const shade = element('rect', {
      x: left + at * width + 1,
      y: box.top + nth * height + 1,
      width: Math.max(1, width - 2),
      height: Math.max(1, height - 2),
      rx: 3,
      fill: theme.accent,
      'fill-opacity': (value / most) * DEEPEST,
    })
    const content = word(formatPercent(value) + mark, left + (at + 1) * width - 5, nth, isBold)
    return [group([...(at === 0 ? [] : [shade]), content], { class: 'cell' })]
  }
  const rowOf = (row: HeatRow, nth: number) => [
    word(cutTo(row.label, labelWidth - 8, size), box.left, nth, false, false),
    word(formatNumber(row.size), left - 12, nth),
    ...row.values.flatMap((value, at) =>
      cell(share(value, row.size), at, nth, at >= (row.incompleteFrom ?? Infinity) ? '*' : ''),
    ),
  ]
  const isOpen = rows.some(({ incompleteFrom }) => incompleteFrom !== undefined)
  const notes = [
    ...(shown === rows ? [] : [`and ${rows.length - shown.length} more`]),
    ...(isOpen ? ['* not over yet'] : []),
  ]
  return group([
    word('Cohort', box.left, 0, true, false),
    word('Persons', left - 12, 0, true),
    ...columns.map((name, at) =>
      word(cutTo(name, width - 6, size), left + (at + 1) * width - 5, 0, true),
    ),
    word('Mean', box.left, 1, true, false),
    ...meansOf(rows, columns.length).flatMap((mean, at) => cell(mean, at, 1, '', true)),
    ...shown.flatMap((row, index) => rowOf(row, index + 2)),
    ...(notes.length === 0
      ? []
      : [word(notes.join(' · '), box.left, shown.length + 2, false, false)]),
  ])
}

function share(value: number | null, size: number): number | null {
  return value === null ? null : size === 0 ? 0 : value / size
}

const LINE = 24
const COLUMN_MIN = 60
const COLUMNS_MAX = 12
/** Rows that a column's width is measured by. */
const MEASURED = 50
const NUMBER = /^-?\d[\d.,]*(?:[eE][+-]?\d+)?$/

/** The first rows of a table, in the columns that fit. */
export function drawTable({ columns, rows }: TableDrawing, box: Box): Markup {
  const { theme } = box
  const many = Math.min(
    columns.length,
    COLUMNS_MAX,
    Math.max(1, Math.floor(box.width / COLUMN_MIN)),
  )
  const fitting = Math.max(1, Math.floor(box.height / LINE) - 1)
  const shown = rows.length > fitting ? rows.slice(0, Math.max(1, fitting - 1)) : rows
  const places = placesOf(columns.slice(0, many), shown, box.width)
  const cellOf = (content: string, at: number, nth: number, isHead = false) => {
    const { x = 0, width = 0, isNumber = false } = places[at] ?? {}
    return textLine(cutTo(content, width - 12, SMALL), {
      x: box.left + (isNumber ? x + width - 12 : x),
      y: box.top + nth * LINE + 16,
      size: SMALL,
      fill: isHead ? theme.text3 : theme.text,
      anchor: isNumber ? 'end' : 'start',
    })
  }
  const lineBelow = (nth: number) =>
    element('path', {
      d: `M${box.left} ${box.top + nth * LINE + 0.5}H${box.left + box.width}`,
      stroke: theme.line,
    })
  const left = [
    ...(shown === rows ? [] : [`${formatNumber(rows.length - shown.length)} more rows`]),
    ...(many === columns.length ? [] : [`${columns.length - many} more columns`]),
  ]
  return group([
    ...places.map((_, at) => cellOf(columns[at] ?? '', at, 0, true)),
    ...shown.map((row, index) =>
      group(
        [lineBelow(index + 1), ...places.map((_, at) => cellOf(row[at] ?? '', at, index + 1))],
        {
          class: 'row',
        },
      ),
    ),
    ...(left.length === 0
      ? []
      : [
          textLine(`and ${left.join(', ')}`, {
            x: box.left,
            y: box.top + (shown.length + 1) * LINE + 16,
            size: SMALL,
            fill: theme.text3,
          }),
        ]),
  ])
}

/** Columns as wide as what they hold, in proportion where that is too much. */
function placesOf(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  room: number,
): readonly { readonly x: number; readonly width: number; readonly isNumber: boolean }[] {
  const measured = rows.slice(0, MEASURED)
  const wanted = columns.map((name, at) =>
    Math.min(
      room / 2,
      24 +
        Math.max(...[name, ...measured.map((row) => row[at] ?? '')].map((t) => widthOf(t, SMALL))),
    ),
  )
  const whole = wanted.reduce((sum, width) => sum + width, 0)
  const scale = Math.min(room / Math.max(1, whole), 1.6)
  let x = 0
  return wanted.map((width, at) => {
    const place = {
      x,
      width: width * scale,
      isNumber: measured.every((row) => NUMBER.test(row[at] ?? '')) && measured.length > 0,
    }
    x += width * scale
    return place
  })
}
