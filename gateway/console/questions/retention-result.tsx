import { heatRows, meansOf, type RetentionGroup } from '../../../src/core/charts/retention.ts'
import { HeatTable } from '../charts/heat-table.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { formatPercent } from '../data/format.ts'
import type { Answer } from '../data/questions.ts'
import { actorsOf, type ResultProps } from './answer.ts'
import { memberOf, textIn } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

const CURVE_PX = 180

/** Retention curve and table. */
export function RetentionResult({ title, question, answer, isTile, onOpen }: ResultProps) {
  const groups = (answer as Answer<RetentionGroup>).results
  const period = textIn(memberOf(question, 'retentionFilter'), 'period', 'Day')
  const columns = groups.map(({ label }) => label)
  const rows = heatRows(groups, period)
  const means = meansOf(rows, columns.length)
  return (
    <>
      {!isTile && (
        <LineChart
          title={TEXTS.curve}
          labels={columns}
          labelTitle={TEXTS.time}
          height={CURVE_PX}
          unit="%"
          format={(value) => formatPercent(value / 100)}
          series={[
            {
              key: 'mean',
              label: TEXTS.mean,
              values: means.map((mean) => (mean === null ? null : mean * 100)),
            },
          ]}
        />
      )}
      <HeatTable
        title={title}
        rowTitle={TEXTS.cohort}
        sizeTitle={TEXTS.persons}
        meanTitle={TEXTS.mean}
        columns={columns}
        rows={rows}
        onOpen={
          onOpen &&
          ((row, column) =>
            onOpen({
              title: `${rows[row]?.label}, ${columns[column]}`,
              source: actorsOf(question, { interval: row, day: column }),
            }))
        }
      />
      {rows.some(({ incompleteFrom }) => incompleteFrom !== undefined) && (
        <p class="result-note">{TEXTS.notOver}</p>
      )}
    </>
  )
}
