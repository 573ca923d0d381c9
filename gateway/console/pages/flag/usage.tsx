import { BarChart } from '../../charts/bar-chart.tsx'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { ask } from '../../data/questions.ts'
import { labelOfBucket } from '../../data/ranges.ts'
import { useResource } from '../../data/resource.ts'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

const CHART_PX = 260
const DAYS = '-30d'

/** How often programs asked for the flag, by day and by what they got. */
export function Usage({ flagKey }: { readonly flagKey: string }) {
  const { id } = useProject()
  const calls = useResource(`flag-calls ${id} ${flagKey}`, (signal) =>
    ask(id, callsQuery(flagKey), signal),
  )
  return (
    <section class="flag-usage" aria-label={TEXTS.calls}>
      <p class="flag-note">{TEXTS.callsNote}</p>
      <Loaded
        of={calls}
        skeleton={<Skeleton height={CHART_PX} />}
        isEmpty={({ results }) => results.every(({ count }) => count === 0)}
        empty={<Empty title={TEXTS.noCalls}>{TEXTS.noCallsText}</Empty>}
      >
        {({ results }) => (
          <BarChart
            title={TEXTS.calls}
            labelTitle={TEXTS.day}
            labels={results[0]?.buckets.map((bucket) => labelOfBucket(bucket, 'day')) ?? []}
            format={formatNumber}
            height={CHART_PX}
            series={results.map(({ breakdown_value: value, data, incomplete_from: from }) => ({
              key: String(value),
              label: String(value),
              values: data,
              incompleteFrom: from ?? undefined,
            }))}
            isStacked
          />
        )}
      </Loaded>
    </section>
  )
}

function callsQuery(flagKey: string) {
  const isIt = { key: '$feature_flag', type: 'event', operator: 'exact', value: flagKey }
  return {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$feature_flag_called', properties: [isIt] }],
    dateRange: { date_from: DAYS },
    interval: 'day',
    breakdownFilter: { breakdown: '$feature_flag_response', breakdown_type: 'event' },
  }
}
