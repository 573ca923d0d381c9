/** Loads the person of the page, and the person's events by session. */
import { call, getPerson, type Json, listEvents, type Person } from '../../../client/index.ts'
import { client } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { isRecord, type JsonRecord } from '../../data/json.ts'

export type PersonEvent = {
  readonly id: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: JsonRecord
}

export type EventPage = {
  readonly count: number
  readonly next: string | null
  readonly results: readonly PersonEvent[]
}

const EVENTS = 100
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** By a distinct id; an id that nobody has may be the UUID of a person. */
export async function loadPerson(
  project: number,
  id: string,
  signal: AbortSignal,
): Promise<Person> {
  try {
    return await getPerson(client, { project_id: project, id, by: 'distinct_id' }, { signal })
  } catch (error) {
    if (!UUID.test(id) || failureOf(error).kind !== 'missing') throw error
    return await getPerson(client, { project_id: project, id, by: 'id' }, { signal })
  }
}

/** @param before the page before, whose `next` names the same events. */
export async function loadEvents(
  project: number,
  uuid: string,
  before: EventPage | undefined,
  signal: AbortSignal,
): Promise<EventPage> {
  if (before?.next != null) {
    const { pathname, search } = new URL(before.next)
    return await call<EventPage>(client, { verb: 'GET', path: pathname + search }, { signal })
  }
  const input = { project_id: project, person_id: uuid, limit: EVENTS, shape: 'native' } as const
  // The form of a list without a selection.
  return (await listEvents(client, input, { signal })) as unknown as EventPage
}

export type Visit = {
  /** Undefined for events without a session. */
  readonly session: string | undefined
  /** The newest first. */
  readonly events: readonly PersonEvent[]
}

/** Events that follow one another in one session. */
export function visitsOf(events: readonly PersonEvent[]): readonly Visit[] {
  const visits: { session: string | undefined; events: PersonEvent[] }[] = []
  for (const event of events) {
    const value = event.properties['$session_id']
    const session = typeof value === 'string' && value !== '' ? value : undefined
    const last = visits.at(-1)
    if (last !== undefined && last.session === session) last.events.push(event)
    else visits.push({ session, events: [event] })
  }
  return visits
}

/**
 * The event that gave a property its value, as far as the events in hand know: the oldest that set
 * it, after any that set another.
 * @param events the newest first.
 */
export function setterOf(
  events: readonly PersonEvent[],
  key: string,
  value: Json,
): PersonEvent | undefined {
  const wanted = JSON.stringify(value)
  let setter: PersonEvent | undefined
  for (const event of events) {
    const set = memberOf(event.properties['$set'], key)
    if (set !== undefined && set !== wanted) break
    const once = memberOf(event.properties['$set_once'], key)
    if (set === wanted || once === wanted) setter = event
  }
  return setter
}

/** As JSON text; undefined where there is none. */
function memberOf(set: Json | undefined, key: string): string | undefined {
  return isRecord(set) && Object.hasOwn(set, key) ? JSON.stringify(set[key]) : undefined
}
