import type { ComponentChildren } from 'preact'

export type Column<Row> = {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** `end` for numbers. */
  readonly align?: 'start' | 'end'
  /** Left out on a phone. */
  readonly isWide?: boolean
  /** A click on the title sorts by it; long tables only. */
  readonly sort?: {
    readonly direction: 'ascending' | 'descending' | undefined
    readonly onSort: () => void
  }
}

type TableProps<Row> = {
  /** Name of the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
}

export function cellClass({ align, isWide }: Pick<Column<never>, 'align' | 'isWide'>): string {
  return `${align === 'end' ? 'cell-end' : ''}${isWide === true ? ' cell-wide' : ''}`
}

/** A short table, whole in the page. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // Scrolled by keys as well as by a finger.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls takes the focus
    <section class="table-frame" tabIndex={0} aria-label={caption}>
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" class={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.key} class={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
