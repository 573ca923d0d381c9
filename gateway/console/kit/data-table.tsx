/** A long table of which only the rows in view are drawn: a thousand rows scroll as ten do. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import '../styles/data-table.css'
import { type Column, cellClass } from './table.tsx'

type DataTableProps<Row> = {
  /** Name of the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Enter or a click on a row. */
  readonly onOpen?: ((row: Row) => void) | undefined
  /** Called near the end of the rows, such as to load the next page. */
  readonly onEnd?: (() => void) | undefined
  /** All rows have this height. */
  readonly rowPx?: number
}

const ROW_PX = 38
const OVERSCAN = 12
const NEAR_END = 20
/** Rows in view, with the head: whole ones. */
const SHOWN = 17

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, onOpen, rowPx = ROW_PX } = props
  const frame = useRef<HTMLElement>(null)
  const { from, to } = useWindow(frame, rows.length, rowPx, props.onEnd)
  const [chosen, setChosen] = useState(-1)
  const move = (event: KeyboardEvent) => {
    const next = nextRow(event.key, chosen, rows.length)
    const row = rows[chosen]
    if (event.target instanceof Element && event.target.closest('a,button') !== null) return
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
      style={{ maxHeight: `${SHOWN * rowPx + 2}px` }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
      tabIndex={0}
      aria-label={caption}
      data-key="rows"
      onKeyDown={move}
    >
      <table class="table" aria-rowcount={rows.length + 1}>
        <caption class="unseen">{caption}</caption>
        <Head columns={columns} rowPx={rowPx} />
        <tbody>
          <Space px={from * rowPx} columns={columns.length} />
          {rows.slice(from, to).map((row, place) => {
            const index = from + place
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
                {columns.map((column) => (
                  <td key={column.key} class={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          <Space px={(rows.length - to) * rowPx} columns={columns.length} />
        </tbody>
      </table>
    </section>
  )
}

const MARKS = { ascending: '↑', descending: '↓', none: '' } as const

function Head<Row>({ columns, rowPx }: Pick<DataTableProps<Row>, 'columns' | 'rowPx'>) {
  return (
    <thead>
      <tr style={{ height: `${rowPx}px` }}>
        {columns.map(({ key, title, sort, ...column }) => (
          <th key={key} scope="col" class={cellClass(column)} aria-sort={sort?.direction}>
            {sort === undefined ? (
              title
            ) : (
              <button type="button" class="sort" title={key} onClick={sort.onSort}>
                {title}
                <span aria-hidden="true">{MARKS[sort.direction ?? 'none']}</span>
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Takes the height of rows that are not drawn. */
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

type Window = { readonly from: number; readonly to: number }

/** The rows in view and some around them, followed while the frame scrolls. */
function useWindow(
  frame: { readonly current: HTMLElement | null },
  count: number,
  rowPx: number,
  onEnd: (() => void) | undefined,
): Window {
  const [view, setView] = useState({ first: 0, shown: 0 })
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const look = () => {
      const first = Math.floor(element.scrollTop / rowPx)
      const shown = Math.ceil(element.clientHeight / rowPx)
      // Rows are drawn anew when another one comes into view, not at each pixel.
      setView((before) =>
        before.first === first && before.shown === shown ? before : { first, shown },
      )
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [frame, rowPx])
  // A list that became shorter has not been scrolled yet.
  const first = Math.min(view.first, Math.max(0, count - view.shown))
  const to = Math.min(count, first + view.shown + OVERSCAN)
  const isNear = view.shown > 0 && to >= count - NEAR_END
  useLayoutEffect(() => {
    if (isNear && count > 0) onEnd?.()
  }, [isNear, count, onEnd])
  return { from: Math.max(0, first - OVERSCAN), to }
}
