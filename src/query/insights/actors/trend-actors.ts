/** The actors behind a number of a trends answer. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey } from '../../../event-store/actor-text.ts'
import type { EventSelection } from '../../../event-store/event-selection.ts'
import {
  type ActorPage,
  NO_VALUE,
  OTHER_VALUE,
  type TrendNumber,
} from '../../../event-store/insight-events.ts'
import type { NumberOfTrends, QuestionError } from '../question.ts'
import type { InsightReader, Selected } from '../reader.ts'
import type { Grid } from '../time/grid.ts'
import { askTrends, oneBucket, planTrends, type TrendPlan } from '../trends/ask-trends.ts'
import { behindBucket } from '../trends/count-series.ts'
import { valuesOf } from '../trends/trend-rows.ts'
import { inSource, notInAnswer, placeOfDay } from './pages.ts'

export async function trendActors(
  reader: InsightReader,
  project: ProjectId,
  number: NumberOfTrends,
  selected: readonly Selected[],
  page: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  const { source } = number
  const selections = selected.map(({ selection }) => selection)
  const plan = await planTrends(reader, source, selections)
  if (!plan.ok) return err(inSource(plan.error))
  const bucket = bucketOf(plan.value, number)
  if (!bucket.ok) return bucket
  const series = seriesOf(number)
  const numbers: TrendNumber[] = []
  for (const index of series) {
    const one = source.series[index]
    const selection = selections[index]
    if (one === undefined || selection === undefined || bucket.value === undefined) continue
    const { grid, place } = bucket.value
    const { read, measure, edges } = behindBucket(selection, one.maths, grid, place)
    const parts = { edges, breakdown: plan.value.breakdowns[index] }
    numbers.push({ selection: read, measure, parts, value: number.breakdown ?? '' })
  }
  const isEmpty = numbers.length === 0
  const actors = isEmpty ? [] : await reader.events.actorsBehind(project, numbers, page)
  if (actors.length === 0 && !(await isShown(reader, number, selections, plan.value))) {
    return err(notInAnswer('breakdown'))
  }
  return ok(actors)
}

function seriesOf({ series, source }: NumberOfTrends): readonly number[] {
  return series === undefined ? source.series.map((_, index) => index) : [series]
}

/** Undefined for the whole of a range without a bucket. */
function bucketOf(
  { current, previous }: TrendPlan,
  { day, period }: NumberOfTrends,
): Result<{ readonly grid: Grid; readonly place: number } | undefined, QuestionError> {
  const grid = period === 'previous' ? previous : current
  if (grid === undefined) return ok(undefined)
  if (day === undefined) {
    return ok(grid.starts.length === 0 ? undefined : { grid: oneBucket(grid), place: 0 })
  }
  const place = placeOfDay(grid, day)
  return place.ok ? ok({ grid, place: place.value }) : place
}

/** True when the answer has rows of the value. */
async function isShown(
  reader: InsightReader,
  number: NumberOfTrends,
  selections: readonly EventSelection[],
  plan: TrendPlan,
): Promise<boolean> {
  const { breakdown } = number
  if (breakdown === undefined) return true
  const series = seriesOf(number)
  const shown = plan.shown?.[series[0] ?? 0] ?? []
  if (shown.includes(breakdown)) return true
  if (breakdown !== NO_VALUE && breakdown !== OTHER_VALUE) return false
  const trends = await askTrends(reader, number.source, selections, plan)
  return valuesOf(trends, series, shown).includes(breakdown)
}
