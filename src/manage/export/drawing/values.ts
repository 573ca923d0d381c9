/** One number for each series: bars of a list, and slices of a pie. */
import { formatNumber, formatPercent } from '../../../core/charts/numbers.ts'
import { slicePath } from '../../../core/charts/slices.ts'
import { type Box, SMALL } from './box.ts'
import type { ValuesDrawing } from './model.ts'
import { element, group, type Markup, textLine } from './svg.ts'
import { cutTo, widthOf } from './text-width.ts'
import { toneOf } from './theme.ts'

const LINE_MAX = 32
const LINE_MIN = 20
const NAME_SHARE = 0.35
const GAP = 12

/** The numbers in lines, as many as there is room for; the longest bar is the largest number. */
export function drawRanked({ numbers }: ValuesDrawing, box: Box): Markup {
  const { theme, left, top } = box
  const { shown, line, more } = linesOf(numbers, box)
  const most = Math.max(0, ...numbers.map(({ value }) => value))
  const names = Math.min(
    box.width * NAME_SHARE,
    Math.max(0, ...shown.map(({ label }) => widthOf(label, SMALL))) + GAP,
  )
  const values = Math.max(0, ...shown.map(({ value }) => widthOf(formatNumber(value), SMALL))) + GAP
  const room = box.width - names - values
  return group([
    ...shown.map(({ label, value }, at) => {
      const y = top + at * line
      const text = { y: y + line / 2 + 4, size: SMALL }
      return group(
        [
          textLine(cutTo(label, names - GAP, SMALL), { ...text, x: left, fill: theme.text }),
          element('rect', {
            x: left + names,
            y: y + line * 0.2,
            width: Math.max(2, most === 0 ? 0 : (Math.max(0, value) / most) * room),
            height: line * 0.6,
            rx: 3,
            fill: toneOf(theme, 0),
          }),
          textLine(formatNumber(value), {
            ...text,
            x: left + box.width,
            fill: theme.text,
            anchor: 'end',
          }),
        ],
        { class: 'row' },
      )
    }),
    ...more,
  ])
}

/** Slices clockwise from the top, with their names and numbers beside them. */
export function drawPie({ numbers }: ValuesDrawing, box: Box): Markup {
  const { theme } = box
  const sum = numbers.reduce((total, { value }) => total + Math.max(0, value), 0)
  const radius = Math.max(10, Math.min(box.height / 2, box.width / 5))
  const [x, y] = [box.left + radius, box.top + box.height / 2]
  let end = 0
  const slices = numbers.flatMap(({ value }, index) => {
    const start = end
    end += sum === 0 ? 0 : Math.max(0, value) / sum
    const d = slicePath(start, end, { x, y, radius })
    const fill = toneOf(theme, index)
    const shape = { d, fill, stroke: theme.surface, class: 'slice' }
    return d === '' ? [] : [element('path', shape)]
  })
  const left = box.left + 2 * radius + 32
  const width = box.left + box.width - left
  const beside = { ...box, left, width }
  const { shown, line, more, height } = linesOf(numbers, beside)
  const top = box.top + Math.max(0, (box.height - height) / 2)
  const shareWidth = 64
  return group([
    ...slices,
    ...shown.map(({ label, value }, index) => {
      const base = top + index * line + line / 2 + 4
      const text = { y: base, size: SMALL, fill: theme.text }
      const share = sum === 0 ? 0 : Math.max(0, value) / sum
      const named = width - 20 - shareWidth - widthOf(formatNumber(value), SMALL) - GAP
      return group(
        [
          element('rect', {
            x: left,
            y: base - 10,
            width: 11,
            height: 11,
            rx: 2,
            fill: toneOf(theme, index),
          }),
          textLine(cutTo(label, named, SMALL), { ...text, x: left + 20 }),
          textLine(formatNumber(value), {
            ...text,
            x: left + width - shareWidth,
            anchor: 'end',
          }),
          textLine(formatPercent(share), {
            ...text,
            x: left + width,
            fill: theme.text3,
            anchor: 'end',
          }),
        ],
        { class: 'row' },
      )
    }),
    ...more,
  ])
}

type Lines = {
  readonly shown: ValuesDrawing['numbers']
  /** Height of a line, and of all. */
  readonly line: number
  readonly height: number
  /** Says how many are left out. */
  readonly more: readonly Markup[]
}

function linesOf(numbers: ValuesDrawing['numbers'], { left, top, height, theme }: Box): Lines {
  const fitting = Math.max(2, Math.floor(height / LINE_MIN))
  const shown = numbers.length > fitting ? numbers.slice(0, fitting - 1) : numbers
  const line = Math.max(LINE_MIN, Math.min(LINE_MAX, height / Math.max(1, numbers.length)))
  if (shown === numbers) return { shown, line, height: line * shown.length, more: [] }
  const rest = textLine(`and ${formatNumber(numbers.length - shown.length)} more`, {
    x: left,
    y: top + shown.length * line + line / 2 + 4,
    size: SMALL,
    fill: theme.text3,
  })
  return { shown, line, height, more: [rest] }
}
