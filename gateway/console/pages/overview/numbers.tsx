import { useState } from 'preact/hooks'
import { LineChart } from '../../charts/line-chart.tsx'
import { formatNumber } from '../../data/format.ts'
import { useProject } from '../../data/projects.ts'
import { type Answer, isAnswered, type TrendRow } from '../../data/questions.ts'
import { intervalOf, labelOfBucket } from '../../data/ranges.ts'
import { useQueryState } from '../../data/url.ts'
import type { PropertyFilter } from '../../kit/filters/filter.ts'
import { later } from '../../kit/later.tsx'
import { Stat } from '../../kit/stat.tsx'
import { METRICS, numbersQuery } from './overview-questions.ts'
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts'

const ActorsDrawer = later(
  async () => (await import('../../kit/drawers/actors-drawer.tsx')).ActorsDrawer,
)

type NumbersProps = {
  readonly date: string
  readonly filters: readonly PropertyFilter[]
  readonly answer: object | undefined
  readonly active: object | undefined
}

type Opened = { readonly title: string; readonly day: string }

/** Five numbers, and the chart of the one that is chosen. */
export function Numbers({ date, filters, answer, active }: NumbersProps) {
  const { id } = useProject()
  const [metric, setMetric] = useQueryState('show', METRICS[0].key)
  const [opened, setOpened] = useState<Opened>()
  if (!isAnswered(answer)) return <p role="alert">{TEXTS.notAnswered}</p>
  const rows = (answer as Answer<TrendRow>).results
  const at = Math.max(
    0,
    METRICS.findIndex(({ key }) => key === metric),
  )
  const [now, earlier] = rowsOf(rows, at)
  // A line of nothing but zeros would say that it was compared.
  const before = hasEarlier(rows) ? earlier : undefined
  const interval = intervalOf(date)
  const labels = now?.buckets.map((bucket) => labelOfBucket(bucket, interval)) ?? []
  const name = METRICS[at]?.label ?? ''
  const open = (_series: number, index: number) => {
    const day = interval === 'hour' ? now?.buckets[index] : now?.days[index]
    if (day !== undefined) setOpened({ day, title: `${name}, ${labels[index]}` })
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
        format={formatNumber}
        series={[now, before].flatMap((row, index) =>
          row === undefined
            ? []
            : [
                {
                  key: String(index),
                  label: index === 0 ? name : TEXTS.before,
                  values: row.data.slice(0, labels.length),
                  incompleteFrom: row.incomplete_from ?? undefined,
                  isEarlier: index === 1,
                },
              ],
        )}
        onOpen={open}
      />
      {opened !== undefined && (
        <ActorsDrawer
          title={opened.title}
          source={actorsOf(numbersQuery(date, filters), at, opened.day, earlier !== undefined)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

/** The row of a series, and the one of the range before. */
function rowsOf(rows: readonly TrendRow[], series: number): readonly (TrendRow | undefined)[] {
  return [rows[series], rows[series + METRICS.length]]
}

/** Whether anything at all happened in the range before. */
function hasEarlier(rows: readonly TrendRow[]): boolean {
  return rows.slice(METRICS.length).some(({ data }) => data.some((value) => value > 0))
}

function activeOf(answer: object | undefined): number {
  if (!isAnswered(answer)) return 0
  const rows: readonly (readonly unknown[])[] = answer.results
  return Number(rows[0]?.[0] ?? 0)
}

function actorsOf(
  source: ReturnType<typeof numbersQuery>,
  series: number,
  day: string,
  compares: boolean,
) {
  const side = compares ? { compare: 'current' } : {}
  return { kind: 'InsightActorsQuery', source, series, day, ...side }
}
