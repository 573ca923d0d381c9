/** Reads the page and the exact count of a list: it chooses the statements and their order. */

import { EVENT_PAGE_KEYS_MAX } from '../../../core/limits/limits-query.ts'
import type {
  EventOrder,
  EventPage,
  EventsAsked,
  ListPage,
  TimeLeft,
} from '../../../events/ports.ts'
import { type PlanHints, readEvents, readWithin } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import { type EventSelection, isJoined } from '../../event-selection.ts'
import { findOwners } from './event-find-store.ts'
import {
  countEvents,
  countEventsByCounters,
  countEventsWithKeys,
  type EventKey,
  eventsOfKeys,
  type PageSource,
  pageOfEvents,
} from './event-query-store.ts'
import { type ResolvedSelection, resolveSelection } from './resolve-selection.ts'

/** Newest events that a filtered list looks through before it counts all. */
const EVENT_PROBE_ROWS_MAX = 20_000
/** Distinct ids of filtered persons whose events are looked up id by id; more are joined. */
export const EVENT_OWNERS_MAX = 1_000

type ReadPage = EventPage | 'too_large'

const NOTHING: ReadPage = { count: 0, events: [] }
/** The newest events are searched first when this many for each wanted one are enough. */
const PROBED_FOR_EACH = 20

/**
 * Page and count in one snapshot.
 * @throws {AppError} of the time; {PostgresError} 57014 when a statement is cut.
 */
export async function readEventPage(
  sql: Sql,
  asked: EventsAsked,
  page: ListPage,
  time: TimeLeft,
): Promise<ReadPage> {
  const resolved = await resolveSelection(sql, asked, time)
  if (resolved === undefined) return NOTHING
  const read = resolved.walked.where === undefined ? readPlain : readFiltered
  return await readEvents(sql, async (tx) => ({ value: await read(tx, resolved, page, time) }))
}

/** Reads a list by time, event, distinct id or person, which counters or an index can count. */
async function readPlain(
  tx: Db,
  { whole: selection }: ResolvedSelection,
  page: ListPage,
  time: TimeLeft,
): Promise<ReadPage> {
  const count = await withinBudget(tx, time, () =>
    isCounted(selection) ? countEventsByCounters(tx, selection) : countEvents(tx, selection),
  )
  if (count <= page.offset) return { count, events: [] }
  // No index leads to the events of one name, and a walk to a few of them would pass all others.
  const isRare = count <= EVENT_PAGE_KEYS_MAX && selection.event !== undefined
  const source: PageSource = isRare && !isNarrow(selection) ? { kind: 'gather' } : { kind: 'walk' }
  const events = await withinBudget(tx, time, () => pageOfEvents(tx, selection, page, source))
  return events === 'too_large' ? events : { count, events }
}

/** True for a list by time and event, which the counters know. */
function isCounted(selection: EventSelection): boolean {
  return !isNarrow(selection)
}

/** True when an index leads to the events, whatever the filters are. */
export function isNarrow({ distinctId, personId, owners }: EventSelection): boolean {
  return distinctId !== undefined || personId !== undefined || owners !== undefined
}

/**
 * Reads a filtered list. The count needs all events of the selection, so they are read once: either
 * the newest fill the page, or the count brings the places of the matches when they are few. When
 * there are many and all are older, a walk finds them.
 */
async function readFiltered(
  tx: Db,
  resolved: ResolvedSelection,
  page: ListPage,
  time: TimeLeft,
): Promise<ReadPage> {
  const { walked, whole } = resolved
  const ofOwners = await selectOwners(tx, whole, time)
  if (ofOwners === 'none') return NOTHING
  if (ofOwners !== undefined) return await readByKeys(tx, resolved, ofOwners, page, time)
  const rows = (page.offset + page.limit) * PROBED_FOR_EACH
  if (rows > EVENT_PROBE_ROWS_MAX) return await readByKeys(tx, resolved, whole, page, time)
  const first: PageSource = { kind: 'first', rows }
  const events = await withinBudget(tx, time, () => pageOfEvents(tx, walked, page, first))
  if (events === 'too_large') return events
  if (events.length < page.limit) return await readByKeys(tx, resolved, whole, page, time)
  const hints = { joinsMany: joinsMany(whole) }
  const count = await withinBudget(tx, time, () => countEvents(tx, whole), hints)
  return { count, events }
}

/** The selection by the distinct ids of its persons; undefined when there are too many. */
export async function selectOwners(
  tx: Db,
  selection: EventSelection,
  time: TimeLeft,
): Promise<EventSelection | 'none' | undefined> {
  const { passing, tolerant } = selection.persons ?? {}
  if (passing === undefined || isNarrow(selection)) return undefined
  const find = () => findOwners(tx, selection.project, passing, EVENT_OWNERS_MAX + 1)
  const owners = await withinBudget(tx, time, find)
  if (owners.length === 0) return 'none'
  if (owners.length > EVENT_OWNERS_MAX) return undefined
  const persons = tolerant && { passing: undefined, tolerant }
  return { ...selection, owners, persons }
}

async function readByKeys(
  tx: Db,
  { walked }: ResolvedSelection,
  whole: EventSelection,
  page: ListPage,
  time: TimeLeft,
): Promise<ReadPage> {
  const { count, keys } = await withinBudget(
    tx,
    time,
    () => countEventsWithKeys(tx, whole, EVENT_PAGE_KEYS_MAX),
    { joinsMany: joinsMany(whole), findsFew: true },
  )
  if (count <= page.offset) return { count, events: [] }
  const events = await withinBudget(tx, time, () => {
    const selection = isNarrow(whole) ? whole : walked
    if (keys === undefined) return pageOfEvents(tx, selection, page, { kind: 'walk' })
    const wanted = inOrder(keys, page.order).slice(page.offset, page.offset + page.limit)
    return eventsOfKeys(tx, whole, wanted, page)
  })
  return events === 'too_large' ? events : { count, events }
}

/** True where no index leads to few events, so that persons and groups are joined as a whole. */
export function joinsMany(selection: EventSelection): boolean {
  return isJoined(selection) && !isNarrow(selection)
}

/** See `readWithin`. */
export async function withinBudget<T>(
  tx: Db,
  time: TimeLeft,
  run: () => Promise<T>,
  hints?: PlanHints,
): Promise<T> {
  return await readWithin(tx, () => time.left(), run, hints)
}

/** Sorts keys as `orderOf` does. */
function inOrder(keys: readonly EventKey[], order: EventOrder): EventKey[] {
  const sorted = keys
    .map((key) => ({ key, micros: BigInt(key.micros) }))
    .sort((one, other) => {
      if (one.micros !== other.micros) return one.micros > other.micros ? -1 : 1
      return one.key.uuid < other.key.uuid ? -1 : 1
    })
    .map(({ key }) => key)
  return order === 'newest' ? sorted : sorted.reverse()
}
