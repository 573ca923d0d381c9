import { labelOfBucket } from '../../../../src/core/charts/buckets.ts'
import { type FlagUsageValue, getFlagUsage } from '../../../client/index.ts'
import { BarChart } from '../../charts/bar-chart.tsx'
import { Spark } from '../../charts/spark.tsx'
import { client } from '../../data/client.ts'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { useResource } from '../../data/resource.ts'
import { Empty } from '../../kit/empty.tsx'
import { Loaded } from '../../kit/loaded.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Time } from '../../kit/time.tsx'
import { FLAG_TEXTS as TEXTS } from './texts.ts'

const CHART_PX = 260
const DAYS = 30

type UsageProps = {
  readonly flagId: number
  /** Version of the flag: the usage depends on whether it is on, and for whom. */
  readonly version: number
}

/** Calls of the flag by day and by value. */
export function Usage({ flagId, version }: UsageProps) {
  const { id } = useProject()
  const usage = useResource(`flag-calls ${id} ${flagId} ${version}`, (signal) =>
    getFlagUsage(client, { project_id: id, id: flagId, days: DAYS }, { signal }),
  )
  return (
    <section class="flag-usage" aria-label={TEXTS.calls}>
      <p class="flag-note">{TEXTS.callsNote}</p>
      <Loaded
        of={usage}
        skeleton={<Skeleton height={CHART_PX} />}
        isEmpty={({ values }) => values.length === 0}
        empty={<Empty title={TEXTS.noCalls}>{usage.data?.reason ?? TEXTS.noCallsText}</Empty>}
      >
        {({ values, days, reason }) => (
          <>
            <p class="flag-why">{reason}</p>
            <ul class="flag-called">
              {values.map((each) => (
                <Value key={each.value} {...each} />
              ))}
            </ul>
            <BarChart
              title={TEXTS.calls}
              labelTitle={TEXTS.day}
              labels={days.map((day) => labelOfBucket(day, 'day'))}
              starts={days}
              format={formatNumber}
              height={CHART_PX}
              series={values.map(({ value, data }) => ({
                key: String(value),
                label: nameOf(value),
                values: data,
                // The last day is today, which is not over.
                incompleteFrom: days.length - 1,
              }))}
              isStacked
            />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Value({ value, count, data, last_called_at: last }: FlagUsageValue) {
  const name = nameOf(value)
  return (
    <li>
      {value === null ? <span>{name}</span> : <code>{name}</code>}
      <Spark label={`${name} by day, today ${formatNumber(data.at(-1) ?? 0)}`} values={data} />
      <span class="figure">{formatNumber(count)}</span>
      <span class="flag-note">
        {TEXTS.lastCall} <Time value={last} as="ago" />
      </span>
    </li>
  )
}

function nameOf(value: string | null): string {
  return value ?? TEXTS.otherValues
}
