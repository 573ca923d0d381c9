import { type HeatRow, meansOf } from '../../../src/core/charts/retention.ts'
import { formatNumber, formatPercent } from '../data/format.ts'
import { Count } from './count.tsx'

type HeatTableProps = {
  readonly title: string
  /** Title of the row headers: "Day of the first visit". */
  readonly rowTitle: string
  readonly sizeTitle: string
  /** Title of the row of means. */
  readonly meanTitle: string
  readonly columns: readonly string[]
  readonly rows: readonly HeatRow[]
  readonly onOpen: ((row: number, column: number) => void) | undefined
}

/** Shares of groups over time: the larger the share, the deeper the shade. */
export function HeatTable(props: HeatTableProps) {
  const { title, rowTitle, sizeTitle, meanTitle, columns, rows, onOpen } = props
  const means = meansOf(rows, columns.length)
  // The first column is whole by definition: the others share the scale.
  const shares = rows.flatMap(({ values, size }) =>
    values.slice(1).map((value) => (value ?? 0) / Math.max(1, size)),
  )
  const most = Math.max(...shares, 0.01)
  const shadeOf = (share: number | null) => ((share ?? 0) / most).toFixed(2)
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
          <tr class="heat-mean">
            <th scope="row">{meanTitle}</th>
            <td />
            {means.map((mean, at) => (
              <td
                key={columns[at]}
                class="cell-end heat-cell"
                style={at === 0 ? undefined : { '--share': shadeOf(mean) }}
              >
                {mean === null ? '' : formatPercent(mean)}
              </td>
            ))}
          </tr>
          {rows.map((row, index) => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              <td class="cell-end">{formatNumber(row.size)}</td>
              {columns.map((column, at) => (
                <Cell
                  key={column}
                  row={row}
                  at={at}
                  shadeOf={shadeOf}
                  open={onOpen && (() => onOpen(index, at))}
                />
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
  readonly shadeOf: (share: number) => string
  readonly open: (() => void) | undefined
}

function Cell({ row, at, shadeOf, open }: CellProps) {
  const value = row.values[at] ?? null
  if (value === null) return <td />
  const share = row.size === 0 ? 0 : value / row.size
  const isOpenEnded = row.incompleteFrom !== undefined && at >= row.incompleteFrom
  return (
    <td
      class="cell-end heat-cell"
      style={at === 0 ? undefined : { '--share': shadeOf(share) }}
      title={`${formatNumber(value)} persons${isOpenEnded ? ' so far' : ''}`}
    >
      <Count open={open}>
        {formatPercent(share)}
        {isOpenEnded && '*'}
      </Count>
    </td>
  )
}
