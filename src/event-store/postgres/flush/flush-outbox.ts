/**
 * Outbox rows of a flush: one for each month. A row holds all events of the flush, compressed
 * before the statement is sent, and the places of those that the statement then did not store.
 */

import type { ProjectId } from '../../../core/ids.ts'
import { monthOf } from '../../../events/time/partition-month.ts'
import type { FlushRow } from '../../../ingest/store-port.ts'
import { intArray } from '../../../postgres/columns.ts'
import type { Db } from '../../../postgres/db.ts'
import { type PackedEvent, type Payload, packEvents } from '../../outbox/payload.ts'
import type { GroupTypes } from '../persons/groups-sql.ts'
import { storedProperties, storedTimestamp } from './prepare-flush.ts'

/** Events of a flush, packed by month. */
export type PackedFlush = {
  readonly months: readonly PackedMonth[]
  /** Index in `months` of each row of the flush. */
  readonly places: readonly number[]
}

type PackedMonth = {
  readonly month: string
  readonly payload: Payload
  /** Events in the payload. */
  readonly size: number
}

/** Packs rows by month. The order of the rows is that of the statement's input. */
export async function packFlush(
  rows: readonly FlushRow[],
  types: ReadonlyMap<ProjectId, GroupTypes>,
): Promise<PackedFlush> {
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
  const packed = [...months].map(async ([month, { events }]) => ({
    month,
    size: events.length,
    payload: await packEvents(events),
  }))
  return { months: await Promise.all(packed), places }
}

/** The parameters of `outboxFrom`, in their order. */
export function outboxParameters({ months, places }: PackedFlush): readonly string[] {
  return [
    months.map(({ month }) => month).join(','),
    months.map(({ payload }) => payload.bytes.toString('base64')).join(','),
    intArray(months.map(({ size }) => size)),
    intArray(months.map(({ payload }) => payload.textBytes)),
    intArray(places),
  ]
}

/**
 * Writes the outbox rows of a flush whose events are in `events`, in the transaction that stored
 * them: only while the events of an instance move.
 * @param isLeftOut whether a row of the flush was not stored, by its position.
 * @returns whether the outbox is full.
 */
export async function insertOutbox(
  tx: Db,
  { months, places }: PackedFlush,
  isLeftOut: (position: number) => boolean,
): Promise<boolean> {
  const skipped = months.map((): number[] => [])
  const seen = months.map(() => 0)
  for (const [position, place] of places.entries()) {
    const nth = seen[place] ?? 0
    seen[place] = nth + 1
    if (isLeftOut(position)) skipped[place]?.push(nth)
  }
  let isFull = false
  for (const [place, { month, size, payload }] of months.entries()) {
    const left = skipped[place] ?? []
    if (left.length === size) continue
    const [row] = await tx<{ isFull: boolean }[]>`
      insert into event_outbox (month, payload, skipped, rows, text_bytes)
      values (${month}, decode(${payload.bytes.toString('base64')}, 'base64'),
        ${intArray(left)}::text::integer[], ${size - left.length},
        ${String(payload.textBytes)}::text::bigint)
      returning exists (select from event_keeper where id and is_full) as "isFull"`
    isFull ||= row?.isFull === true
  }
  return isFull
}

/**
 * Common tables after `input` and `written` in the statement of a flush; `first` is the number of
 * their first parameter. Rows that were not stored are looked up only when there are some.
 */
export const outboxFrom = (first: number) => `
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
