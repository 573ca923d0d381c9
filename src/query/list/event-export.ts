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
  EVENT_QUERY_TIMEOUT_MS,
} from '../../core/limits/limits-query.ts'
import type { Result } from '../../core/result.ts'
import type { QueriedEvent } from '../../events/ports.ts'
import type { Page } from '../../wire/page.ts'
import { createTimeBudget } from '../time-budget.ts'
import { askedOf, type EventListQuery, type QueryError } from './event-list-query.ts'
import { bytesOfEvents, type EventListDeps, inTime } from './events-list.ts'
import type { ExportCursor } from './export-cursor.ts'

/** Events in one piece of an export. */
export const EVENT_EXPORT_PIECE_ROWS_MAX = 1_000

const PIECE_BOUNDS = {
  rowsMax: EVENT_EXPORT_PIECE_ROWS_MAX,
  bytesMax: EVENT_EXPORT_PIECE_BYTES_MAX,
}

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
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function readExportPiece(
  deps: EventListDeps,
  project: ProjectId,
  query: EventListQuery,
  cursor: ExportCursor,
  signal: AbortSignal,
): Promise<Result<ExportPiece, QueryError>> {
  const { events: reader, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  const { after, before, position, skip, left } = cursor
  const place = { order: query.order, position, skip, left, ...PIECE_BOUNDS }
  const asked = askedOf(project, { ...query, after, before })
  const read = async () => {
    const call = { signal, time: createTimeBudget(clock, timeoutMs) }
    const { events, next } = await reader.piece(asked, place, call)
    return { events, next: next && { after, before, ...next } }
  }
  return await inTime(scans.run(signal, read, ({ events }) => bytesOfEvents(events)))
}
