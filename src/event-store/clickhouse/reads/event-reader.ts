/** Reads events that are in ClickHouse. Persons are in Postgres, and are asked for there. */
import type { EventReader } from '../../../events/ports.ts'
import { readList, readPiece } from './list.ts'
import { openReading, type Stores } from './reading.ts'
import { findEvent, listValues, matchingEvents, newestOf, samplePropertyNames } from './single.ts'
import { readTable } from './table.ts'

export function createClickHouseEvents(stores: Stores): EventReader {
  return {
    list: (asked, page, call) => readList(openReading(stores, call), asked, page),
    table: (asked, table, call) => readTable(openReading(stores, call), asked, table),
    piece: (asked, place, call) => readPiece(openReading(stores, call), asked, place),
    find: (project, uuid, call) => findEvent(openReading(stores, call), project, uuid),
    newest: (wanted, call) => newestOf(openReading(stores, call), wanted),
    values: (wanted, call) => listValues(openReading(stores, call), wanted),
    propertyNames: (project, sample, call) =>
      samplePropertyNames(openReading(stores, call), project, sample),
    matching: (project, places, where, call) =>
      matchingEvents(openReading(stores, call), project, places, where),
  }
}
