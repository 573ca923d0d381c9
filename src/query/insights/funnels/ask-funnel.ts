/** Answers a funnel question. */

import type { ProjectId } from '../../../core/ids.ts'
import {
  INSIGHT_FOLLOWED_EVENTS_MAX,
  INSIGHT_VALUES_MAX,
} from '../../../core/limits/limits-query.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorText } from '../../../event-store/actor-text.ts'
import {
  type ActorsRead,
  type EventRole,
  NO_VALUE,
  NO_VALUE_PLACE,
  OTHER_VALUE,
  OTHER_VALUE_PLACE,
} from '../../../event-store/insight-events.ts'
import type { FilterNode } from '../../../events/trees/filter.ts'
import { countStored } from '../../../store/answers/query-cache.ts'
import { allShown, shownAs } from '../breakdown-values.ts'
import { dayOf } from '../cache/answer-cache.ts'
import type { FunnelQuestion, QuestionError } from '../question.ts'
import { boundedGrid } from '../range.ts'
import { everyEvent, type InsightReader, type Selected, within } from '../reader.ts'
import type { Grid, Range } from '../time/grid.ts'
import type { Way } from './fold.ts'
import { type FollowOptions, followActors } from './follow-actors.ts'
import { entryRow, type FunnelRow, stepRows, timeRow } from './funnel-rows.ts'

export type FunnelAnswer = {
  /** Rows of steps or of buckets, or statistics of times; for each value with a breakdown. */
  readonly results: unknown
  /** Set with a breakdown: some values were too many to be shown by themselves. */
  readonly hasMore?: boolean
  /** Range that was read: a first week or month is extended to a whole one. */
  readonly range: Range
}

/** @param selected the steps in order, then the exclusions. */
export async function askFunnel(
  reader: InsightReader,
  project: ProjectId,
  question: FunnelQuestion,
  selected: readonly Selected[],
  asked: Range,
): Promise<Result<FunnelAnswer, QuestionError>> {
  const plan = await planFunnel(reader, project, question, selected, asked)
  if (!plan.ok) return plan
  const { grid, range } = plan.value
  const { breakdown } = question
  const read = await readFunnel(reader, project, question, selected, plan.value, UNNAMED)
  if (!read.ok) return read
  const chosen = await chooseShown(read.value, question, plan.value)
  if (!chosen.ok) return chosen
  const { shown } = chosen.value
  const ways = new Map<number, Way[]>()
  const how = { ...chosen.value, starts: startsOf(grid) }
  const failed = await visitWays(read.value, question, how, (way, value) => {
    const ofValue = ways.get(value)
    if (ofValue === undefined) ways.set(value, [way])
    else ofValue.push(way)
  })
  if (failed !== undefined) return err(failed)
  const answers = valuesOf(question, shown, ways).map(
    ([value, of]) => [value, rowsOf(question, of, grid, reader.nowMs)] as const,
  )
  const hasMore = breakdown && { hasMore: ways.has(OTHER_VALUE_PLACE) }
  return ok({ results: resultsOf(question, answers), ...hasMore, range })
}

/** Buckets by which entries are shown, microseconds since the epoch. */
export function startsOf(grid: Grid | undefined): readonly number[] | undefined {
  return grid?.starts.map((ms) => ms * 1_000)
}

const UNNAMED: ActorsRead = { isNamed: false }

export type FunnelPlan = {
  /** Buckets by which entries are shown, if any. */
  readonly grid: Grid | undefined
  /** Range to read: a first week or month is extended to a whole one. */
  readonly range: Range
  /** Values that may be shown by themselves, those with the most events first. */
  readonly candidates: readonly string[]
}

/** Values that are shown by themselves. */
export type ShownValues = {
  readonly shown: readonly string[]
  /** The place among them of a place among the candidates; undefined where it is the same. */
  readonly placeOf: ((place: number) => number) | undefined
}

/** @param selected the steps in order, then the exclusions. */
export async function planFunnel(
  reader: InsightReader,
  project: ProjectId,
  question: FunnelQuestion,
  selected: readonly Selected[],
  asked: Range,
): Promise<Result<FunnelPlan, QuestionError>> {
  const { shape, zone } = question
  const made = shape.kind === 'trends' && boundedGrid(asked, shape.interval, zone)
  if (made !== false && !made.ok) return made
  const grid = made === false ? undefined : made.value
  const range = grid?.range ?? asked
  const candidates = await candidateValues(reader, project, question, selected, range)
  return ok({ grid, range, candidates })
}

/** Events have the places of their values among the candidates. */
export async function readFunnel(
  reader: InsightReader,
  project: ProjectId,
  { order, breakdown, groups }: FunnelQuestion,
  selected: readonly Selected[],
  { range, candidates }: FunnelPlan,
  named: ActorsRead,
): Promise<Result<Iterable<ActorText>, QuestionError>> {
  const read = within(everyEvent(project), range)
  const roles = selected.map(({ role }) => role)
  const keepsOthers = order === 'strict'
  const names = keepsOthers ? [null] : roles.map(({ event }) => event)
  const eventsMax = INSIGHT_FOLLOWED_EVENTS_MAX
  // An actor's events are there once for each of its cohorts.
  const isOnce = breakdown?.source.kind !== 'cohorts'
  const isBounded = isOnce && (await storedEvents(reader, project, names, range)) <= eventsMax
  const options = {
    ...named,
    groups,
    keepsOthers,
    eventsMax,
    isBounded,
    breakdown: breakdown && { source: breakdown.source, shown: candidates },
  }
  const actors = await reader.events.eventsByActor(read, roles, options)
  return actors === 'too_many' ? err(TOO_MANY) : ok(actors)
}

/** Events of these names, null for all, on the days of UTC that a range touches. */
async function storedEvents(
  reader: InsightReader,
  project: ProjectId,
  names: readonly (string | null)[],
  { fromMs, untilMs }: Range,
): Promise<number> {
  const days = { first: dayOf(fromMs), last: dayOf(untilMs - 1) }
  const some = names.flatMap((name) => name ?? [])
  const asked = some.length < names.length ? null : some
  return await reader.timed(everyEvent(project), () => countStored(reader.db, project, asked, days))
}

/** Chooses the first candidates that an actor enters with, up to the number of shown values. */
export async function chooseShown(
  actors: Iterable<ActorText>,
  question: FunnelQuestion,
  { candidates, grid }: FunnelPlan,
): Promise<Result<ShownValues, QuestionError>> {
  const all: ShownValues = { shown: candidates, placeOf: undefined }
  const { breakdown } = question
  if (breakdown === undefined || isAskedByName(breakdown)) return ok(all)
  if (candidates.length <= breakdown.limit) return ok(all)
  const entered = new Set<number>()
  const failed = await visitWays(actors, question, { starts: startsOf(grid) }, (_, value) =>
    entered.add(value),
  )
  if (failed !== undefined) return err(failed)
  const places = new Map<number, number>([[NO_VALUE_PLACE, NO_VALUE_PLACE]])
  const shown: string[] = []
  for (const [index, value] of candidates.entries()) {
    if (!entered.has(index + 1) || shown.length === breakdown.limit) continue
    shown.push(value)
    places.set(index + 1, shown.length)
  }
  return ok({ shown, placeOf: (place) => places.get(place) ?? OTHER_VALUE_PLACE })
}

/** Cohorts have rows even without members, because the question names them. */
function isAskedByName({ source }: NonNullable<FunnelQuestion['breakdown']>): boolean {
  return source.kind === 'cohorts'
}

/**
 * Calls `visit` with each way of the actors and the place of the value that it counts for: see
 * `followActors`.
 * @returns why it could not be done.
 */
export async function visitWays(
  actors: Iterable<ActorText>,
  question: FunnelQuestion,
  { starts, placeOf }: Omit<FollowOptions, 'timesMax'>,
  visit: (way: Way, value: number, actor: ActorText) => void,
): Promise<QuestionError | undefined> {
  const followed = await followActors(actors, question, visit, { starts, placeOf })
  if (followed === 'done') return undefined
  return question.breakdown === undefined ? TOO_MANY_ENTRIES : TOO_MANY_VALUES
}

/**
 * Values with the most events that are a step, counting each event once. They are more than may be
 * shown, because some have no actor that enters.
 */
async function candidateValues(
  reader: InsightReader,
  project: ProjectId,
  { breakdown, steps }: FunnelQuestion,
  selected: readonly Selected[],
  range: Range,
): Promise<readonly string[]> {
  if (breakdown === undefined) return []
  const roles = selected.slice(0, steps.length).map(({ role }) => role)
  const needsPerson = roles.some((role) => role.needsPerson)
  const read = { ...within(everyEvent(project), range), where: anyOf(roles), needsPerson }
  const { source } = breakdown
  const top = await reader.events.topValues(read, source, INSIGHT_VALUES_MAX)
  return allShown(
    source,
    top.map(({ value }) => value),
  )
}

/** The events that have one of the roles. */
function anyOf(roles: readonly EventRole[]): FilterNode {
  const nodes = roles.map(({ event, where }): FilterNode => {
    const name = event === null ? [] : [{ kind: 'named', event } as const]
    return { kind: 'and', nodes: where === undefined ? name : [...name, where] }
  })
  return { kind: 'or', nodes }
}

const TOO_MANY: QuestionError = {
  code: 'invalid_input',
  detail: `The steps are more than ${INSIGHT_FOLLOWED_EVENTS_MAX} events: ask for a shorter range.`,
  attr: 'dateRange',
}
const TOO_MANY_ENTRIES: QuestionError = {
  code: 'invalid_input',
  detail:
    'Actors enter in too many buckets each: ask for a longer interval, or for a shorter range.',
  attr: 'interval',
}
const TOO_MANY_VALUES: QuestionError = {
  code: 'invalid_input',
  detail: 'Actors have too many values each: ask for fewer, or for a shorter range.',
  attr: 'breakdownFilter.breakdown_limit',
}

/**
 * Values that are shown by themselves, then none, then all others. A value that no actor enters
 * with is left out, unless `isShownAlways`.
 */
function valuesOf(
  { breakdown }: FunnelQuestion,
  shown: readonly string[],
  ways: ReadonlyMap<number, readonly Way[]>,
): readonly (readonly [string, readonly Way[]])[] {
  const places = new Map(shown.map((value, index) => [index + 1, value]))
  places.set(NO_VALUE_PLACE, NO_VALUE).set(OTHER_VALUE_PLACE, OTHER_VALUE)
  const isThere = (place: number) => ways.has(place) || isShownAlways(breakdown, place)
  return [...places]
    .filter(([place]) => isThere(place))
    .map(([place, value]) => [value, ways.get(place) ?? []] as const)
}

/** Whether a row is there although nobody enters. */
export function isShownAlways(breakdown: FunnelQuestion['breakdown'], place: number): boolean {
  if (breakdown === undefined) return place === NO_VALUE_PLACE
  return isAskedByName(breakdown) && place > NO_VALUE_PLACE
}

/** The rows of steps stay lists of their own; otherwise a value has one row. */
function resultsOf(
  { breakdown, shape }: FunnelQuestion,
  answers: readonly (readonly [string, readonly FunnelRow[]])[],
): unknown {
  if (breakdown === undefined) {
    const rows = answers.flatMap(([, each]) => each)
    return shape.kind === 'time_to_convert' ? rows[0] : rows
  }
  const lists = answers.map(([value, rows]) =>
    rows.map((row) => {
      const shown = shownAs(breakdown.source, value)
      return { ...row, breakdown: shown.breakdown_value, ...shown }
    }),
  )
  return shape.kind === 'steps' ? lists : lists.flat()
}

function rowsOf(
  question: FunnelQuestion,
  ways: readonly Way[],
  grid: Grid | undefined,
  nowMs: number,
): readonly FunnelRow[] {
  const { shape } = question
  switch (shape.kind) {
    case 'steps':
      return stepRows(question, ways, nowMs)
    case 'time_to_convert':
      return [timeRow(ways, shape.from, shape.to)]
    case 'trends':
      return grid === undefined ? [] : [entryRow(ways, shape, grid, nowMs)]
    default:
      return shape satisfies never
  }
}
