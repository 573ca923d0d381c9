/**
 * Reads an export in pieces, one call each. Between two pieces the database and the worker hold
 * nothing, so that a slow reader costs nothing. An export is therefore no snapshot of one moment.
 * It begins at its upper bound and continues from the last event it gave, by time and uuid:
 *
 * - An event that is stored meanwhile is in the export if the export has not passed its place.
 * - An event that is removed meanwhile is in the export if it was given before.
 * - No event is given twice, and never more than were asked for.
 */
import type { ProjectId } from '../../core/ids.ts'
import {
  EVENT_EXPORT_PIECE_BYTES_MAX,
  EVENT_EXPORT_PIECE_ROWS_MAX,
  EVENT_EXPORT_STRETCH_ROWS,
  EVENT_QUERY_TIMEOUT_MS,
} from '../../core/limits/limits.ts'
import type { Result } from '../../core/result.ts'
import {
  countOfStretch,
  type EventPosition,
  endOfStretch,
  pageOfStretch,
  type Stretch,
} from '../../store/events/event-export-store.ts'
import type { QueriedEvent } from '../../store/events/event-rows.ts'
import type { EventSelection } from '../../store/events/event-selection.ts'
import { readEvents } from '../../store/pool/bounded-reads.ts'
import type { Db } from '../../store/pool/db.ts'
import type { Page } from '../../wire/page.ts'
import { createTimeBudget, type TimeBudget } from '../time-budget.ts'
import type { EventListQuery, QueryError } from './event-list-query.ts'
import { selectOwners, withinBudget } from './event-page.ts'
import { bytesOfEvents, type EventListDeps, inTime } from './events-list.ts'
import type { ExportCursor } from './export-cursor.ts'
import { type ResolvedSelection, resolveSelection } from './resolve-selection.ts'

export type ExportPiece = {
  readonly events: readonly QueriedEvent[]
  /** Undefined after the last piece. A piece without events may have a next one. */
  readonly next: ExportCursor | undefined
}

/** The cursor at the beginning of an export. */
export function startOfExport({ after, before }: EventListQuery, page: Page): ExportCursor {
  return { after, before, position: undefined, skip: page.offset, left: page.limit }
}

/**
 * Reads the piece at `cursor`, whose bounds replace those of `query`. A piece is bounded in events,
 * in bytes, and in events that a filter passes over, so that none takes long.
 * @throws {AppError} of the scan gate; what the store throws when it cannot answer. Safe to retry.
 */
export async function readExportPiece(
  deps: EventListDeps,
  project: ProjectId,
  query: EventListQuery,
  cursor: ExportCursor,
  signal: AbortSignal,
): Promise<Result<ExportPiece, QueryError>> {
  const { sql, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  const own = sql.endingWith(signal)
  const { after, before } = cursor
  const read = async () => {
    const budget = createTimeBudget(clock, timeoutMs)
    const resolved = await resolveSelection(own, project, { ...query, after, before }, budget)
    if (resolved === undefined || cursor.left === 0) return { events: [], next: undefined }
    return await readEvents(own, async (tx) => {
      return { value: await readPiece({ tx, budget }, resolved, query, cursor) }
    })
  }
  return await inTime(scans.run(signal, read, ({ events }) => bytesOfEvents(events)))
}

type Reading = { readonly tx: Db; readonly budget: TimeBudget }

async function readPiece(
  { tx, budget }: Reading,
  { walked, whole }: ResolvedSelection,
  { order }: EventListQuery,
  cursor: ExportCursor,
): Promise<ExportPiece> {
  const selection = (await selectOwners(tx, whole, budget)) ?? walked
  if (selection === 'none') return { events: [], next: undefined }
  const bounded = <T>(run: () => Promise<T>) => withinBudget(tx, budget, run)
  const { position: after, skip, left } = cursor
  const limit = Math.min(left, EVENT_EXPORT_PIECE_ROWS_MAX)
  // Where every event is wanted, the stretch that is read has just the events that are given.
  const isWhole = skip === 0 && !passesOver(selection)
  const stretch: Stretch = { order, after, rows: isWhole ? limit : EVENT_EXPORT_STRETCH_ROWS }
  const goOn = (position: EventPosition | undefined, passed: number, given: number) =>
    position === undefined || given === left
      ? undefined
      : { ...cursor, position, skip: skip - passed, left: left - given }
  const end = () => bounded(() => endOfStretch(tx, selection, stretch))

  if (skip > 0) {
    const count = await bounded(() => countOfStretch(tx, selection, stretch))
    if (count <= skip) return { events: [], next: goOn(await end(), count, 0) }
  }
  const [bytesMax, personBytesMax] = [EVENT_EXPORT_PIECE_BYTES_MAX, EVENT_EXPORT_PIECE_BYTES_MAX]
  const page = { limit, offset: skip, bytesMax, personBytesMax }
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
