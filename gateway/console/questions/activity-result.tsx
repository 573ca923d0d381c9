import { labelsOf } from '../../../src/core/charts/buckets.ts'
import { labelOf } from '../../../src/core/charts/label.ts'
import { STATUS_NAMES } from '../../../src/core/charts/names.ts'
import type { TrendRow } from '../../../src/core/charts/trends.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { formatNumber } from '../data/format.ts'
import type { Answer } from '../data/questions.ts'
import { actorsOf, daysOf, type ResultProps } from './answer.ts'
import { changed, intervalIn } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

type StickyRow = {
  readonly label: string
  readonly data: readonly number[]
  readonly days: readonly number[]
}

/** Stickiness chart: on how many days persons are active. */
export function StickinessResult({ title, question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<StickyRow>).results
  const unit = intervalIn(question)
  const lengths = rows[0]?.days ?? []
  const labels = lengths.map((length) => `${length} ${unit}${length === 1 ? '' : 's'}`)
  return (
    <BarChart
      title={title}
      labels={labels}
      labelTitle={TEXTS.activeFor}
      format={formatNumber}
      height={height ?? 320}
      series={rows.map(({ label, data }, index) => ({
        key: String(index),
        label: labelOf(label),
        values: data,
      }))}
      onOpen={
        onOpen &&
        ((series, at) => {
          const day = lengths[at]
          if (day === undefined) return
          const name = `${labelOf(rows[series]?.label ?? '')}, ${labels[at]}`
          onOpen({ title: name, source: actorsOf(question, { series, day }) })
        })
      }
    />
  )
}

/** Life cycle chart: new, returning, resurrecting and dormant actors. */
export function LifecycleResult({ title, question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<TrendRow>).results
  const labels = labelsOf(rows[0]?.buckets ?? [], intervalIn(question))
  return (
    <BarChart
      isStacked
      title={title}
      labels={labels}
      starts={rows[0]?.buckets}
      labelTitle={TEXTS.time}
      // Dormant persons are drawn below the line, and counted as the others are.
      format={(value) => formatNumber(Math.abs(value))}
      isUnsigned
      height={height ?? 320}
      series={rows.map(({ status = '', data, incomplete_from: from }) => ({
        key: status,
        label: STATUS_NAMES[status] ?? status,
        values: data,
        incompleteFrom: from ?? undefined,
      }))}
      onOpen={
        onOpen &&
        ((series, at) => {
          const row = rows[series]
          if (row === undefined) return
          const day = daysOf(question, row)[at]
          const name = `${STATUS_NAMES[row.status ?? ''] ?? ''}, ${labels[at]}`
          onOpen({
            title: name,
            source: actorsOf(question, changed({}, { day, status: row.status })),
          })
        })
      }
    />
  )
}
