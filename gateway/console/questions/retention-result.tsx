import { HeatTable } from '../charts/heat-table.tsx'
import type { Answer } from '../data/questions.ts'
import type { Interval } from '../data/ranges.ts'
import { actorsOf, labelsOf, type ResultProps } from './answer.ts'
import { memberOf, textIn } from './question.ts'
import { sentenceOf } from './sentence.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

type Group = {
  readonly date: string
  readonly label: string
  readonly values: readonly { readonly count: number; readonly complete: boolean }[]
}

const INTERVALS: Readonly<Record<string, Interval>> = { Hour: 'hour', Week: 'week', Month: 'month' }

/** Retention table. */
export function RetentionResult({ question, answer, onOpen }: ResultProps) {
  const groups = (answer as Answer<Group>).results
  const period = textIn(memberOf(question, 'retentionFilter'), 'period', 'Day')
  const dates = labelsOf(
    groups.map(({ date }) => date),
    INTERVALS[period] ?? 'day',
  )
  const columns = groups.map(({ label }) => label)
  const rows = groups.map(({ label, values }, index) => {
    const open = values.findIndex(({ complete }) => !complete)
    return {
      label: `${label} · ${dates[index]}`,
      size: values[0]?.count ?? 0,
      values: columns.map((_, at) => values[at]?.count ?? null),
      incompleteFrom: open === -1 ? undefined : open,
    }
  })
  return (
    <HeatTable
      title={sentenceOf(question)}
      rowTitle={TEXTS.group}
      sizeTitle={TEXTS.persons}
      columns={columns}
      rows={rows}
      onOpen={(row, column) =>
        onOpen({
          title: `${rows[row]?.label}, ${columns[column]}`,
          source: actorsOf(question, { interval: row, day: column }),
        })
      }
    />
  )
}
