/** Pages and pieces of events. */
import type { ProjectId } from '../../../core/ids.ts'
import type {
  EventPage,
  EventPiece,
  EventsAsked,
  ListPage,
  PiecePlace,
} from '../../../events/ports.ts'
import { fragment } from '../../../postgres/fragment.ts'
import { eventsOf, fittingOf, personsOf } from './events-of-keys.ts'
import type { Reading } from './reading.ts'
import { selectEvents } from './selection.ts'
import { countIn, walkKeys, widthFor } from './walk.ts'

/**
 * Reads page and count of one state: blocks are numbered in order, so blocks up to a number always
 * have the same events, as long as none is removed.
 */
export async function readList(
  reading: Reading,
  asked: EventsAsked,
  page: ListPage,
): Promise<EventPage | 'too_large'> {
  const snapshotBlock = asked.snapshotBlock ?? (await newestBlock(reading, asked.project))
  const selection = await selectEvents(reading, { ...asked, snapshotBlock })
  if (selection === undefined) return { count: 0, events: [], snapshotBlock }
  const { count, span } = await countIn(reading, selection.span, selection.where)
  const { order, limit, offset } = page
  if (span === undefined || count <= offset) return { count, events: [], snapshotBlock }
  const width = widthFor(span, count, offset + limit)
  const walk = { order, position: undefined, skip: offset, rows: limit, width }
  const keys = await walkKeys(reading, { ...selection, span }, walk)
  const persons = await personsOf(reading, asked.project, keys)
  if (fittingOf(keys, persons, page) < keys.length) return 'too_large'
  return { count, events: await eventsOf(reading, asked.project, keys, persons), snapshotBlock }
}

/** The state of a project's events: those of the blocks up to this one. */
export async function newestBlock({ events, rows }: Reading, project: ProjectId): Promise<number> {
  const [[newest] = []] = await rows(fragment`
    select toString(max(e.block)) from ${events} where e.project_id = toInt32(${String(project)})`)
  return Number(newest)
}

/** Reads a piece, which is not of one state: see `EventReader`. */
export async function readPiece(
  reading: Reading,
  asked: EventsAsked,
  { order, position, skip, left, rowsMax, bytesMax }: PiecePlace,
): Promise<EventPiece> {
  const selection = left === 0 ? undefined : await selectEvents(reading, asked)
  if (selection === undefined) return END
  const { span } = await countIn(reading, selection.span, selection.reach)
  if (span === undefined) return END
  const rows = Math.min(left, rowsMax)
  const keys = await walkKeys(reading, { ...selection, span }, { order, position, skip, rows })
  const persons = await personsOf(reading, asked.project, keys)
  const given = keys.slice(0, fittingOf(keys, persons, { bytesMax, personBytesMax: bytesMax }))
  const events = await eventsOf(reading, asked.project, given, persons)
  const last = given.at(-1)
  const isAll = given.length === keys.length && keys.length < rows
  if (last === undefined || isAll || given.length === left) return { events, next: undefined }
  const { micros, uuid } = last
  return { events, next: { position: { micros, uuid }, skip: 0, left: left - given.length } }
}

const END: EventPiece = { events: [], next: undefined }
