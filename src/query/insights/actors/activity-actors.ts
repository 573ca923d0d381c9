/** The actors behind a number of a stickiness or lifecycle answer. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey } from '../../../event-store/actor-text.ts'
import type { ActorPage } from '../../../event-store/insight-events.ts'
import { lengthOf, readLifecycle, readStickiness, statusesOf } from '../activity/ask-activity.ts'
import type { NumberAsked, QuestionError } from '../question.ts'
import { boundedGrid, readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import type { Grid } from '../time/grid.ts'
import { inSource, notInAnswer, pageOf, placeOfDay } from './pages.ts'

type NumberOfActivity = Extract<NumberAsked, { kind: 'stickiness' | 'lifecycle' }>
const NAMED = { isNamed: true }

export async function activityActors(
  reader: InsightReader,
  project: ProjectId,
  number: NumberOfActivity,
  selected: readonly Selected[],
  page: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  const grid = await gridOf(reader, number, selected)
  if (!grid.ok) return err(inSource(grid.error))
  if (number.kind === 'stickiness') {
    const { series, length } = number
    if (length > grid.value.starts.length) return err(notInAnswer('day'))
    const own = selected[series]
    const actors = await readStickiness(reader, project, own, grid.value, NAMED)
    return ok(await pageOf(actors, (actor) => lengthOf(actor) === length, page))
  }
  const { day, status } = number
  const place = placeOfDay(grid.value, day)
  if (!place.ok) return place
  const actors = await readLifecycle(reader, project, selected[0], grid.value, NAMED)
  const isBehind = (actor: (typeof actors)[number]) =>
    statusesOf(actor).some((each) => each.place === place.value && each.status === status)
  return ok(await pageOf(actors, isBehind, page))
}

async function gridOf(
  reader: InsightReader,
  { source }: NumberOfActivity,
  selected: readonly Selected[],
): Promise<Result<Grid, QuestionError>> {
  const selections = selected.map(({ selection }) => selection)
  const range = await readRangeOf(reader, source, selections)
  return range.ok ? boundedGrid(range.value, source.interval, source.zone) : range
}
