/** A long table of which only the rows in view are drawn: a thousand rows scroll as ten do. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { Column } from './table.tsx'

type DataTableProps<Row> = {
  /** What the rows are: the table's name for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Enter or a click on a row. */
  readonly onOpen?: ((row: Row) => void) | undefined
  /** Asked for when the end comes near, such as the next page. */
  readonly onEnd?: (() => void) | undefined
  /** All rows have this height. */
  readonly rowPx?: number
  readonly heightPx?: number
}

const ROW_PX = 38
const OVERSCAN = 12
const NEAR_END = 20

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, onOpen, rowPx = ROW_PX, heightPx = 640 } = props
  const frame = useRef<HTMLElement>(null)
  const items = useWindow(frame, rows.length, rowPx, props.onEnd)
  const [chosen, setChosen] = useState(-1)
  const first = items[0]?.start ?? 0
  const last = (rows.length - 1 - (items.at(-1)?.index ?? rows.length - 1)) * rowPx
  const move = (event: KeyboardEvent) => {
    const next = nextRow(event.key, chosen, rows.length)
    const row = rows[chosen]
    if (event.key === 'Enter' && row !== undefined) onOpen?.(row)
    if (next === undefined) return
    event.preventDefault()
    setChosen(next)
    scrollInto(frame.current, next * rowPx, rowPx)
  }
  return (
    // Arrows or j and k choose a row, Enter opens it.
    <section
      ref={frame}
      class="table-frame data-table"
      style={{ maxHeight: `${heightPx}px` }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
      tabIndex={0}
      aria-label={caption}
      data-key="rows"
      onKeyDown={move}
    >
      <table class="table" aria-rowcount={rows.length + 1}>
        <caption class="unseen">{caption}</caption>
        <Head columns={columns} />
        <tbody>
          <Space px={first} columns={columns.length} />
          {items.map(({ index }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <tr
                key={keyOf(row)}
                aria-rowindex={index + 2}
                class={index === chosen ? 'row-chosen' : undefined}
                style={{ height: `${rowPx}px` }}
                onClick={(event) => {
                  if (event.target instanceof Element && event.target.closest('a,button')) return
                  setChosen(index)
                  onOpen?.(row)
                }}
              >
                {columns.map(({ key, cell, align }) => (
                  <td key={key} class={align === 'end' ? 'cell-end' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Space px={last} columns={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

function Head<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, align }) => (
          <th key={key} scope="col" class={align === 'end' ? 'cell-end' : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Stands for rows that are not drawn. */
function Space({ px, columns }: { readonly px: number; readonly columns: number }) {
  if (px <= 0) return null
  return (
    <tr class="row-space">
      <td colSpan={columns} style={{ height: `${px}px` }} />
    </tr>
  )
}

function nextRow(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowDown' || key === 'j') return Math.min(count - 1, at + 1)
  if (key === 'ArrowUp' || key === 'k') return Math.max(0, at - 1)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

function scrollInto(frame: HTMLElement | null, top: number, rowPx: number): void {
  if (frame === null) return
  const head = rowPx
  if (top < frame.scrollTop) frame.scrollTop = top
  else if (top + rowPx + head > frame.scrollTop + frame.clientHeight) {
    frame.scrollTop = top + rowPx + head - frame.clientHeight
  }
}

/** The rows in view, followed while the frame scrolls. */
function useWindow(
  frame: { readonly current: HTMLElement | null },
  count: number,
  rowPx: number,
  onEnd: (() => void) | undefined,
) {
  const [, redraw] = useReducer((round: number) => round + 1, 0)
  const [virtual] = useState(
    () =>
      new Virtualizer<HTMLElement, HTMLElement>({
        ...{ count, overscan: OVERSCAN, estimateSize: () => rowPx },
        ...{ observeElementRect, observeElementOffset, scrollToFn: elementScroll },
        getScrollElement: () => frame.current,
        onChange: () => redraw(undefined),
      }),
  )
  virtual.setOptions({ ...virtual.options, count, estimateSize: () => rowPx })
  // The element is there once it is drawn.
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  const items = virtual.getVirtualItems()
  const isNear = (items.at(-1)?.index ?? 0) >= count - NEAR_END
  useLayoutEffect(() => {
    if (isNear && count > 0) onEnd?.()
  }, [isNear, count, onEnd])
  return items
}
