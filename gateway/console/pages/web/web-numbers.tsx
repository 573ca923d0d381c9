import { labelOfBucket } from '../../../../src/core/charts/buckets.ts'
import type { TrendRow } from '../../../../src/core/charts/trends.ts'
import { LineChart } from '../../charts/line-chart.tsx'
import { type Answer, isAnswered } from '../../data/questions.ts'
import { earlierBy, intervalOf } from '../../data/ranges.ts'
import { Stat } from '../../kit/stat.tsx'
import { WEB_TEXTS as TEXTS } from './texts.ts'
import { type AskedWeb, type Figure, type FigureRow, figuresOf } from './web-questions.ts'

type WebNumbersProps = {
  readonly asked: AskedWeb
  readonly overview: object | undefined
  readonly trend: object | undefined
  /** The number of the chart. */
  readonly figure: Figure
  readonly onChoose: (key: string) => void
}

/** The numbers of the overview, and the chart of the one that is chosen. */
export function WebNumbers(props: WebNumbersProps) {
  const { asked, overview, trend, figure, onChoose } = props
  const rows: readonly FigureRow[] = isAnswered(overview) ? overview.results : []
  return (
    <section class="web-numbers" aria-label={TEXTS.title}>
      <div class="stats">
        {isAnswered(overview) ? (
          figuresOf(asked).map(({ key, label, format, isMoreGood }) => {
            const row = rows.find((each) => each.key === key)
            return (
              <Stat
                key={key}
                label={label}
                format={format}
                isMoreGood={isMoreGood}
                isChosen={key === figure.key}
                value={row?.value ?? 0}
                before={row?.previous ?? undefined}
                onChoose={() => onChoose(key)}
              />
            )
          })
        ) : (
          <p class="ranked-empty">{TEXTS.notAnswered}</p>
        )}
      </div>
      {isAnswered(trend) ? (
        <Chart asked={asked} figure={figure} rows={(trend as Answer<TrendRow>).results} />
      ) : (
        <p class="ranked-empty">{TEXTS.notAnswered}</p>
      )}
    </section>
  )
}

type ChartProps = Pick<WebNumbersProps, 'asked' | 'figure'> & {
  readonly rows: readonly TrendRow[]
}

function Chart({ asked, figure, rows: [now, before] }: ChartProps) {
  const interval = intervalOf(asked.date)
  const timesOf = (row: TrendRow) =>
    row.buckets.map((bucket) => labelOfBucket(bucket, interval, true))
  const labels = now?.buckets.map((bucket) => labelOfBucket(bucket, interval)) ?? []
  const lineOf = ({ data, incomplete_from }: TrendRow) => ({
    values: data.slice(0, labels.length),
    incompleteFrom: incomplete_from ?? undefined,
  })
  return (
    <LineChart
      title={figure.label}
      labelTitle={TEXTS.bucket}
      labels={labels}
      times={now && timesOf(now)}
      starts={now?.buckets}
      format={figure.format}
      series={[
        ...(now ? [{ ...lineOf(now), key: 'now', label: figure.label }] : []),
        // A line of zeros would suggest a comparison.
        ...(before?.data.some((value) => value > 0)
          ? [
              {
                ...lineOf(before),
                key: 'before',
                label: COMPARED[asked.compare] ?? earlierBy(asked.compare),
                earlier: { of: 0, times: timesOf(before) },
              },
            ]
          : []),
      ]}
    />
  )
}

const COMPARED: Readonly<Record<string, string>> = {
  before: TEXTS.before,
  '-7d': TEXTS.weekBefore,
  '-1y': TEXTS.yearBefore,
}
