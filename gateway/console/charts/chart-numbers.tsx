import { type Column, Table } from '../kit/table.tsx'
import type { ChartProps } from './series.ts'

const NO_NUMBER = '–'

/** The numbers of a chart as a table. */
export function ChartNumbers(props: ChartProps) {
  const { title, labels, labelTitle, series, format = String, onOpen } = props
  const columns: readonly Column<number>[] = [
    { key: 'label', title: labelTitle, cell: (index) => labels[index] ?? '' },
    ...series.map(
      ({ key, label, values, incompleteFrom }, at): Column<number> => ({
        ...{ key, title: label, align: 'end' },
        cell: (index) => {
          const value = values[index] ?? null
          if (value === null) return NO_NUMBER
          const isOpenEnded = incompleteFrom !== undefined && index >= incompleteFrom
          const text = `${format(value)}${isOpenEnded ? ' so far' : ''}`
          if (onOpen === undefined) return text
          return (
            <button type="button" class="link figure" onClick={() => onOpen(at, index)}>
              {text}
            </button>
          )
        },
      }),
    ),
  ]
  const rows = labels.map((_, index) => index)
  return <Table caption={title} columns={columns} rows={rows} keyOf={(index) => index} />
}
