import { useState } from 'preact/hooks'
import { labelOfBucket } from '../../../../src/core/charts/buckets.ts'
import type { Series } from '../../../../src/core/charts/series.ts'
import type { TrendRow } from '../../../../src/core/charts/trends.ts'
import type { JsonObject } from '../../../client/index.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { type Answer, isAnswered } from '../../data/questions.ts'
import { intervalOf } from '../../data/ranges.ts'
import { useQueryState } from '../../data/url.ts'
import { later } from '../../kit/later.tsx'
import { Stat } from '../../kit/stat.tsx'
import { type AskedOverview, METRICS, numbersQuery } from './overview-questions.ts'
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts'

const ActorsDrawer = later(
  async () => (await import('../../kit/drawers/actors-drawer.tsx')).ActorsDrawer,
)

type NumbersProps = {
  readonly asked: AskedOverview
  readonly answer: object | undefined
  readonly active: object | undefined
}

type Opened = {
  readonly title: string
  readonly day: string
  readonly side: TrendRow['compare_label']
}

/** Five numbers, and the chart of the one that is chosen. */
export function Numbers({ asked, answer, active }: NumbersProps) {
  const { id } = useProject()
  const [metric, setMetric] = useQueryState('show', METRICS[0].key)
  const [opened, setOpened] = useState<Opened>()
  if (!isAnswered(answer)) return <p>{TEXTS.notAnswered}</p>
  const rows = (answer as Answer<TrendRow>).results
  const at = Math.max(
    0,
    METRICS.findIndex(({ key }) => key === metric),
  )
  const [now, earlier] = rowsOf(rows, at)
  // A line of zeros would suggest a comparison.
  const before = hasEarlier(rows) ? earlier : undefined
  const interval = intervalOf(asked.date)
  const labels = now?.buckets.map((bucket) => labelOfBucket(bucket, interval)) ?? []
  const name = METRICS[at]?.label ?? ''
  const open = (series: number, index: number) => {
    const row = series === 0 ? now : before
    const day = (interval === 'hour' ? row?.buckets : row?.days)?.[index]
    if (row === undefined || day === undefined) return
    setOpened({ day, title: `${name}, ${timesOf(asked, row)[index]}`, side: row.compare_label })
  }
  return (
    <section class="overview-numbers" aria-label={TEXTS.title}>
      <div class="stats">
        <Stat label={TEXTS.now} value={activeOf(active)} href={`/project/${id}/live`} />
        {METRICS.map(({ key, label }, index) => {
          const [current, last] = rowsOf(rows, index)
          return (
            <Stat
              key={key}
              label={label}
              value={current?.aggregated_value ?? 0}
              before={hasEarlier(rows) ? last?.aggregated_value : undefined}
              isChosen={index === at}
              onChoose={() => setMetric(key, { replace: true })}
            />
          )
        })}
      </div>
      <LineChart
        title={name}
        labelTitle={TEXTS.bucket}
        labels={labels}
        times={now && timesOf(asked, now)}
        starts={now?.buckets}
        format={formatNumber}
        series={[
          ...(now ? [{ ...lineOf(now, labels.length), label: name }] : []),
          ...(before ? [{ ...lineOf(before, labels.length), ...beside(asked, before) }] : []),
        ]}
        onOpen={open}
      />
      {opened !== undefined && (
        <ActorsDrawer
          title={opened.title}
          source={actorsOf(numbersQuery(asked), at, opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

/** Row of a series, and its row of the previous range. */
function rowsOf(rows: readonly TrendRow[], series: number): readonly (TrendRow | undefined)[] {
  return [rows[series], rows[series + METRICS.length]]
}

/** Whether the previous range has any events. */
function hasEarlier(rows: readonly TrendRow[]): boolean {
  return rows.slice(METRICS.length).some(({ data }) => data.some((value) => value > 0))
}

function activeOf(answer: object | undefined): number {
  if (!isAnswered(answer)) return 0
  const rows: readonly (readonly unknown[])[] = answer.results
  return Number(rows[0]?.[0] ?? 0)
}

function lineOf({ data, incomplete_from, compare_label }: TrendRow, count: number) {
  const incompleteFrom = incomplete_from ?? undefined
  return { key: String(compare_label), values: data.slice(0, count), incompleteFrom }
}

/** Style of the line of an earlier range. */
function beside(asked: AskedOverview, row: TrendRow): Pick<Series, 'label' | 'earlier'> {
  const label = asked.compare === '' ? TEXTS.before : TEXTS.weekBefore
  return { label, earlier: { of: 0, times: timesOf(asked, row) } }
}

function timesOf({ date }: AskedOverview, { buckets }: TrendRow): readonly string[] {
  return buckets.map((each) => labelOfBucket(each, intervalOf(date), true))
}

function actorsOf(source: JsonObject, series: number, { day, side }: Opened) {
  const compared = side === undefined ? {} : { compare: side }
  return { kind: 'InsightActorsQuery', source, series, day, ...compared }
}
