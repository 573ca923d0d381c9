/**
 * Reads all data of a person in pieces, one call each: first the lists, then the events. As in
 * every export, nothing is held between two pieces.
 */
import type { ExportPersonResponse } from '../../../proto/gen/sluice/v1/ExportPersonResponse.ts'
import { accepted, found, invalid, notFound } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import {
  EVENT_EXPORT_LIMIT_MAX,
  EVENT_EXPORT_PIECE_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
} from '../../core/limits/limits-query.ts'
import type { FoundPerson } from '../../event-store/postgres/persons/find-person.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Db } from '../../postgres/db.ts'
import {
  PERSON_LISTS,
  type PersonList,
  readPersonHead,
  readPersonList,
} from '../../privacy/person-data-store.ts'
import { readExportPiece, startOfExport } from '../../query/list/event-export.ts'
import { nativeEventJson } from '../../query/list/event-json.ts'
import { type EventListQuery, parseEventList } from '../../query/list/event-list-query.ts'
import { type EventListDeps, TOO_LONG } from '../../query/list/events-list.ts'
import { decodeCursor, encodeCursor } from '../../query/list/export-cursor.ts'
import { createTimeBudget, isOutOfTime } from '../../query/time-budget.ts'

/** Items of one list of a person in one piece of its export. */
const PERSON_LIST_ROWS_MAX = 10_000

type Asked = { readonly project: ProjectId; readonly person: FoundPerson }

/**
 * @throws {AppError} `not_found` when another person has the name by now, or the person is gone; of
 * the query limiter; errors of the store. Safe to retry.
 */
export async function readPersonPiece(
  deps: EventListDeps,
  asked: Asked,
  cursorText: string,
  signal: AbortSignal,
): Promise<ExportPersonResponse> {
  const cursor = cursorText === '' ? 'start' : decodePersonCursor(cursorText)
  if (cursor === undefined) throw invalid('The cursor is of no export.', 'cursor')
  if (cursor === 'start') return await readLists(deps, asked, undefined, signal)
  // A person that was deleted may have its name again, as another one.
  if (cursor.person !== asked.person.id) throw notFound()
  if (cursor.place === 'events')
    return await readEventsOf(deps, asked, cursor.after, 'null', signal)
  return await readLists(deps, asked, { list: cursor.place, after: cursor.after }, signal)
}

type ListPlace = { readonly list: PersonList; readonly after: string }
type Lists = { readonly json: string; readonly next: ListPlace | undefined }

async function readLists(
  deps: EventListDeps,
  asked: Asked,
  from: ListPlace | undefined,
  signal: AbortSignal,
): Promise<ExportPersonResponse> {
  const { sql, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  const budget = createTimeBudget(clock, timeoutMs)
  const read = () =>
    readEvents(sql, async (tx) => ({
      value: await withinBudget(tx, budget, () => readWithin(tx, asked, from)),
    }))
  const { json, next } = found(await scans.run(signal, read).catch(refuseLate))
  if (next === undefined) return await readEventsOf(deps, asked, '', json, signal)
  const cursor = { person: asked.person.id, place: next.list, after: next.after }
  return { person: json, events: '[]', cursor: encodePersonCursor(cursor) }
}

function refuseLate(error: unknown): never {
  if (!isOutOfTime(error)) throw error
  throw invalid(TOO_LONG.detail, TOO_LONG.attr, TOO_LONG.code)
}

/** Undefined when the person is gone. A list that is cut is the last one of the object. */
async function readWithin(
  tx: Db,
  { project, person }: Asked,
  from: ListPlace | undefined,
): Promise<Lists | undefined> {
  const head = from === undefined ? await readPersonHead(tx, project, person) : '{}'
  if (head === undefined) return undefined
  const members: string[] = head === '{}' ? [] : [head.slice(1, -1)]
  let bytesMax = EVENT_EXPORT_PIECE_BYTES_MAX
  for (const list of PERSON_LISTS.slice(from && PERSON_LISTS.indexOf(from.list))) {
    const after = list === from?.list ? from.after : undefined
    const bounds = { rowsMax: PERSON_LIST_ROWS_MAX, bytesMax }
    const { items, next } = await readPersonList(tx, { project, person, list }, after, bounds)
    const json = items.join()
    members.push(`"${list}":[${json}]`)
    if (next !== undefined) return { json: `{${members.join()}}`, next: { list, after: next } }
    bytesMax = Math.max(1, bytesMax - json.length)
  }
  return { json: `{${members.join()}}`, next: undefined }
}

/** A part of its events, the oldest first. */
async function readEventsOf(
  deps: EventListDeps,
  { project, person }: Asked,
  cursorText: string,
  json: string,
  signal: AbortSignal,
): Promise<ExportPersonResponse> {
  const query = eventsOf(person, deps.clock.now())
  // Each piece takes as many as it can; the next one begins where it ended.
  const page = { limit: EVENT_EXPORT_LIMIT_MAX, offset: 0 }
  const cursor = cursorText === '' ? startOfExport(query, page) : decodeCursor(cursorText)
  if (cursor === undefined) throw invalid('The cursor is of no export.', 'cursor')
  const whole = { ...cursor, left: EVENT_EXPORT_LIMIT_MAX }
  const { events, next } = accepted(await readExportPiece(deps, project, query, whole, signal))
  const place = next && { person: person.id, place: 'events' as const, after: encodeCursor(next) }
  return {
    person: json,
    events: `[${events.map(nativeEventJson).join()}]`,
    cursor: place === undefined ? '' : encodePersonCursor(place),
  }
}

/** All events of the person, whatever their time. */
function eventsOf({ uuid }: FoundPerson, nowMs: number): EventListQuery {
  const all = { after: '', before: '9999-12-31T23:59:59Z', properties: '' }
  const asked = { event: undefined, distinctId: undefined, personId: uuid }
  return accepted(parseEventList({ ...all, ...asked, orderBy: '["timestamp"]' }, nowMs))
}

type PersonCursor = {
  /** Number of the exported person. */
  readonly person: string
  readonly place: PersonList | 'events'
  /** Key of the last item of the list that was given, or the cursor of the events. */
  readonly after: string
}

const CHARS_MAX = 6_000
const DIGITS = /^\d{1,18}$/

function encodePersonCursor({ person, place, after }: PersonCursor): string {
  return Buffer.from(JSON.stringify([person, place, after])).toString('base64url')
}

/** Undefined for an invalid cursor. A forged one reads nothing but its person. */
function decodePersonCursor(text: string): PersonCursor | undefined {
  const parts = text.length > CHARS_MAX ? undefined : parse(text)
  if (!Array.isArray(parts) || parts.length !== 3) return undefined
  const [person, place, after]: unknown[] = parts
  const known = ([...PERSON_LISTS, 'events'] as const).find((each) => each === place)
  if (typeof person !== 'string' || typeof after !== 'string' || known === undefined) {
    return undefined
  }
  const isNumbered = known === 'cohorts' || known === 'dead_letters'
  if ((isNumbered && !DIGITS.test(after)) || after.includes('\0')) return undefined
  return { person, place: known, after }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined // The caller says what is wrong.
  }
}
