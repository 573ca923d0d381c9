/** Answers a funnel question. */

import type { ProjectId } from '../../../core/ids.ts'
import { INSIGHT_FOLLOWED_EVENTS_MAX } from '../../../core/limits/limits.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { eventsByActor, pairsOf } from '../../../store/insights/actor-event-store.ts'
import type { FunnelQuestion, QuestionError } from '../question.ts'
import { everyEvent, type InsightReader, type Selected, within } from '../reader.ts'
import type { Range } from '../time/grid.ts'
import { inTurns } from '../turns.ts'
import { type FunnelRules, follow, type Way } from './fold.ts'

/** Members of one step of the answer. */
export type StepRow = Readonly<Record<string, unknown>>

const US_PER_MS = 1_000
const US_PER_S = 1_000_000

/** @param selected the steps in order, then the exclusions. */
export async function askFunnel(
  reader: InsightReader,
  project: ProjectId,
  question: FunnelQuestion,
  selected: readonly Selected[],
  range: Range,
): Promise<Result<readonly StepRow[], QuestionError>> {
  const { order, steps, windowMs, exclusions } = question
  const rules: FunnelRules = {
    order,
    steps: steps.length,
    window: windowMs * US_PER_MS,
    exclusions,
  }
  const read = within(everyEvent(project), range)
  const roles = selected.map(({ role }) => role)
  const isStrict = order === 'strict'
  const options = { keepsOthers: isStrict, eventsMax: INSIGHT_FOLLOWED_EVENTS_MAX }
  const actors = await reader.timed(read, () => eventsByActor(reader.db, read, roles, options))
  if (actors === 'too_many') return err(TOO_MANY)
  const ways: Way[] = []
  await inTurns(actors, (actor) => {
    const way = follow(
      pairsOf(actor).map(([at, mask]) => ({ at, mask })),
      rules,
    )
    if (way !== undefined) ways.push(way)
  })
  return ok(stepRows(question, ways, reader.nowMs))
}

const TOO_MANY: QuestionError = {
  code: 'invalid_input',
  detail: `The steps are more than ${INSIGHT_FOLLOWED_EVENTS_MAX} events: ask for a shorter range.`,
  attr: 'dateRange',
}

function stepRows(
  { steps, windowMs }: FunnelQuestion,
  ways: readonly Way[],
  nowMs: number,
): StepRow[] {
  const now = nowMs * US_PER_MS
  return steps.map(({ event, name, customName }, order) => {
    const reached = ways.filter(({ times }) => times.length > order)
    const stayed = reached.filter(({ times }) => times.length === order + 1)
    const open = stayed.filter(({ latestStart }) => latestStart + windowMs * US_PER_MS >= now)
    const seconds = secondsTo(reached, order)
    return {
      action_id: event,
      name: name ?? event ?? 'All events',
      custom_name: customName ?? null,
      order,
      people: [],
      count: reached.length,
      type: 'events',
      average_conversion_time: averageOf(seconds),
      median_conversion_time: medianOf(seconds),
      open_entrants: order === steps.length - 1 ? null : open.length,
    }
  })
}

/** Seconds from the step before, ascending; those of no time at all do not count. */
function secondsTo(reached: readonly Way[], order: number): readonly number[] {
  if (order === 0) return []
  return reached
    .map(({ times }) => ((times[order] ?? 0) - (times[order - 1] ?? 0)) / US_PER_S)
    .filter((seconds) => seconds > 0)
    .sort((a, b) => a - b)
}

function averageOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function medianOf(ascending: readonly number[]): number | null {
  if (ascending.length === 0) return null
  const middle = (ascending.length - 1) / 2
  const [low, high] = [ascending[Math.floor(middle)] ?? 0, ascending[Math.ceil(middle)] ?? 0]
  return (low + high) / 2
}
