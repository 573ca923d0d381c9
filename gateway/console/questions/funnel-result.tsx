import { formatSeconds } from '../../../src/core/charts/duration.ts'
import { type FunnelStep, funnelGroups, labelOfStep } from '../../../src/core/charts/funnel.ts'
import { FunnelChart } from '../charts/funnel-chart.tsx'
import { formatNumber } from '../data/format.ts'
import { actorsOf, type ResultProps } from './answer.ts'
import { changed } from './question.ts'
import { RESULT_TEXTS as TEXTS } from './texts.ts'

/** Steps of the whole, or of each value of a breakdown. */
export function FunnelResult({ title, question, answer, onOpen }: ResultProps) {
  const groups = funnelGroups(answer.results)
  const labels = (groups[0]?.steps ?? []).map(labelOfStep)
  return (
    <FunnelChart
      title={title}
      steps={labels}
      groups={groups.map(({ steps, name }) => ({
        name,
        counts: steps.map(({ count }) => count),
        notes: steps.map(noteOf),
      }))}
      onOpen={
        onOpen &&
        ((group, step, who) => {
          const { value, name } = groups[group] ?? {}
          const isReached = who === 'reached'
          const point = { funnelStep: isReached ? step + 1 : -(step + 1) }
          const label = `${step + 1}. ${labels[step]}${name === undefined ? '' : `, ${name}`}`
          onOpen({
            title: isReached ? label : `Dropped off before ${label}`,
            source: actorsOf(question, changed(point, { breakdown: value })),
          })
        })
      }
    />
  )
}

function noteOf({
  average_conversion_time: time,
  open_entrants: open,
}: FunnelStep): string | undefined {
  const parts = [
    ...(time === null ? [] : [`${formatSeconds(time)} ${TEXTS.stepTime}`]),
    ...(open === null || open === 0 ? [] : [`${formatNumber(open)} ${TEXTS.open}`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' · ')
}
