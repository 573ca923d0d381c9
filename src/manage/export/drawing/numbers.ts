/** Single numbers, large. */
import { formatNumber } from '../../../core/charts/numbers.ts'
import { type Box, SMALL } from './box.ts'
import type { ValuesDrawing } from './model.ts'
import { group, type Markup, textLine } from './svg.ts'
import { cutTo, widthOf } from './text-width.ts'

const NUMBERS_MAX = 12
const COLUMNS_MAX = 4
const LARGE_MAX = 64

export function drawNumbers({ numbers }: ValuesDrawing, box: Box): Markup {
  const shown = numbers.slice(0, NUMBERS_MAX)
  const columns = Math.min(COLUMNS_MAX, Math.max(1, shown.length))
  const rows = Math.max(1, Math.ceil(shown.length / columns))
  const [width, height] = [box.width / columns, box.height / rows]
  return group(
    shown.flatMap(({ label, value }, index) => {
      const middle = box.left + ((index % columns) + 0.5) * width
      const y = box.top + (Math.floor(index / columns) + 0.5) * height
      const content = formatNumber(value)
      const fits = (LARGE_MAX * (width - 24)) / Math.max(1, widthOf(content, LARGE_MAX))
      const size = Math.min(LARGE_MAX, height * 0.5, fits)
      const name = cutTo(label, width - 12, SMALL + 1)
      return [
        textLine(content, {
          x: middle,
          y: y + size * 0.25,
          size,
          fill: box.theme.text,
          anchor: 'middle',
          isBold: true,
        }),
        textLine(name, {
          x: middle,
          y: y + size * 0.25 + 26,
          size: SMALL + 1,
          fill: box.theme.text2,
          anchor: 'middle',
        }),
      ]
    }),
  )
}
