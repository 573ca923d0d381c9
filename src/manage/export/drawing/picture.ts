/** A whole picture in SVG: title, range and legend, and the drawing below them. */

import { formatNumber } from '../../../core/charts/numbers.ts'
import { dashOf, markerPath, type Series } from '../../../core/charts/series.ts'
import { type Box, SMALL } from './box.ts'
import { drawFunnel } from './funnel.ts'
import { drawHeat, drawTable } from './grid.ts'
import type { Drawing, ValuesDrawing } from './model.ts'
import { drawPlot } from './plot.ts'
import { element, escaped, group, type Markup, textLine } from './svg.ts'
import { cutTo, widthOf } from './text-width.ts'
import { THEMES, type ThemeName, toneOf } from './theme.ts'
import { drawPie, drawRanked } from './values.ts'

const NUMBERS_MAX = 12
const COLUMNS_MAX = 4
const LARGE_MAX = 64

export type PictureSize = {
  readonly width: number
  readonly height: number
  /**
   * Pixels for one of the width and height: letters and lines grow with it.
   * @default 1
   */
  readonly scale?: number
}

export type PictureText = {
  readonly title: string
  /** Range and interval. */
  readonly subtitle: string
}

/** A font for every machine: the one that PNG is drawn with, and what comes near it. */
const FONTS = "'DejaVu Sans', Verdana, system-ui, sans-serif"
const PADDING = 24
const TITLE = 18
/** Bold letters are so much wider. */
const BOLD = 1.16
const LEGEND_LINE = 20
/** Share of the height that a legend may take. */
const LEGEND_SHARE = 0.2

export function pictureOf(
  drawing: Drawing,
  { title, subtitle }: PictureText,
  { width, height, scale = 1 }: PictureSize,
  themeName: ThemeName,
): string {
  const theme = THEMES[themeName]
  const left = PADDING
  const inner = width - 2 * PADDING
  const head = [
    textLine(cutTo(title, inner / BOLD, TITLE), {
      x: left,
      y: PADDING + 14,
      size: TITLE,
      fill: theme.text,
      isBold: true,
    }),
    textLine(cutTo(subtitle, inner, SMALL), {
      x: left,
      y: PADDING + 36,
      size: SMALL,
      fill: theme.text3,
    }),
  ]
  const top = PADDING + 52
  const legend = legendOf(drawing, {
    left,
    top,
    width: inner,
    height: height * LEGEND_SHARE,
    theme,
  })
  const box = {
    left,
    top: top + legend.height,
    width: inner,
    height: Math.max(40, height - PADDING - top - legend.height),
    theme,
  }
  const picture = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: width * scale,
      height: height * scale,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': FONTS,
    },
    [
      element('title', {}, [escaped(title)]),
      element('rect', { width, height, fill: theme.surface }),
      ...head,
      ...legend.items,
      drawn(drawing, box),
    ],
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${picture}\n`
}

function drawn(drawing: Drawing, box: Box): Markup {
  switch (drawing.kind) {
    case 'numbers':
      return drawNumbers(drawing, box)
    case 'ranked':
      return drawRanked(drawing, box)
    case 'pie':
      return drawPie(drawing, box)
    case 'funnel':
      return drawFunnel(drawing, box)
    case 'heat':
      return drawHeat(drawing, box)
    case 'table':
      return drawTable(drawing, box)
    case 'nothing':
      return textLine('No matching events in this date range.', {
        x: box.left + box.width / 2,
        y: box.top + box.height / 2,
        size: SMALL + 2,
        fill: box.theme.text3,
        anchor: 'middle',
      })
    default:
      return drawPlot(drawing, box)
  }
}

type Entry = { readonly label: string; readonly index: number; readonly series?: Series }

/** Names of series in lines, as many as there is room for. */
function legendOf(
  drawing: Drawing,
  { left, top, width, height, theme }: Box,
): { readonly items: readonly Markup[]; readonly height: number } {
  const entries = entriesOf(drawing)
  if (entries.length < 2) return { items: [], height: 0 }
  const lines = Math.max(1, Math.floor(height / LEGEND_LINE))
  const items: Markup[] = []
  let [x, line] = [0, 0]
  for (const [at, entry] of entries.entries()) {
    const label = cutTo(entry.label, width / 2, SMALL)
    const size = 30 + widthOf(label, SMALL) + 14
    // Room for "and 12 more", unless this is the last one of all.
    const isLast = line === lines - 1
    const reserve = isLast && at < entries.length - 1 ? 90 : 0
    if (x > 0 && x + size + reserve > width) {
      if (isLast) {
        const more = `and ${entries.length - at} more`
        items.push(
          textLine(more, {
            x: left + x,
            y: top + line * LEGEND_LINE + 12,
            size: SMALL,
            fill: theme.text3,
          }),
        )
        break
      }
      x = 0
      line++
    }
    const y = top + line * LEGEND_LINE
    const fill = toneOf(theme, entry.series?.earlier?.of ?? entry.index)
    items.push(
      group(
        [
          ...sampleOf(drawing, entry, left + x, y + 8, fill, theme.surface),
          textLine(label, { x: left + x + 30, y: y + 12, size: SMALL, fill: theme.text2 }),
        ],
        { class: 'entry' },
      ),
    )
    x += size
  }
  return { items, height: (line + 1) * LEGEND_LINE + 6 }
}

function entriesOf(drawing: Drawing): readonly Entry[] {
  if ('series' in drawing) {
    return drawing.series.map((series, index) => ({ label: series.label, index, series }))
  }
  if (drawing.kind !== 'funnel') return []
  return drawing.groups.map(({ name }, index) => ({ label: name ?? '', index }))
}

/** A short piece of a series as the chart draws it. */
function sampleOf(
  { kind }: Drawing,
  { index, series }: Entry,
  x: number,
  y: number,
  tone: string,
  surface: string,
): readonly Markup[] {
  const earlier = series?.earlier
  const opacity = earlier === undefined ? undefined : 0.45
  if (kind !== 'lines') {
    return [
      element('rect', { x: x + 8, y: y - 5, width: 11, height: 11, rx: 2, fill: tone, opacity }),
    ]
  }
  const shape = earlier?.of ?? index
  return [
    element('path', {
      d: `M${x} ${y}h24`,
      stroke: tone,
      'stroke-width': 2,
      'stroke-dasharray': dashOf(shape, earlier) || undefined,
      opacity,
    }),
    ...(earlier === undefined
      ? [
          element('path', {
            d: markerPath(shape, x + 12, y, 3),
            fill: surface,
            stroke: tone,
            'stroke-width': 1.75,
          }),
        ]
      : []),
  ]
}

/** Single numbers, large. */
function drawNumbers({ numbers }: ValuesDrawing, box: Box): Markup {
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
