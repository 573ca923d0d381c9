import type { JsonObject } from '../../client/index.ts'
import { BarChart } from '../charts/bar-chart.tsx'
import { FunnelChart } from '../charts/funnel-chart.tsx'
import { LineChart } from '../charts/line-chart.tsx'
import { formatNumber, formatPercent } from '../data/format.ts'
import { isRecord } from '../data/json.ts'
import type { Answer } from '../data/questions.ts'
import { labelOf } from '../kit/names/label.ts'
import { actorsOf, labelsOf, pointOf, type ResultProps, type Row } from './answer.ts'
import { formatSeconds } from './duration.ts'
import { changed, intervalIn, memberOf, numberIn, seriesOf, textIn } from './question.ts'
import { sentenceOf } from './sentence.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'
import { valueName } from './values.ts'

type Step = {
  readonly name: string
  readonly custom_name: string | null
  readonly count: number
  readonly average_conversion_time: number | null
  readonly open_entrants: number | null
  readonly breakdown_value?: string | number | readonly string[]
  readonly breakdown_label?: string
}

/** Funnel chart: actors in each step. */
export function FunnelResult(props: ResultProps) {
  const shape = textIn(memberOf(props.question, 'funnelsFilter'), 'funnelVizType', 'steps')
  if (shape === 'trends') return <Over {...props} />
  if (shape === 'time_to_convert') return <Times {...props} />
  const results: readonly (Step | readonly Step[])[] = props.answer.results
  const groups = results.some((each) => Array.isArray(each))
    ? (results as readonly (readonly Step[])[])
    : [results as readonly Step[]]
  return (
    <div class="result-groups">
      {groups.map((steps, index) => (
        <Steps key={index} {...props} steps={steps} />
      ))}
    </div>
  )
}

function Steps({ question, onOpen, steps }: ResultProps & { readonly steps: readonly Step[] }) {
  const value = breakdownOf(steps[0]?.breakdown_value)
  const name = value === undefined ? undefined : valueName(value, steps[0]?.breakdown_label)
  const open = (step: number, who: 'reached' | 'left') => {
    const point = { funnelStep: who === 'reached' ? step + 1 : -(step + 1) }
    const label = labelOfStep(steps[step])
    const title = who === 'reached' ? `${step + 1}. ${label}` : `Left before ${step + 1}. ${label}`
    onOpen({ title, source: actorsOf(question, changed(point, { breakdown: value })) })
  }
  return (
    <div>
      {name !== undefined && <p class="result-group">{name}</p>}
      <FunnelChart
        title={name ?? sentenceOf(question)}
        steps={steps.map((step, index) => ({
          key: String(index),
          label: labelOfStep(step),
          count: step.count,
          note: noteOf(step),
        }))}
        onOpen={open}
      />
    </div>
  )
}

function labelOfStep(step: Step | undefined): string {
  return step?.custom_name ?? labelOf(step?.name ?? '')
}

function breakdownOf(value: Step['breakdown_value']): string | number | undefined {
  return typeof value === 'object' ? value[0] : value
}

function noteOf({ average_conversion_time: time, open_entrants: open }: Step): string | undefined {
  const parts = [
    ...(time === null ? [] : [`${formatSeconds(time)} ${TEXTS.stepTime}`]),
    ...(open === null || open === 0 ? [] : [`${formatNumber(open)} ${TEXTS.open}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' · ')
}

/** Times to convert. */
function Times({ question, answer, height, onOpen }: ResultProps) {
  const results: unknown = answer.results
  const bins = (isRecord(results) ? results['bins'] : undefined) as
    | readonly (readonly [number, number])[]
    | undefined
  if (bins === undefined || bins.length === 0) return <p class="result-note">{TEXTS.nothing}</p>
  const labels = bins.map(([seconds]) => formatSeconds(seconds))
  return (
    <BarChart
      title={sentenceOf(question)}
      labels={labels}
      labelTitle={TEXTS.time}
      format={formatNumber}
      height={height ?? 320}
      series={[{ key: 'count', label: TEXTS.persons, values: bins.map(([, count]) => count) }]}
      onOpen={(_series, at) => {
        const day = bins[at]?.[0]
        if (day === undefined) return
        onOpen({ title: `From ${labels[at]} on`, source: actorsOf(question, { day }) })
      }}
    />
  )
}

/** Conversion rate over time. */
function Over({ question, answer, height, onOpen }: ResultProps) {
  const rows = (answer as Answer<Row>).results
  const labels = labelsOf(rows[0]?.buckets ?? [], intervalIn(question))
  const nameOf = ({ breakdown_value: value, breakdown_label: label }: Row) =>
    value === undefined ? TEXTS.converted : valueName(value, label)
  return (
    <LineChart
      title={sentenceOf(question)}
      labels={labels}
      labelTitle={TEXTS.time}
      height={height ?? 320}
      format={(value) => formatPercent(value / 100)}
      series={rows.map((row, index) => ({
        key: String(index),
        label: nameOf(row),
        values: row.data,
        incompleteFrom: row.incomplete_from ?? undefined,
      }))}
      onOpen={(series, at) => {
        const row = rows[series]
        if (row === undefined) return
        const point = changed(pointOf(question, row, at), {
          series: undefined,
          ...lastStep(question),
        })
        const title = `${nameOf(row)}, ${labels[at]}`
        onOpen({ title, source: actorsOf(question, point) })
      }}
    />
  )
}

function lastStep(question: JsonObject): JsonObject {
  const last = seriesOf(question).length - 1
  return { funnelStep: numberIn(memberOf(question, 'funnelsFilter'), 'funnelToStep', last) + 1 }
}
