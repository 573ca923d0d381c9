/** Answers who is behind a number. */
import type { ProjectId } from '../../../core/ids.ts'
import { parseJson } from '../../../core/json-text/parse-json.ts'
import { INSIGHT_ACTOR_IDS_MAX, INSIGHT_ACTORS_BYTES_MAX } from '../../../core/limits/limits.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import type { ActorKey } from '../../../store/insights/actor-text.ts'
import type { ActorPage } from '../../../store/insights/insight-events.ts'
import { showPersons } from '../../../store/insights/shown-persons-store.ts'
import type { ActorsQuestion, NumberAsked, QuestionError } from '../question.ts'
import { everyEvent, type InsightReader, type Selected } from '../reader.ts'
import { activityActors } from './activity-actors.ts'
import { funnelActors } from './funnel-actors.ts'
import { pathActors } from './path-actors.ts'
import { retentionActors } from './retention-actors.ts'
import { trendActors } from './trend-actors.ts'

/** A row of the answer: one actor. */
type ActorRow = readonly [
  {
    /** UUID of the person; null for an actor without one. */
    readonly id: string | null
    readonly distinct_ids: readonly string[]
    readonly properties: unknown
    /** ISO 8601, UTC. */
    readonly created_at: string | null
  },
]

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
  // One more than is shown says whether there are more.
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
  const numbers = keys.flatMap(({ person }) => (person === null ? [] : [person]))
  const bounds = { idsMax: INSIGHT_ACTOR_IDS_MAX, bytesMax: INSIGHT_ACTORS_BYTES_MAX }
  const persons = await reader.timed(everyEvent(project), () =>
    showPersons(reader.db, project, numbers, bounds),
  )
  if (persons === 'too_large') return persons
  const byNumber = new Map(persons.map((each) => [each.person, each]))
  return keys.map(({ person, lone }): ActorRow => {
    const own = person === null ? undefined : byNumber.get(person)
    return [
      {
        id: own?.uuid ?? null,
        distinct_ids: own?.distinctIds ?? (lone === null ? [] : [lone]),
        properties: own === undefined ? {} : parseJson(own.properties),
        created_at: own?.createdAt ?? null,
      },
    ]
  })
}
