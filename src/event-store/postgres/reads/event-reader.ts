/** Reads events that are in Postgres. */
import type { EventReader } from '../../../events/ports.ts'
import { readEvents } from '../../../postgres/bounded-reads.ts'
import type { Sql } from '../../../postgres/connect.ts'
import { matchingEvents } from './event-match-store.ts'
import { samplePropertyNames } from './event-names-store.ts'
import { readEventPage, withinBudget } from './event-page.ts'
import { readPiece } from './event-piece.ts'
import { readTable } from './event-table.ts'
import { listPropertyValues } from './event-values-store.ts'
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
