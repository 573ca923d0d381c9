import { labelsOf } from '../../../src/core/charts/buckets.ts'
import { formatSeconds } from '../../../src/core/charts/duration.ts'
import { valueName } from '../../../src/core/charts/names.ts'
import type { TrendRow } from '../../../src/core/charts/trends.ts'
import type { JsonObject } from '../../client/index.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { formatNumber, formatPercent } from '../data/format.ts'
import { isRecord } from '../data/json.ts'
import type { Answer } from '../data/questions.ts'
import { actorsOf, pointOf, type ResultProps } from './answer.ts'
import { changed, intervalIn, memberOf, numberIn, seriesOf } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

/** Times to convert. */
export function FunnelTimes({ title, question, answer, height, onOpen }: ResultProps) {
  const results: unknown = answer.results
  const bins = (isRecord(results) ? results['bins'] : undefined) as
    | readonly (readonly [number, number])[]
    | undefined
  if (bins === undefined || bins.length === 0) return <p class="result-note">{TEXTS.nothing}</p>
  const labels = bins.map(([seconds]) => formatSeconds(seconds))
  return (
    <BarChart
      title={title}
      labels={labels}
      labelTitle={TEXTS.time}
      format={formatNumber}
      height={height ?? 320}
      series={[{ key: 'count', label: TEXTS.persons, values: bins.map(([, count]) => count) }]}
      onOpen={
        onOpen &&
        ((_series, at) => {
          const day = bins[at]?.[0]
          if (day === undefined) return
          onOpen({ title: `From ${labels[at]}`, source: actorsOf(question, { day }) })
        })
      }
    />
  )
}

/** Conversion rate over time. */
export function FunnelTrend({ title, question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<TrendRow>).results
  const labels = labelsOf(rows[0]?.buckets ?? [], intervalIn(question))
  const nameOf = ({ breakdown_value: value, breakdown_label: label }: TrendRow) =>
    value === undefined ? TEXTS.converted : valueName(value, label)
  return (
    <LineChart
      title={title}
      labels={labels}
      starts={rows[0]?.buckets}
      labelTitle={TEXTS.time}
      height={height ?? 320}
      format={(value) => formatPercent(value / 100)}
      unit="%"
      series={rows.map((row, index) => ({
        key: String(index),
        label: nameOf(row),
        values: row.data,
        incompleteFrom: row.incomplete_from ?? undefined,
      }))}
      onOpen={
        onOpen &&
        ((series, at) => {
          const row = rows[series]
          if (row === undefined) return
          const point = changed(pointOf(question, row, at), {
            series: undefined,
            ...lastStep(question),
          })
          onOpen({ title: `${nameOf(row)}, ${labels[at]}`, source: actorsOf(question, point) })
        })
      }
    />
  )
}

function lastStep(question: JsonObject): JsonObject {
  const last = seriesOf(question).length - 1
  return { funnelStep: numberIn(memberOf(question, 'funnelsFilter'), 'funnelToStep', last) + 1 }
}
