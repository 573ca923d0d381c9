/** Reads the next events of a long list. */
import type {
  EventPiece,
  EventPosition,
  EventsAsked,
  PiecePlace,
  QueriedEvent,
  TimeLeft,
} from '../../../events/ports.ts'
import { readEvents } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import type { EventSelection } from '../../event-selection.ts'
import { countOfStretch, endOfStretch, pageOfStretch, type Stretch } from './event-export-store.ts'
import { selectOwners, withinBudget } from './event-page.ts'
import { type ResolvedSelection, resolveSelection } from './resolve-selection.ts'

/** Events that a filter looks at for one piece. */
export const EVENT_EXPORT_STRETCH_ROWS = 20_000

/**
 * A piece is bounded in events, in bytes, and in events that a filter passes over, so that none
 * takes long.
 * @throws {AppError} of the time; {PostgresError} 57014 when a statement is cut.
 */
export async function readPiece(
  sql: Sql,
  asked: EventsAsked,
  place: PiecePlace,
  time: TimeLeft,
): Promise<EventPiece> {
  const resolved = await resolveSelection(sql, asked, time)
  if (resolved === undefined || place.left === 0) return { events: [], next: undefined }
  return await readEvents(sql, async (tx) => {
    return { value: await readFrom({ tx, time }, resolved, place) }
  })
}

type Reading = { readonly tx: Db; readonly time: TimeLeft }

async function readFrom(
  { tx, time }: Reading,
  { walked, whole }: ResolvedSelection,
  { order, position: after, skip, left, rowsMax, bytesMax }: PiecePlace,
): Promise<EventPiece> {
  const selection = (await selectOwners(tx, whole, time)) ?? walked
  if (selection === 'none') return { events: [], next: undefined }
  const bounded = <T>(run: () => Promise<T>) => withinBudget(tx, time, run)
  const limit = Math.min(left, rowsMax)
  // If every event is wanted, the stretch to read has just the events to return.
  const isWhole = skip === 0 && !passesOver(selection)
  const stretch: Stretch = { order, after, rows: isWhole ? limit : EVENT_EXPORT_STRETCH_ROWS }
  const goOn = (position: EventPosition | undefined, passed: number, given: number) =>
    position === undefined || given === left
      ? undefined
      : { position, skip: skip - passed, left: left - given }
  const end = () => bounded(() => endOfStretch(tx, selection, stretch))

  if (skip > 0) {
    const count = await bounded(() => countOfStretch(tx, selection, stretch))
    if (count <= skip) return { events: [], next: goOn(await end(), count, 0) }
  }
  const page = { limit, offset: skip, bytesMax, personBytesMax: bytesMax }
  const events = await bounded(() => pageOfStretch(tx, selection, stretch, page))
  const found = events[0]?.rowsOfPage ?? 0
  const last = events.at(-1)
  // A stretch that the bytes or the limit have cut may have more.
  const isCut = last !== undefined && (events.length < found || found === limit)
  if (isCut) return { events, next: goOn(positionOf(last), skip, events.length) }
  const position = isWhole ? undefined : await end()
  return { events, next: goOn(position, skip, events.length) }
}

/** True when some events that the index leads to are not wanted. */
function passesOver({ event, where, persons }: EventSelection): boolean {
  return event !== undefined || where !== undefined || persons !== undefined
}

function positionOf({ micros, uuid }: QueriedEvent): EventPosition {
  return { micros, uuid }
}
