/**
 * Outbox rows of a flush: one for each month, written by the flush's own statement. A row holds all
 * events of the flush, compressed before the statement is sent, and the places of those that the
 * statement then did not store.
 */
import type { ProjectId } from '../../core/ids.ts'
import type { FlushRow } from '../../ingest/store-port.ts'
import { monthOf } from '../events-clickhouse/column-event.ts'
import { storedProperties, storedTimestamp } from '../ingest/flush/prepare-flush.ts'
import type { GroupTypes } from '../ingest/groups-sql.ts'
import { intArray } from '../pool/columns.ts'
import { type PackedEvent, packEvents } from './payload.ts'

/** The parameters of `keepCopyFrom`, in their order. */
export type FlushCopy = readonly string[]

/** Packs rows by month. The order of the rows is that of the statement's input. */
export async function copyOf(
  rows: readonly FlushRow[],
  types: ReadonlyMap<ProjectId, GroupTypes>,
): Promise<FlushCopy> {
  const months = new Map<string, { readonly place: number; readonly events: PackedEvent[] }>()
  const places: number[] = []
  for (const { projectId, event } of rows) {
    const timestamp = storedTimestamp(event)
    const name = monthOf(timestamp)
    const month = months.get(name) ?? { place: months.size, events: [] }
    months.set(name, month)
    places.push(month.place)
    const { uuid, distinctId, elementsChain } = event
    const properties = storedProperties(event, types.get(projectId))
    const texts = { event: event.event, distinctId, timestamp, properties, elementsChain }
    month.events.push({ projectId, uuid, ...texts })
  }
  const lists = [...months.values()].map(({ events }) => events)
  const payloads = await Promise.all(lists.map(packEvents))
  return [
    [...months.keys()].join(','),
    payloads.map(({ bytes }) => bytes.toString('base64')).join(','),
    intArray(lists.map((events) => events.length)),
    intArray(payloads.map(({ textBytes }) => textBytes)),
    intArray(places),
  ]
}

/**
 * Common tables after `input` and `written` in the statement of a flush; `first` is the number of
 * their first parameter. Rows that were not stored are looked up only when there are some.
 */
export const keepCopyFrom = (first: number) => `
  , packed as materialized (
    select m.month, m.payload, m.size, m.text_bytes, m.nth - 1 as place
    from unnest(
      string_to_array($${first}, ','), string_to_array($${first + 1}, ','),
      $${first + 2}::int[], $${first + 3}::bigint[]
    ) with ordinality as m (month, payload, size, text_bytes, nth)
  ), left_out as materialized (
    select p.place, array_agg(p.nth::int order by p.nth) as places
    from (
      select i.place, i.project_id, i.timestamp, i.uuid,
        row_number() over (partition by i.place order by i.position) - 1 as nth
      from (
        select ($${first + 4}::int[])[input.position::int] as place, input.position, project_id,
          timestamp, uuid
        from input
      ) i
    ) p
    where (select count(*) from written) < (select count(*) from input)
      and ((p.project_id, (p.timestamp at time zone 'UTC')::date, p.uuid)
        in (select project_id, day, uuid from written)) is not true
    group by p.place
  ), copied as (
    insert into event_outbox (month, payload, skipped, rows, text_bytes)
    select m.month, decode(m.payload, 'base64'), coalesce(l.places, '{}'),
      m.size - coalesce(cardinality(l.places), 0), m.text_bytes
    from packed m left join left_out l on l.place = m.place
    where m.size > coalesce(cardinality(l.places), 0)
  )`
