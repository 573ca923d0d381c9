/** Answers `SessionsQuery`: the sessions of a range or of a person, the newest first. */
import type { ProjectId } from '../../../core/ids.ts'
import { err, ok, type Result } from '../../../core/result.ts'
import { showPersons } from '../../../event-store/postgres/persons/shown-persons-store.ts'
import { findPersonId } from '../../../event-store/postgres/reads/event-find-store.ts'
import { countEvents } from '../../../events/sessions/fold-sessions.ts'
import type { QuestionError } from '../question.ts'
import { everyEvent, type InsightReader, type Selected } from '../reader.ts'
import { SESSION_PROPERTY_NAMES, sessionProperty } from '../sessions/session-properties.ts'
import type { Range } from '../time/grid.ts'
import { FILTER_ROLE } from './count-sessions.ts'
import { type SeenSession, visitSessions } from './visit-sessions.ts'
import type { SessionsQuestion } from './web-question.ts'

/** Distinct ids and properties of the persons on a page, of which one id is shown. */
const PERSON_BOUNDS = { idsMax: 1, bytesMax: 4_194_304 }
const US_PER_MS = 1_000
/** Sessions that are held beside those of the page, before the oldest are let go. */
const HELD = 1_000

/** @param range that the sessions begin in. */
export async function askSessions(
  reader: InsightReader,
  project: ProjectId,
  question: SessionsQuestion,
  selected: readonly Selected[],
  range: Range,
): Promise<Result<object, QuestionError>> {
  const { limit, offset, personId: uuid } = question
  const find = () => findPersonId(reader.db, project, { uuid: uuid ?? '' })
  const personId = uuid === undefined ? uuid : await reader.timed(everyEvent(project), find)
  const page = { limit, offset }
  if (uuid !== undefined && personId === undefined) {
    return ok({ results: [], hasMore: false, ...page })
  }
  const end = offset + limit + 1
  let newest: SeenSession[] = []
  const asked = {
    range,
    personId,
    distinctId: question.distinctId,
    filters: question.sessions,
    includesBots: question.includesBots,
    roles: selected.map(({ role }) => role),
    members: ['session_id'] as const,
    properties: SESSION_PROPERTY_NAMES,
    items: [],
    isNamed: true,
  }
  const failed = await visitSessions(reader, project, asked, (seen) => {
    if (seen.isBot || !isAsked(seen)) return
    newest.push(seen)
    if (newest.length >= 2 * end + HELD) newest = newest.sort(byBegin).slice(0, end)
  })
  if (failed !== undefined) return err(failed)
  const shown = newest.sort(byBegin).slice(offset, offset + limit)
  const results = await rowsOf(reader, project, shown)
  if (results === 'too_large') return err(TOO_LARGE)
  return ok({ results, hasMore: newest.length > offset + limit, ...page })
}

/** Whether an event of the session passes the filters. */
function isAsked({ session, actor, roleBits }: SeenSession): boolean {
  return countEvents(session, actor.events, roleBits[FILTER_ROLE] ?? 0) > 0
}

/** Newest first; those that begin together in the order of their actors. */
function byBegin(one: SeenSession, other: SeenSession): number {
  return other.session.beginUs - one.session.beginUs || one.nth - other.nth
}

async function rowsOf(
  reader: InsightReader,
  project: ProjectId,
  sessions: readonly SeenSession[],
): Promise<readonly object[] | 'too_large'> {
  const numbers = new Set(sessions.flatMap(({ actor }) => actor.person ?? []))
  const persons = await reader.timed(everyEvent(project), () =>
    showPersons(reader.db, project, [...numbers], PERSON_BOUNDS),
  )
  if (persons === 'too_large') return persons
  const byNumber = new Map(persons.map((each) => [each.person, each]))
  return sessions.map(({ session, texts, actor }) => {
    const person = byNumber.get(actor.person ?? '')
    return {
      session_id: texts.text(session, 'session_id') ?? null,
      start: timeText(session.beginUs),
      end: timeText(session.endUs),
      person_id: person?.uuid ?? null,
      distinct_id: person?.distinctIds[0] ?? actor.lone ?? null,
      events: countEvents(session, actor.events, 0),
      properties: Object.fromEntries(
        SESSION_PROPERTY_NAMES.flatMap((name) => {
          const value = sessionProperty(name).valueOf(session, texts)
          return value === undefined ? [] : [[name, value]]
        }),
      ),
    }
  })
}

/** ISO 8601, UTC, with microseconds. */
function timeText(us: number): string {
  const ms = Math.floor(us / US_PER_MS)
  const rest = String(us - ms * US_PER_MS).padStart(3, '0')
  return new Date(ms).toISOString().replace('Z', `${rest}Z`)
}

const TOO_LARGE: QuestionError = {
  code: 'invalid_input',
  detail: `The persons of the page have more than ${PERSON_BOUNDS.bytesMax / 1_048_576} MiB: ask for fewer.`,
  attr: 'limit',
}
