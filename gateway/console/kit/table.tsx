import type { ComponentChildren } from 'preact'

export type Column<Row> = {
  readonly key: string
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** `end` for numbers. */
  readonly align?: 'start' | 'end'
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
            {columns.map(({ key, title, align }) => (
              <th key={key} scope="col" class={align === 'end' ? 'cell-end' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ key, cell, align }) => (
                <td key={key} class={align === 'end' ? 'cell-end' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
