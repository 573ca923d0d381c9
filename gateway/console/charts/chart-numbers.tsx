import { type Column, Table } from '../kit/table.tsx'
import { Count } from './count.tsx'
import { type ChartProps, partOf } from './series.ts'

const NO_NUMBER = '–'

/** The numbers of a chart as a table. */
export function ChartNumbers(props: ChartProps) {
  const { title, labels, times = labels, labelTitle, series, format = String, onOpen } = props
  const columns: readonly Column<number>[] = [
    { key: 'label', title: labelTitle, cell: (index) => times[index] ?? '' },
    ...series.map(
      (each, at): Column<number> => ({
        key: each.key,
        title: each.label,
        align: 'end',
        cell: (index) => {
          const value = each.values[index] ?? null
          if (value === null) return NO_NUMBER
          const when = each.earlier && `${each.earlier.times[index]}: `
          const text = `${when ?? ''}${format(value)}${partOf(each, index)}`
          return <Count open={onOpen && (() => onOpen(at, index))}>{text}</Count>
        },
      }),
    ),
  ]
  const rows = labels.map((_, index) => index)
  return <Table caption={title} columns={columns} rows={rows} keyOf={(index) => index} />
}
