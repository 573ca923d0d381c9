import { formatNumber, formatPercent } from '../data/format.ts'

export type HeatRow = {
  readonly label: string
  /** Size of the whole group, of which the values are a part. */
  readonly size: number
  /** Null where a value has not begun. */
  readonly values: readonly (number | null)[]
  /** Place of the first value that may still change. */
  readonly incompleteFrom?: number | undefined
}

type HeatTableProps = {
  readonly title: string
  /** Title of the row headers: "Day of the first visit". */
  readonly rowTitle: string
  readonly sizeTitle: string
  readonly columns: readonly string[]
  readonly rows: readonly HeatRow[]
  readonly onOpen?: ((row: number, column: number) => void) | undefined
}

/** Shares of groups over time: the larger the share, the deeper the shade. */
export function HeatTable(props: HeatTableProps) {
  const { title, rowTitle, sizeTitle, columns, rows, onOpen } = props
  return (
    // Scrolled by keys as well as by a finger.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section class="table-frame" tabIndex={0} aria-label={title}>
      <table class="table heat">
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{rowTitle}</th>
            <th scope="col" class="cell-end">
              {sizeTitle}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" class="cell-end">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              <td class="cell-end">{formatNumber(row.size)}</td>
              {columns.map((column, at) => (
                <Cell key={column} row={row} at={at} open={onOpen && (() => onOpen(index, at))} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type CellProps = {
  readonly row: HeatRow
  readonly at: number
  readonly open: (() => void) | undefined
}

function Cell({ row, at, open }: CellProps) {
  const value = row.values[at] ?? null
  if (value === null) return <td />
  const share = row.size === 0 ? 0 : value / row.size
  const isOpenEnded = row.incompleteFrom !== undefined && at >= row.incompleteFrom
  const text = `${formatPercent(share)}${isOpenEnded ? '*' : ''}`
  const title = `${formatNumber(value)} persons${isOpenEnded ? ' so far' : ''}`
  return (
    <td class="cell-end heat-cell" style={{ '--share': share.toFixed(2) }} title={title}>
      {open === undefined ? (
        text
      ) : (
        <button type="button" class="link figure" onClick={open}>
          {text}
        </button>
      )}
    </td>
  )
}
