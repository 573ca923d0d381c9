/**
 * Reads events from their home, Postgres or ClickHouse. An answer of Postgres counts only if they
 * are still there afterwards.
 */
import type { EventPlace, EventReader, EventsAsked, ReadCall } from '../events/ports.ts'
import { reachesInto, type SpanOfTime } from '../events/time/partition-month.ts'
import type { Sql } from '../postgres/connect.ts'
import { away } from './clickhouse/no-answer.ts'
import { createClickHouseEvents } from './clickhouse/reads/event-reader.ts'
import { microsOf } from './clickhouse/reads/single.ts'
import type { ReplicaEvents } from './clickhouse/replica/replica-reads.ts'
import { PERSONS } from './outbox/gaps.ts'

type Stores = {
  /** Connections for queries alone. */
  readonly sql: Sql
  readonly postgres: EventReader
  readonly columns: ReplicaEvents
}

type Extent = {
  /** Span of the events to read; undefined when they may be of any time. */
  readonly span: SpanOfTime | undefined
  /** True for one event: if it is found, the answer is right although other events are missing. */
  readonly isOfOne?: boolean
}
type Work<T> = (reader: EventReader, snapshotBlock: number | undefined) => Promise<T>

/** All methods fail with `unavailable` while the events are in a ClickHouse that does not answer. */
export function createRoutedEvents({ sql, postgres, columns }: Stores): EventReader {
  const inClickHouse = <T>(call: ReadCall, { span, isOfOne = false }: Extent, work: Work<T>) =>
    columns.read(
      sql.withSignal(call.signal),
      call,
      async (store, { snapshotBlock, gaps, refusing }) => {
        // Lists resolve distinct ids in Postgres.
        const lacking = gaps.filter((month) => month !== PERSONS && !refusing.includes(month))
        const lacks = lacking.find((month) => span === undefined || reachesInto(span, month))
        const reader = createClickHouseEvents({ columns: store, sql })
        if (lacks === undefined) return await work(reader, snapshotBlock)
        const found = isOfOne ? await work(reader, snapshotBlock) : undefined
        if (found !== undefined) return found
        throw away(`it lacks events of ${lacks}`)
      },
    )
  const read = async <T>(call: ReadCall, extent: Extent, work: Work<T>): Promise<T> => {
    const own = sql.withSignal(call.signal)
    if (!(await columns.isHome(own))) {
      const answer = await work(postgres, undefined)
      if (!(await columns.isHome(own))) return answer
    }
    return await inClickHouse(call, extent, work)
  }
  const atSnapshot = (asked: EventsAsked, snapshotBlock: number | undefined) =>
    snapshotBlock === undefined
      ? asked
      : { ...asked, snapshotBlock: asked.snapshotBlock ?? snapshotBlock }
  return {
    list: (asked, page, call) =>
      read(call, { span: asked }, (reader, snapshotBlock) =>
        reader.list(atSnapshot(asked, snapshotBlock), page, call),
      ),
    table: (asked, table, call) =>
      read(call, { span: asked }, (reader, snapshotBlock) =>
        reader.table(atSnapshot(asked, snapshotBlock), table, call),
      ),
    piece: (asked, place, call) =>
      read(call, { span: asked }, (reader, snapshotBlock) =>
        reader.piece(atSnapshot(asked, snapshotBlock), place, call),
      ),
    find: (project, uuid, call) =>
      read(call, { span: undefined, isOfOne: true }, (reader) => reader.find(project, uuid, call)),
    newest: (wanted, call) =>
      read(call, { span: { after: undefined, before: wanted.before } }, (reader) =>
        reader.newest(wanted, call),
      ),
    values: (wanted, call) =>
      read(call, { span: { after: wanted.from, before: wanted.before } }, (reader) =>
        reader.values(wanted, call),
      ),
    propertyNames: (project, sample, call) =>
      read(call, { span: undefined }, (reader) => reader.propertyNames(project, sample, call)),
    matching: (project, places, where, call) =>
      read(call, { span: spanOf(places) }, (reader) =>
        reader.matching(project, places, where, call),
      ),
  }
}

/** Undefined without any. */
function spanOf(places: readonly EventPlace[]): SpanOfTime | undefined {
  const [first, ...others] = places.map(({ timestamp }) => BigInt(microsOf(timestamp)))
  if (first === undefined) return undefined
  let [oldest, newest] = [first, first]
  for (const micros of others) {
    if (micros < oldest) oldest = micros
    if (micros > newest) newest = micros
  }
  return { after: String(oldest - 1n), before: String(newest + 1n) }
}
