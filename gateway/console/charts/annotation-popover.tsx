import { useState } from 'preact/hooks'
import type { Annotation } from '../../client/index.ts'
import { byBucket } from '../data/annotation-buckets.ts'
import type { Annotated } from '../data/annotations.ts'
import { later } from '../kit/later.tsx'

const AnnotationDialog = later(
  async () => (await import('./annotation-dialog.tsx')).AnnotationDialog,
)

const CARD_PX = 260
/** Texts of a tip; the dialog has all. */
const SHOWN = 4
/** Height of the labels, and size of a mark. */
const AXIS_PX = 24
const MARK_PX = 24

type AnnotationsProps = Annotated & {
  /** Start of each bucket. */
  readonly starts: readonly string[]
  readonly times: readonly string[]
  readonly x: (index: number) => number
  /** Where the axis begins, and the width of the plot. */
  readonly start: number
  readonly width: number
  /** Index of the bucket at a place on the axis; undefined beside it. */
  readonly indexAt: (clientX: number) => number | undefined
  /** Hides the card with the numbers. */
  readonly onOver: () => void
  /** Bucket whose dialog is open; one beyond the last for a new annotation. */
  readonly opened: number | undefined
  readonly onOpen: (index: number | undefined) => void
}

/** Annotations on the axis: a click on a day makes one, and marks open those that there are. */
export function Annotations(props: AnnotationsProps) {
  const { project, place, annotations, starts, times, x, start, width, indexAt } = props
  const { onOver, opened, onOpen } = props
  const [hovered, setHovered] = useState<number>()
  const marks = byBucket(annotations.data ?? [], starts, place)
  const seen = hovered === undefined ? [] : (marks.get(hovered) ?? [])
  const over = (index: number | undefined) => ({
    onPointerMove: (event: PointerEvent) => {
      event.stopPropagation()
      onOver()
      setHovered(index ?? indexAt(event.clientX))
    },
    onPointerLeave: () => setHovered(undefined),
    onClick: (event: MouseEvent) => {
      event.stopPropagation()
      onOpen(index ?? indexAt(event.clientX))
    },
  })
  return (
    <>
      <div
        class="annotation-axis"
        style={{
          position: 'absolute',
          insetInline: `${start}px 0`,
          bottom: 0,
          height: `${AXIS_PX}px`,
          cursor: 'copy',
        }}
        title="Click to add an annotation"
        {...over(undefined)}
      />
      {hovered !== undefined && !marks.has(hovered) && (
        <span style={{ ...markStyle(x(hovered)), pointerEvents: 'none' }} aria-hidden="true">
          <Pin tone="var(--text-3)">+</Pin>
        </span>
      )}
      {[...marks]
        .sort(([one], [other]) => one - other)
        .map(([at, ours]) => (
          <button
            key={at}
            type="button"
            class="annotation-mark"
            style={{ ...markStyle(x(at)), cursor: 'pointer' }}
            aria-label={`${times[at] ?? ''}: ${ours.map(({ content }) => content).join('; ')}`}
            onFocus={() => setHovered(at)}
            onBlur={() => setHovered(undefined)}
            {...over(at)}
          >
            <Pin tone="var(--accent)">{ours.length > 1 ? String(ours.length) : ''}</Pin>
          </button>
        ))}
      {hovered !== undefined && seen.length > 0 && (
        <Tip at={times[hovered] ?? ''} x={x(hovered)} width={width} annotations={seen} />
      )}
      {opened !== undefined && (
        <AnnotationDialog
          project={project}
          place={place}
          title={times[opened] ?? ''}
          start={starts[opened] ?? starts.at(-1) ?? ''}
          annotations={marks.get(opened) ?? []}
          failure={annotations.error}
          onClose={() => onOpen(undefined)}
        />
      )}
    </>
  )
}

function markStyle(x: number) {
  return {
    position: 'absolute',
    left: `${x - MARK_PX / 2}px`,
    bottom: `${AXIS_PX / 2}px`,
    zIndex: 1,
    width: `${MARK_PX}px`,
    height: `${MARK_PX}px`,
    padding: 0,
    border: 0,
    background: 'none',
  } as const
}

/** A pin whose point is on the axis. */
function Pin({ tone, children }: { readonly tone: string; readonly children: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        d="M12 21L7 15A7 7 0 1 1 17 15Z"
        style={{ fill: tone, stroke: 'var(--surface)', strokeWidth: 2 }}
      />
      <text
        x="12"
        y="13.5"
        text-anchor="middle"
        style={{ fill: 'var(--surface)', fontSize: '0.625rem', fontWeight: 700 }}
      >
        {children}
      </text>
    </svg>
  )
}

type TipProps = {
  readonly at: string
  readonly x: number
  readonly width: number
  readonly annotations: readonly Annotation[]
}

/** Texts of a mark. Screen readers have them as its label. */
function Tip({ at, x, width, annotations }: TipProps) {
  const left = Math.max(0, Math.min(x - CARD_PX / 2, width - CARD_PX))
  const others = annotations.length - SHOWN
  return (
    <div
      class="chart-card"
      style={{
        left: `${left}px`,
        width: `${Math.min(CARD_PX, width)}px`,
        insetBlock: `auto ${AXIS_PX / 2 + MARK_PX}px`,
      }}
      aria-hidden="true"
    >
      <strong>{at}</strong>
      {annotations.slice(0, SHOWN).map(({ id, content }) => (
        <p key={id}>
          <span class="chart-card-name">{content}</span>
        </p>
      ))}
      {others > 0 && <p class="chart-card-hint">and {others} more</p>}
    </div>
  )
}
