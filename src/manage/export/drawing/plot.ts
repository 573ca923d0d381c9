/** Lines and bars over an axis. */
import { type Goal, goalLabelY } from '../../../core/charts/goals.ts'
import { formatCompact } from '../../../core/charts/numbers.ts'
import { axisOf, linear, type Scale, shownLabels } from '../../../core/charts/scale.ts'
import { dashOf, markerPath, type Series } from '../../../core/charts/series.ts'
import { areaPath, linePath, type Point, type Span, stacked } from '../../../core/charts/shapes.ts'
import { type Box, SMALL } from './box.ts'
import type { PlotDrawing } from './model.ts'
import { element, group, type Markup, textLine } from './svg.ts'
import { cutTo, widthOf } from './text-width.ts'
import { type Theme, toneOf } from './theme.ts'

const LABELS_HEIGHT = 24
const CAPTION_HEIGHT = 22
const LABEL_GAP = 14
const LABEL_MAX = 180
/** Below the top line, for the half of a marker. */
const TOP = 6
const END = 14
/** Points of a line up to which each has a marker. */
const MARKED_MAX = 40
const MARK = 3

type Place = {
  readonly x: (index: number) => number
  readonly y: Scale
  /** Width of one label. */
  readonly step: number
  readonly base: number
  readonly theme: Theme
}

export function drawPlot(drawing: PlotDrawing, box: Box): Markup {
  const { labels, series, unit, kind, isUnsigned, caption, goals = [] } = drawing
  const { theme } = box
  const layers = kind === 'stacked' ? stacked(valuesOf(series), labels.length) : undefined
  const numbers = layers?.flat(2) ?? valuesOf(series).flatMap((each) => each.filter(isNumber))
  const axis = axisOf([...numbers, ...goals.map(({ value }) => value)])
  const tickOf = (tick: number) => formatCompact(isUnsigned ? Math.abs(tick) : tick) + unit
  const ticks = axis.ticks.map(tickOf)
  const start = box.left + Math.max(...ticks.map((tick) => widthOf(tick, SMALL))) + 10
  const end = box.left + box.width - END
  const top = box.top + TOP + (caption === '' ? 0 : CAPTION_HEIGHT)
  const bottom = box.top + box.height - LABELS_HEIGHT
  const y = linear([axis.low, axis.high], [bottom, top])
  const isOn = kind === 'lines' && labels.length > 1
  const inner = Math.max(1, end - start)
  const step = inner / (isOn ? labels.length - 1 : Math.max(1, labels.length))
  const x = (index: number) => start + (isOn ? index : index + 0.5) * step
  const place = { x, y, step, base: y(0), theme }
  const drawn =
    kind === 'lines' ? linesOf(series, place) : barsOf(series, place, layers, labels.length)
  return group([
    ...(caption === ''
      ? []
      : [textLine(caption, { x: box.left, y: box.top + 10, size: SMALL, fill: theme.text3 })]),
    ...axis.ticks.map((tick, at) =>
      group([
        element('path', {
          d: `M${start} ${Math.round(y(tick)) + 0.5}H${end}`,
          stroke: tick === 0 ? theme.lineStrong : theme.line,
        }),
        textLine(ticks[at] ?? '', {
          x: start - 8,
          y: y(tick) + 4,
          size: SMALL,
          fill: theme.text3,
          anchor: 'end',
        }),
      ]),
    ),
    ...labelsOf(labels, { x, width: inner, y: bottom + 18, fill: theme.text3, isOn }),
    ...drawn,
    ...goals.map((goal) => goalOf(goal, y(goal.value), { start, end, theme })),
  ])
}

type GoalPlace = { readonly start: number; readonly end: number; readonly theme: Theme }

function goalOf({ label }: Goal, line: number, { start, end, theme }: GoalPlace): Markup {
  return group([
    element('path', {
      d: `M${start} ${round(line)}H${end}`,
      stroke: theme.text3,
      'stroke-dasharray': '6 4',
    }),
    textLine(cutTo(label, LABEL_MAX, SMALL), {
      x: end,
      y: goalLabelY(round(line)),
      size: SMALL,
      fill: theme.text3,
      anchor: 'end',
    }),
  ])
}

function isNumber(value: number | null): value is number {
  return value !== null
}

function valuesOf(series: readonly Series[]) {
  return series.map(({ values }) => values)
}

type LabelPlaces = {
  readonly x: (index: number) => number
  readonly width: number
  readonly y: number
  readonly fill: string
  /** Labels stand at the edges of the plot, and must stay inside. */
  readonly isOn: boolean
}

/** Labels that fit. */
function labelsOf(labels: readonly string[], places: LabelPlaces): Markup[] {
  const { x, width, y, fill, isOn } = places
  const widest = Math.max(0, ...labels.map((label) => widthOf(label, SMALL)))
  // One at an edge reaches as far inside as a whole label.
  const room = widest * (isOn ? 1.5 : 1) + LABEL_GAP
  const shown = [...shownLabels(labels.length, width, Math.min(LABEL_MAX, room))]
  return shown.map((index) =>
    textLine(cutTo(labels[index] ?? '', LABEL_MAX - LABEL_GAP, SMALL), {
      x: x(index),
      y,
      size: SMALL,
      fill,
      anchor: !isOn
        ? 'middle'
        : index === 0
          ? 'start'
          : index === labels.length - 1
            ? 'end'
            : 'middle',
    }),
  )
}

/** The first series lies on top. */
function linesOf(series: readonly Series[], place: Place): Markup[] {
  const isAlone = series.filter(({ earlier }) => earlier === undefined).length === 1
  return series.map((each, index) => lineOf(each, index, place, isAlone)).reverse()
}

function lineOf(series: Series, index: number, place: Place, isAlone: boolean): Markup {
  const { values, earlier, incompleteFrom = values.length } = series
  const shape = earlier?.of ?? index
  const stroke = toneOf(place.theme, shape)
  const points = values.map((value, at): Point | undefined =>
    value === null ? undefined : [place.x(at), place.y(value)],
  )
  const line = { fill: 'none', stroke, 'stroke-width': 2, 'stroke-linejoin': 'round' }
  const done = points.slice(0, incompleteFrom)
  const open = incompleteFrom < points.length ? points.slice(Math.max(0, incompleteFrom - 1)) : []
  const isMarked = (points.length <= MARKED_MAX && earlier === undefined) || points.length === 1
  const marks = isMarked ? points.filter((point) => point !== undefined) : []
  const dash = dashOf(shape, earlier)
  return group(
    [
      ...(isAlone && earlier === undefined
        ? [element('path', { d: areaPath(points, place.base), fill: stroke, opacity: 0.08 })]
        : []),
      element('path', { ...line, d: linePath(done), 'stroke-dasharray': dash || undefined }),
      ...(open.length === 0
        ? []
        : [
            element('path', {
              ...line,
              d: linePath(open),
              'stroke-dasharray': '1 5',
              'stroke-linecap': 'round',
            }),
          ]),
      ...marks.map(([x, y]) =>
        element('path', {
          d: markerPath(shape, round(x), round(y), MARK),
          fill: place.theme.surface,
          stroke,
          'stroke-width': 1.75,
        }),
      ),
    ],
    { class: 'series', opacity: earlier === undefined ? undefined : 0.45 },
  )
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

const FILL = 0.72
const BAR_MAX = 48
const ROUND = 2

function barsOf(
  series: readonly Series[],
  { x, y, step, theme }: Place,
  layers: readonly (readonly Span[])[] | undefined,
  count: number,
): Markup[] {
  const parts = layers === undefined ? series.length : 1
  const whole = Math.min(step * FILL, BAR_MAX * parts)
  const width = Math.max(1, whole / parts)
  return series.map((each, index) => {
    const { values, earlier, incompleteFrom = count } = each
    const spans = layers?.[index] ?? values.map((value): Span => [0, value ?? 0])
    const fill = toneOf(theme, earlier?.of ?? index)
    const shift = parts === 1 ? 0 : index * width
    const bars = spans.flatMap(([from, to], at) => {
      const [low, high] = [y(Math.max(from, to)), y(Math.min(from, to))]
      if (high - low <= 0) return []
      const isOpen = at >= incompleteFrom
      return [
        element('rect', {
          x: x(at) - whole / 2 + shift,
          y: low,
          width: Math.max(1, width - 1),
          height: high - low,
          rx: ROUND,
          fill,
          'fill-opacity': isOpen ? 0.45 : undefined,
          stroke: isOpen ? fill : undefined,
          'stroke-dasharray': isOpen ? '2 2' : undefined,
        }),
      ]
    })
    return group(bars, { class: 'series', opacity: earlier === undefined ? undefined : 0.45 })
  })
}
