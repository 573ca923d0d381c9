/** Tables, bars and numbers as text. */
import { printable } from '../../core/logging/printable.ts'

const GAP = '  '
/** Least width of a column when not all fit. */
const CELL_MIN = 6

/**
 * Lines of a table, with `head` above them if it is not empty. Columns of numbers are aligned to
 * the right. A table that is wider than the terminal is cut, the widest columns first; columns for
 * which there is no room at all are left out.
 */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  const all = (head.length === 0 ? rows : [head, ...rows]).map((row) => row.map(printable))
  const widths = fitted(widthsOf(all), width)
  const areRight = widths.map((_, at) => rows.every((row) => isNumber(row[at] ?? '')))
  return all.map((row) =>
    widths
      .map((room, at) => padded(cut(row[at] ?? '', room), room, areRight[at] ?? false))
      .join(GAP)
      .trimEnd(),
  )
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell))
  }
  return widths
}

function fitted(widths: readonly number[], width: number): readonly number[] {
  const columnsMax = Math.max(Math.floor((width + GAP.length) / (CELL_MIN + GAP.length)), 1)
  const kept = widths.slice(0, columnsMax)
  const room = width - GAP.length * (kept.length - 1)
  let most = Math.max(CELL_MIN, ...kept)
  const sum = () => kept.reduce((all, each) => all + Math.min(each, most), 0)
  while (most > CELL_MIN && sum() > room) most -= 1
  return kept.map((each) => Math.min(each, most))
}

/** Whether a cell fits a column of numbers; an empty one fits any column. */
function isNumber(text: string): boolean {
  return /^([-+]?[\d.,]+( %)?)?$/.test(text)
}

function padded(text: string, width: number, isRight: boolean): string {
  const spaces = ' '.repeat(Math.max(width - lengthOf(text), 0))
  return isRight ? spaces + text : text + spaces
}

/** Characters, not units of UTF-16. */
function lengthOf(text: string): number {
  return [...text].length
}

/** Cuts a text to `width` characters; characters that would change the terminal become dots. */
export function cut(text: string, width: number): string {
  const characters = [...printable(text)]
  if (characters.length <= width) return characters.join('')
  return `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar as long as `number` is of `most`, to an eighth of a character. */
export function bar(number: number, most: number, width: number): string {
  if (most <= 0 || number <= 0) return ''
  const eighths = Math.max(Math.round((number / most) * width * 8), 1)
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

const LEVELS = '▁▂▃▄▅▆▇█'

/** A line of levels. More numbers than `width` are taken together: the highest of neighbours. */
export function spark(numbers: readonly number[], most: number, width: number): string {
  const each = Math.max(Math.ceil(numbers.length / Math.max(width, 1)), 1)
  const levels: string[] = []
  for (let at = 0; at < numbers.length; at += each) {
    const highest = Math.max(...numbers.slice(at, at + each).map(Math.abs))
    const level = most <= 0 ? 0 : Math.round((highest / most) * (LEVELS.length - 1))
    levels.push(LEVELS[level] ?? '')
  }
  return levels.join('')
}

/** Rounds to at most two decimal places. */
export function numberText(number: number): string {
  return String(Math.round(number * 100) / 100)
}

export function percentText(part: number, all: number): string {
  return all === 0 ? '0 %' : `${Math.round((1_000 * part) / all) / 10} %`
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** Duration in the largest unit that fits: `1.5 h`. */
export function spanText(seconds: number): string {
  const [length, unit] = UNITS.find(([each]) => seconds >= each) ?? [1, 's']
  return `${Math.round((seconds / length) * 10) / 10} ${unit}`
}
