import { formatNumber } from '../data/format.ts'
import { Table } from '../kit/table.tsx'
import { Count } from './count.tsx'
import { type Edge, nameOfItem } from './paths-layout.ts'

type PathsNumbersProps = {
  readonly title: string
  /** Title of the further column. */
  readonly more: string
  readonly rows: readonly Row[]
}

type Row = Edge & { readonly more: string; readonly onOpen: (() => void) | undefined }

/** Ways from step to step as a table. */
export function PathsNumbers({ title, more, rows }: PathsNumbersProps) {
  const stepOf = (key: string) => key.slice(0, key.indexOf('_'))
  return (
    <Table
      caption={title}
      columns={[
        { key: 'step', title: 'Step', cell: ({ source }: Row) => stepOf(source) },
        { key: 'from', title: 'From', cell: ({ source }: Row) => nameOfItem(source) },
        { key: 'to', title: 'To', cell: ({ target }: Row) => nameOfItem(target) },
        { key: 'more', title: more, align: 'end', cell: (row: Row) => row.more },
        {
          key: 'value',
          title: 'Count',
          align: 'end',
          cell: ({ value, onOpen }: Row) => <Count open={onOpen}>{formatNumber(value)}</Count>,
        },
      ]}
      rows={rows}
      keyOf={({ source, target }) => `${source} ${target}`}
    />
  )
}
