/** The actors behind a number of a funnel. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey, ActorText } from '../../../event-store/actor-text.ts'
import {
  type ActorPage,
  NO_VALUE,
  NO_VALUE_PLACE,
  OTHER_VALUE,
  OTHER_VALUE_PLACE,
} from '../../../event-store/insight-events.ts'
import {
  chooseShown,
  type FunnelPlan,
  isShownAlways,
  planFunnel,
  readFunnel,
  type ShownValues,
  startsOf,
  visitWays,
} from '../funnels/ask-funnel.ts'
import type { Way } from '../funnels/fold.ts'
import {
  binOf,
  binsOf,
  bucketOfWay,
  hasReached,
  isOpen,
  secondsBetween,
  secondsOf,
} from '../funnels/funnel-rows.ts'
import type { NumberOfFunnel, QuestionError } from '../question.ts'
import { readRangeOf } from '../range.ts'
import type { InsightReader, Selected } from '../reader.ts'
import { inSource, keyOf, notInAnswer, placeOfDay } from './pages.ts'

const NAMED = { isNamed: true }

type Taken = { readonly way: Way; readonly actor: ActorText }

export async function funnelActors(
  reader: InsightReader,
  project: ProjectId,
  number: NumberOfFunnel,
  selected: readonly Selected[],
  { limit, offset }: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  const { source } = number
  const selections = selected.map(({ selection }) => selection)
  const range = await readRangeOf(reader, source, selections)
  if (!range.ok) return err(inSource(range.error))
  const plan = await planFunnel(reader, project, source, selected, range.value)
  if (!plan.ok) return err(inSource(plan.error))
  const actors = await readFunnel(reader, project, source, selected, plan.value, NAMED)
  if (!actors.ok) return err(inSource(actors.error))
  const chosen = await chooseShown(actors.value, source, plan.value)
  if (!chosen.ok) return err(inSource(chosen.error))
  const place = placeOfValue(number, chosen.value)
  if (place === undefined) return err(notInAnswer('breakdown'))
  const taken: Taken[] = []
  // Without a day an actor counts once, however often it entered.
  const isOfDay = number.of.kind !== 'bin' && number.of.day !== undefined
  const how = { ...chosen.value, starts: isOfDay ? startsOf(plan.value.grid) : undefined }
  const failed = await visitWays(actors.value, source, how, (way, value, actor) => {
    if (value === place) taken.push({ way, actor })
  })
  if (failed !== undefined) return err(inSource(failed))
  const isThere = taken.length > 0 || isShownAlways(source.breakdown, place)
  if (!isThere) return err(notInAnswer('breakdown'))
  const test = testOf(number, plan.value, taken, reader.nowMs)
  if (!test.ok) return test
  const behind = taken.filter(({ way }) => test.value(way)).slice(offset, offset + limit)
  return ok(behind.map(({ actor }) => keyOf(actor, source.groups)))
}

/** Undefined for a value that cannot be in the answer. */
function placeOfValue({ breakdown }: NumberOfFunnel, { shown }: ShownValues): number | undefined {
  if (breakdown === undefined) return NO_VALUE_PLACE
  const index = shown.indexOf(breakdown)
  if (index !== -1) return index + 1
  if (breakdown === NO_VALUE) return NO_VALUE_PLACE
  return breakdown === OTHER_VALUE ? OTHER_VALUE_PLACE : undefined
}

/** Whether a way counts in the number. */
function testOf(
  { of, source }: NumberOfFunnel,
  { grid }: FunnelPlan,
  taken: readonly Taken[],
  nowMs: number,
): Result<(way: Way) => boolean, QuestionError> {
  if (of.kind === 'bin') return inBin(source, of.seconds, taken)
  const { kind, step } = of
  const counts = (way: Way) => {
    if (kind === 'open') return isOpen(way, step, source.windowMs, nowMs)
    return hasReached(way, step) && (kind === 'reached' || !hasReached(way, step + 1))
  }
  if (of.day === undefined || grid === undefined) return ok(counts)
  const place = placeOfDay(grid, of.day)
  if (!place.ok) return place
  return ok((way) => bucketOfWay(grid, way) === place.value && counts(way))
}

function inBin(
  { shape }: NumberOfFunnel['source'],
  start: number,
  taken: readonly Taken[],
): Result<(way: Way) => boolean, QuestionError> {
  if (shape.kind !== 'time_to_convert') return err(notInAnswer('day'))
  const { from, to } = shape
  const ways = taken.map(({ way }) => way)
  const starts = binsOf(secondsBetween(ways, from, to))
  const bin = starts.indexOf(start)
  if (bin === -1) return err(notInAnswer('day'))
  return ok((way) => {
    const seconds = secondsOf(way, from, to)
    return seconds > 0 && binOf(starts, seconds) === bin
  })
}
