/** Reads events that are in Postgres. */
import type { EventReader } from '../../../events/ports.ts'
import { matchingEvents } from '../../events/event-match-store.ts'
import { samplePropertyNames } from '../../events/event-names-store.ts'
import { listPropertyValues } from '../../events/event-values-store.ts'
import { readEvents } from '../../pool/bounded-reads.ts'
import type { Sql } from '../../pool/connect.ts'
import { readEventPage, withinBudget } from './event-page.ts'
import { readPiece } from './event-piece.ts'
import { readTable } from './event-table.ts'
import { findEvent } from './find-event.ts'

/** @param sql connections for queries alone. */
export function createPostgresEvents(sql: Sql): EventReader {
  return {
    list: (asked, page, { signal, time }) =>
      readEventPage(sql.withSignal(signal), asked, page, time),
    table: (asked, table, { signal, time }) =>
      readTable(sql.withSignal(signal), asked, table, time),
    piece: (asked, place, { signal, time }) =>
      readPiece(sql.withSignal(signal), asked, place, time),
    find: (project, uuid, { signal }) => findEvent(sql.withSignal(signal), project, uuid),
    values: (wanted, { signal, time }) =>
      readEvents(sql.withSignal(signal), async (tx) => {
        const list = () => listPropertyValues(tx, wanted)
        return { value: await withinBudget(tx, time, list, { groups: true }) }
      }),
    propertyNames: (project, sample, { signal, time }) =>
      samplePropertyNames(sql.withSignal(signal), project, sample, time.left()),
    matching: (project, places, where, { signal }) =>
      matchingEvents(sql.withSignal(signal), project, places, where),
  }
}
