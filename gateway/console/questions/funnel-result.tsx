import { FunnelChart } from '../charts/funnel-chart.tsx'
import { formatNumber } from '../data/format.ts'
import { labelOf } from '../kit/names/label.ts'
import { actorsOf, type ResultProps } from './answer.ts'
import { formatSeconds } from './duration.ts'
import { changed } from './question.ts'
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

/** Steps of the whole, or of each value of a breakdown. */
export function FunnelResult({ title, question, answer, onOpen }: ResultProps) {
  const results: readonly (Step | readonly Step[])[] = answer.results
  const groups = results.some((each) => Array.isArray(each))
    ? (results as readonly (readonly Step[])[])
    : [results as readonly Step[]]
  const named = groups.map((steps) => {
    const value = breakdownOf(steps[0]?.breakdown_value)
    const name = value === undefined ? undefined : valueName(value, steps[0]?.breakdown_label)
    return { steps, value, name }
  })
  const labels = (groups[0] ?? []).map(labelOfStep)
  return (
    <FunnelChart
      title={title}
      steps={labels}
      groups={named.map(({ steps, name }) => ({
        name,
        counts: steps.map(({ count }) => count),
        notes: steps.map(noteOf),
      }))}
      onOpen={(group, step, who) => {
        const { value, name } = named[group] ?? {}
        const isReached = who === 'reached'
        const point = { funnelStep: isReached ? step + 1 : -(step + 1) }
        const label = `${step + 1}. ${labels[step]}${name === undefined ? '' : `, ${name}`}`
        onOpen({
          title: isReached ? label : `Dropped off before ${label}`,
          source: actorsOf(question, changed(point, { breakdown: value })),
        })
      }}
    />
  )
}

function labelOfStep({ custom_name, name }: Step): string {
  return custom_name ?? labelOf(name)
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
