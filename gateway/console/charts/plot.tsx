import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Goal, goalLabelY } from '../../../src/core/charts/goals.ts'
import {
  type Axis,
  axisOf,
  linear,
  type Scale,
  shownLabels,
} from '../../../src/core/charts/scale.ts'
import { useAnnotated } from '../data/annotations.ts'
import { formatCompact } from '../data/format.ts'
import { Button } from '../kit/button.tsx'
import { later } from '../kit/later.tsx'
import type { ChartProps } from './series.ts'
import { useWidth } from './use-width.ts'

// A pointer opens them; annotations that there are do so too.
const PointPopover = later(async () => (await import('./point-popover.tsx')).PointPopover)
const Annotations = later(async () => (await import('./annotation-popover.tsx')).Annotations)

/** The area in which a chart draws, with a place for each label. */
export type Place = {
  readonly x: (index: number) => number
  readonly y: Scale
  /** Width that belongs to one label. */
  readonly step: number
  readonly base: number
  /** Place under the pointer; undefined for none. */
  readonly at: number | undefined
}

type PlotProps = ChartProps & {
  /** Everything that the axis must hold. */
  readonly values: readonly number[]
  /** Places points on the edges, and bars between them. */
  readonly sits: 'on' | 'between'
  readonly sample: 'line' | 'box'
  /** Chooses the series of a click; the first where it is absent. */
  readonly pick?: Pick
  readonly children: (place: Place) => ComponentChildren
}

/**
 * @param value what the axis says at the pointer.
 * @param across how far the pointer is from the middle of the label, in steps: -0.5 to 0.5.
 */
export type Pick = (index: number, value: number, across: number) => number

const TOP = 8
const BOTTOM = 24
const END = 12
const CHAR_PX = 7
/** Place of the button below the axis of numbers. */
const START_MIN = 30

/** Axes, grid, and a card with the numbers under the pointer. */
export function Plot(props: PlotProps) {
  const { title, labels, values, sits, height = 240, onOpen, pick, children } = props
  const { unit = '', isUnsigned = false, starts = [], goals = [] } = props
  const [ref, width] = useWidth()
  const [at, setAt] = useState<number>()
  const annotated = useAnnotated(starts)
  const [isNear, setNear] = useState(false)
  const [opened, setOpened] = useState<number>()
  const axis = axisOf([...values, ...goals.map(({ value }) => value)])
  const tickOf = (tick: number) => formatCompact(isUnsigned ? Math.abs(tick) : tick) + unit
  const longest = Math.max(...axis.ticks.map((tick) => tickOf(tick).length))
  const start = Math.max(START_MIN, longest * CHAR_PX + 12)
  const inner = Math.max(1, width - start - END)
  const count = labels.length
  const isOn = sits === 'on' && count > 1
  const step = inner / (isOn ? count - 1 : Math.max(1, count))
  const x = (index: number) => start + (isOn ? index * step : (index + 0.5) * step)
  const y = linear([axis.low, axis.high], [height - BOTTOM, TOP])
  const indexAt = (clientX: number) => {
    const left = clientX - (ref.current?.getBoundingClientRect().left ?? 0) - start
    const index = Math.round(isOn ? left / step : left / step - 0.5)
    return index >= 0 && index < count ? index : undefined
  }
  const open = (event: MouseEvent) => {
    const box = ref.current?.getBoundingClientRect()
    // A dialog of the chart is part of it to events; what was clicked there may be gone by now.
    const isBeside = event.composedPath().some((each) => each instanceof HTMLDialogElement)
    if (at === undefined || box === undefined || isBeside) return
    const up = (box.top + height - BOTTOM - event.clientY) / (height - BOTTOM - TOP)
    const value = axis.low + up * (axis.high - axis.low)
    onOpen?.(pick?.(at, value, (event.clientX - box.left - x(at)) / step) ?? 0, at)
  }
  return (
    // The table behind "Table" has the same numbers for the keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div
      ref={ref}
      class={`plot${onOpen === undefined ? '' : ' plot-opens'}`}
      style={{ height: `${height}px` }}
      onPointerMove={({ clientX }) => {
        setAt(indexAt(clientX))
        setNear(true)
      }}
      onPointerLeave={() => setAt(undefined)}
      onClick={open}
    >
      <svg width={width} height={height} role="img" aria-label={title}>
        <Grid axis={axis} tickOf={tickOf} y={y} start={start} end={width - END} />
        <Labels labels={labels} x={x} width={inner} height={height} />
        {at !== undefined && (
          <path class="chart-cursor" d={`M${x(at)} ${TOP}V${height - BOTTOM}`} />
        )}
        {children({ x, y, step, base: y(0), at })}
        <Goals goals={goals} y={y} start={start} end={width - END} />
      </svg>
      {annotated !== undefined && (
        <>
          {(isNear || opened !== undefined || !!annotated.annotations.data?.length) && (
            <Annotations
              {...annotated}
              starts={starts}
              x={x}
              start={start}
              width={width}
              indexAt={indexAt}
              opened={opened}
              times={props.times ?? labels}
              onOver={() => setAt(undefined)}
              onOpen={setOpened}
            />
          )}
          <Button
            tone="quiet"
            icon="plus"
            aria-label="Add an annotation"
            style={{ position: 'absolute', left: '-8px', bottom: '-8px' }}
            onClick={(event) => {
              event.stopPropagation()
              // No bucket: a new one.
              setOpened(count)
            }}
          />
        </>
      )}
      {at !== undefined && <PointPopover {...props} at={at} x={x(at)} width={width} />}
    </div>
  )
}

type GridProps = {
  axis: Axis
  tickOf: (tick: number) => string
  y: Scale
  start: number
  end: number
}

function Grid({ axis, tickOf, y, start, end }: GridProps) {
  return (
    <g>
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <path
            class={tick === 0 ? 'chart-zero' : 'chart-grid'}
            d={`M${start} ${y(tick)}H${end}`}
          />
          <text class="chart-text" x={start - 8} y={y(tick) + 4} text-anchor="end">
            {tickOf(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}

type GoalsProps = { goals: readonly Goal[]; y: Scale; start: number; end: number }

function Goals({ goals, y, start, end }: GoalsProps) {
  return (
    <g>
      {goals.map(({ label, value }, index) => (
        <g key={index}>
          <path class="chart-goal" d={`M${start} ${y(value)}H${end}`} />
          <text class="chart-goal-text" x={end} y={goalLabelY(y(value))} text-anchor="end">
            {label}
          </text>
        </g>
      ))}
    </g>
  )
}

type LabelsProps = {
  labels: readonly string[]
  x: (index: number) => number
  width: number
  height: number
}

function Labels({ labels, x, width, height }: LabelsProps) {
  const shown = shownLabels(labels.length, width)
  return (
    <g>
      {labels.map(
        (label, index) =>
          shown.has(index) && (
            <text
              key={index}
              class="chart-text"
              x={x(index)}
              y={height - 6}
              text-anchor={anchorOf(index, labels.length)}
            >
              {label}
            </text>
          ),
      )}
    </g>
  )
}

/** Keeps the labels at the edges inside the chart. */
function anchorOf(index: number, count: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start'
  return index === count - 1 ? 'end' : 'middle'
}
