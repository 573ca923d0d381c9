/** Funnel: bars of the groups side by side in each step, above their numbers. */
import { shareOf } from '../../../core/charts/funnel.ts'
import { formatNumber, formatPercent } from '../../../core/charts/numbers.ts'
import { type Box, SMALL } from './box.ts'
import type { FunnelDrawing } from './model.ts'
import { element, group, type Markup, textLine } from './svg.ts'
import { cutTo, widthOf } from './text-width.ts'
import { toneOf } from './theme.ts'

const GAP = 20
const BAR_MAX = 110
const LINE = 17
/** Groups whose numbers are written below the bars. */
const WRITTEN_MAX = 5

export function drawFunnel({ steps, groups }: FunnelDrawing, box: Box): Markup {
  const { theme } = box
  const written = groups.slice(0, WRITTEN_MAX)
  const linesOfStep = groups.length === 1 ? 3 : written.length + 1
  const barHeight = Math.max(40, box.height - linesOfStep * LINE - 10)
  const bottom = box.top + barHeight
  const width = (box.width - GAP * (steps.length - 1)) / Math.max(1, steps.length)
  const bar = Math.min(BAR_MAX, width / Math.max(1, groups.length))
  return group(
    steps.map((step, at) => {
      const left = box.left + at * (width + GAP)
      const bars = groups.map(({ counts }, index) => {
        const height = shareOf(counts, at, 0) * barHeight
        const x = left + index * bar
        const shape = { x, width: Math.max(1, bar - 2), rx: 3 }
        return group(
          [
            element('rect', { ...shape, y: box.top, height: barHeight, fill: theme.sunken }),
            element('rect', { ...shape, y: bottom - height, height, fill: toneOf(theme, index) }),
          ],
          { class: 'bar' },
        )
      })
      const line = (content: string, nth: number, isBold = false) =>
        textLine(cutTo(content, width, SMALL), {
          x: left,
          y: bottom + 20 + nth * LINE,
          size: SMALL,
          fill: isBold ? theme.text : theme.text2,
          isBold,
        })
      const numbers =
        groups.length === 1
          ? aloneTexts(groups[0]?.counts ?? [], at, width)
          : written.map(({ name, counts }) => `${name}: ${numberAt(counts, at)}`)
      return group(
        [
          ...bars,
          line(`${at + 1}. ${step}`, 0, true),
          ...numbers.map((content, nth) => line(content, nth + 1)),
        ],
        { class: 'step' },
      )
    }),
  )
}

function numberAt(counts: readonly number[], at: number): string {
  return `${formatNumber(counts[at] ?? 0)} (${formatPercent(shareOf(counts, at, 0))})`
}

function aloneTexts(counts: readonly number[], at: number, width: number): readonly string[] {
  const count = counts[at] ?? 0
  const left = (counts[at - 1] ?? count) - count
  const lost = 1 - shareOf(counts, at, at - 1)
  const dropped = `${formatNumber(left)} dropped off`
  const whole = `${dropped} (${formatPercent(lost)})`
  const shown = widthOf(whole, SMALL) <= width ? whole : dropped
  return [numberAt(counts, at), ...(at === 0 ? [] : [shown])]
}
