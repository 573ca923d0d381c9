/**
 * Reads events where all of them are: in Postgres, and in ClickHouse as soon as that alone may hold
 * some. What Postgres has answered counts when it still had all events afterwards.
 */
import type { EventReader, EventsAsked, ReadCall } from '../../events/ports.ts'
import { PERSONS } from '../event-copy/id-marks.ts'
import { away } from '../event-copy/read/no-answer.ts'
import type { CopiedEvents } from '../event-copy/read/read-copy.ts'
import { createClickHouseEvents } from '../events-clickhouse/read/event-reader.ts'
import { reachesInto, type SpanOfTime } from '../insights/clickhouse/lacking-months.ts'
import type { Sql } from '../pool/connect.ts'
import { isLedgerKept } from './ledger.ts'

type Stores = {
  /** Connections for queries alone. */
  readonly sql: Sql
  readonly postgres: EventReader
  readonly columns: CopiedEvents
}

/** All methods fail with `unavailable` while ClickHouse alone can answer and does not. */
export function createRoutedEvents({ sql, postgres, columns }: Stores): EventReader {
  /** @param span of the events that are read; undefined where any may be. */
  const inClickHouse = <T>(
    call: ReadCall,
    span: SpanOfTime | undefined,
    read: (reader: EventReader, pin: number) => Promise<T>,
  ): Promise<T> =>
    columns.read(sql.endingWith(call.signal), call, async (store, { pin, gaps, refusing }) => {
      // Whose a distinct id is, lists ask Postgres.
      const lacking = gaps.filter((month) => month !== PERSONS && !refusing.includes(month))
      const lacks = lacking.find((month) => span === undefined || reachesInto(span, month))
      if (lacks !== undefined) throw away(`it lacks events of ${lacks}`)
      return await read(createClickHouseEvents({ columns: store, sql }), pin)
    })
  const read = async <T>(
    call: ReadCall,
    span: SpanOfTime | undefined,
    work: (reader: EventReader, pin: number | undefined) => Promise<T>,
  ): Promise<T> => {
    const own = sql.endingWith(call.signal)
    if (!(await isLedgerKept(own))) {
      const answer = await work(postgres, undefined)
      if (!(await isLedgerKept(own))) return answer
    }
    return await inClickHouse(call, span, work)
  }
  const pinned = (asked: EventsAsked, pin: number | undefined) =>
    pin === undefined ? asked : { ...asked, pin: asked.pin ?? pin }
  return {
    list: (asked, page, call) =>
      read(call, asked, (reader, pin) => reader.list(pinned(asked, pin), page, call)),
    table: (asked, table, call) =>
      read(call, asked, (reader, pin) => reader.table(pinned(asked, pin), table, call)),
    piece: (asked, place, call) =>
      read(call, asked, (reader, pin) => reader.piece(pinned(asked, pin), place, call)),
    find: (project, uuid, call) =>
      read(call, undefined, (reader) => reader.find(project, uuid, call)),
    values: (wanted, call) =>
      read(call, { after: wanted.from, before: wanted.before }, (reader) =>
        reader.values(wanted, call),
      ),
    propertyNames: (project, sample, call) =>
      read(call, undefined, (reader) => reader.propertyNames(project, sample, call)),
    matching: (project, places, where, call) =>
      read(call, undefined, (reader) => reader.matching(project, places, where, call)),
  }
}
