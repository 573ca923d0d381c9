/** Answers which persons or groups are behind a data point. */
import type { ProjectId } from '../../../core/ids.ts'
import { parseExact } from '../../../core/json-text/exact-numbers.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey } from '../../../event-store/actor-text.ts'
import type { ActorPage } from '../../../event-store/insight-events.ts'
import {
  showGroups,
  showPersons,
} from '../../../event-store/postgres/persons/shown-persons-store.ts'
import { lengthOf, readLifecycle, readStickiness, statusesOf } from '../activity/ask-activity.ts'
import type { ActorsQuestion, NumberAsked, QuestionError } from '../question.ts'
import { boundedGrid, readRangeOf } from '../range.ts'
import { everyEvent, type InsightReader, type Selected } from '../reader.ts'
import {
  gridOfIntervals,
  hasBegun,
  readRetention,
  visitReturns,
} from '../retention/ask-retention.ts'
import type { Grid } from '../time/grid.ts'
import { funnelActors } from './funnel-actors.ts'
import { inSource, notInAnswer, pageOf, placeOfDay } from './pages.ts'
import { pathActors } from './path-actors.ts'
import { trendActors } from './trend-actors.ts'

const NAMED = { isNamed: true }

/** Properties and distinct ids of the persons on a page of actors. */
const INSIGHT_ACTORS_BYTES_MAX = 4_194_304
/** Distinct ids that are shown of one person. */
const INSIGHT_ACTOR_IDS_MAX = 1_000

/** A row of the answer: one actor. */
type ActorRow = readonly [ShownActor]

type ShownActor = {
  /** UUID of the person, or key of the group; null for an actor without a person. */
  readonly id: string | null
  /** None of a group. */
  readonly distinct_ids: readonly string[]
  readonly properties: unknown
  /** ISO 8601, UTC; null for an actor without a person, and a group that only events know. */
  readonly created_at: string | null
  /** Set for groups only. */
  readonly type?: 'group'
  readonly group_key?: string
  readonly group_type_index?: number
}

export type ActorsAnswer = {
  readonly results: readonly ActorRow[]
  readonly hasMore: boolean
  readonly limit: number
  readonly offset: number
}

/** @param selected the events that the source names, in its order. */
export async function askActors(
  reader: InsightReader,
  project: ProjectId,
  { number, limit, offset }: ActorsQuestion,
  selected: readonly Selected[],
): Promise<Result<ActorsAnswer, QuestionError>> {
  // One more than is shown, to know whether there are more.
  const found = await keysOf(reader, project, number, selected, { limit: limit + 1, offset })
  if (!found.ok) return found
  const results = await shown(reader, project, found.value.slice(0, limit))
  if (results === 'too_large') return err(TOO_LARGE)
  return ok({ results, hasMore: found.value.length > limit, limit, offset })
}

const TOO_LARGE: QuestionError = {
  code: 'invalid_input',
  detail: `The page has more than ${INSIGHT_ACTORS_BYTES_MAX / 1_048_576} MiB: ask for fewer.`,
  attr: 'limit',
}

async function keysOf(
  reader: InsightReader,
  project: ProjectId,
  number: NumberAsked,
  selected: readonly Selected[],
  page: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  switch (number.kind) {
    case 'trends':
      return await trendActors(reader, project, number, selected, page)
    case 'funnel':
      return await funnelActors(reader, project, number, selected, page)
    case 'paths':
      return await pathActors(reader, number, selected, page)
    case 'retention':
      return await retentionActors(reader, project, number, selected, page)
    case 'stickiness':
    case 'lifecycle':
      return await activityActors(reader, project, number, selected, page)
    default:
      return number satisfies never
  }
}

async function shown(
  reader: InsightReader,
  project: ProjectId,
  keys: readonly ActorKey[],
): Promise<readonly ActorRow[] | 'too_large'> {
  const shownBy = new Map<ActorKey, ShownActor>()
  for (const index of new Set(keys.map(({ group }) => group ?? null))) {
    const own = keys.filter(({ group }) => (group ?? null) === index)
    const read =
      index === null
        ? await personsOf(reader, project, own)
        : await groupsOf(reader, project, index, own)
    if (read === 'too_large') return read
    for (const [key, actor] of read) shownBy.set(key, actor)
  }
  return keys.flatMap((key): ActorRow[] => {
    const actor = shownBy.get(key)
    return actor === undefined ? [] : [[actor]]
  })
}

type Shown = readonly (readonly [ActorKey, ShownActor])[]

async function personsOf(
  reader: InsightReader,
  project: ProjectId,
  keys: readonly ActorKey[],
): Promise<Shown | 'too_large'> {
  const numbers = keys.flatMap(({ person }) => (person === null ? [] : [person]))
  const bounds = { idsMax: INSIGHT_ACTOR_IDS_MAX, bytesMax: INSIGHT_ACTORS_BYTES_MAX }
  const persons = await reader.timed(everyEvent(project), () =>
    showPersons(reader.db, project, numbers, bounds),
  )
  if (persons === 'too_large') return persons
  const byNumber = new Map(persons.map((each) => [each.person, each]))
  return keys.map((key) => {
    const own = key.person === null ? undefined : byNumber.get(key.person)
    const actor = {
      id: own?.uuid ?? null,
      distinct_ids: own?.distinctIds ?? (key.lone === null ? [] : [key.lone]),
      properties: own === undefined ? {} : parseExact(own.properties),
      created_at: own?.createdAt ?? null,
    }
    return [key, actor] as const
  })
}

async function groupsOf(
  reader: InsightReader,
  project: ProjectId,
  index: number,
  keys: readonly ActorKey[],
): Promise<Shown | 'too_large'> {
  const asked = { index, keys: keys.flatMap(({ lone }) => lone ?? []) }
  const groups = await reader.timed(everyEvent(project), () =>
    showGroups(reader.db, project, asked, INSIGHT_ACTORS_BYTES_MAX),
  )
  if (groups === 'too_large') return groups
  const byKey = new Map(groups.map((each) => [each.key, each]))
  return keys.map((key) => {
    const own = byKey.get(key.lone ?? '')
    const named = { type: 'group', group_key: key.lone ?? '', group_type_index: index } as const
    const actor = {
      id: key.lone,
      distinct_ids: [],
      ...named,
      properties: own === undefined ? {} : parseExact(own.properties),
      created_at: own?.createdAt ?? null,
    }
    return [key, actor] as const
  })
}

/** The actors behind a number of a stickiness or lifecycle answer. */
type NumberOfActivity = Extract<NumberAsked, { kind: 'stickiness' | 'lifecycle' }>

async function activityActors(
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

/** The actors behind a number of a retention answer. */
async function retentionActors(
  reader: InsightReader,
  project: ProjectId,
  { source, row, later }: Extract<NumberAsked, { kind: 'retention' }>,
  selected: readonly Selected[],
  page: ActorPage,
): Promise<Result<readonly ActorKey[], QuestionError>> {
  const selections = selected.map(({ selection }) => selection)
  const range = await readRangeOf(reader, source, selections)
  if (!range.ok) return err(inSource(range.error))
  const { edges } = gridOfIntervals(source, range.value)
  const intervals = edges.length - 1
  if (row >= intervals) return err(notInAnswer('interval'))
  const isThere = row + later < intervals && hasBegun(edges, row + later, reader.nowMs)
  if (!isThere) return err(notInAnswer('day'))
  const named = { isNamed: true }
  const actors = await readRetention(reader, project, source, selected, edges, named)
  const isBehind = (actor: (typeof actors)[number]) => {
    let isFound = false
    visitReturns(actor, { ...source, intervals }, (ofRow, ofLater) => {
      if (ofRow === row && ofLater === later) isFound = true
    })
    return isFound
  }
  return ok(await pageOf(actors, isBehind, page, source.groups))
}
