/**
 * Makes a dead letter of an event that ClickHouse refuses. If `events` has the event, it stays
 * stored, and the replica lacks it. If only ClickHouse is to hold it, it is stored no more: its key
 * is removed from the key index, and it is subtracted from the counters.
 */

import { daysOf } from '../clickhouse/block-reader.ts'
import { cleanText } from '../core/clean-text.ts'
import { projectId } from '../core/ids.ts'
import { insertDeadLetter } from '../event-store/dead-letters/dead-letter-store.ts'
import { REFUSES } from '../event-store/outbox/gaps.ts'
import type { UnpackedEvent } from '../event-store/outbox/payload.ts'
import { type IngestEvent, NO_PERSON_CHANGE } from '../events/event.ts'
import { StoreError } from '../ingest/store-port.ts'
import type { Db } from '../postgres/db.ts'
import { countChange, OTHER_SLOT } from '../store/answers/change-counts.ts'
import { openTombstones } from './blocks.ts'
import { tableOfMonth } from './month-table.ts'

/** Codes in place of an SQLSTATE: ClickHouse lacks a stored event; the event is not stored. */
export const REFUSED_BY_COPY = 'COPY1'
const REFUSED_ALONE = 'COPY2'

/**
 * Makes a dead letter of a refused event. No month moves before the transaction ends, so the home
 * of the event stays the same.
 * @param reason the error of ClickHouse.
 */
export async function keepRefused(
  tx: Db,
  month: string,
  event: UnpackedEvent,
  reason: string,
): Promise<void> {
  await tx`lock table only event_ledger in share update exclusive mode`
  const table = await tableOfMonth(tx, month)
  if (table?.isKeyIndex !== true) {
    await markRefused(tx, month)
    const words = `it is stored, but ClickHouse refuses it: ${reason}`
    return await keepLetter(tx, event, new StoreError('data', REFUSED_BY_COPY, words))
  }
  // Removed meanwhile: an event that is stored under its key by now is another one.
  if (!(await dropKey(tx, month, event))) return
  const words = `it is not stored: ClickHouse refuses it: ${reason}`
  await keepLetter(tx, event, new StoreError('data', REFUSED_ALONE, words))
}

/** Marks the month as a gap, which no question may read until an operator has mended it. */
async function markRefused(tx: Db, month: string): Promise<void> {
  await tx`
    insert into event_gaps (month, reason, asked) values (${month}, ${REFUSES}, false)
    on conflict (month) do nothing`
}

/** @returns false when the event has been removed before. */
async function dropKey(tx: Db, month: string, given: UnpackedEvent): Promise<boolean> {
  const { projectId: project, event, timestamp } = given
  const day = timestamp.slice(0, 10)
  const uuid = given.uuid.toLowerCase()
  const key = tx`project_id = ${project} and day = ${day}::text::date
    and event_ledger.uuid = ${uuid}::text::uuid`
  // Locks the key: a concurrent removal waits for this transaction, and a committed one is found
  // below.
  const held = await tx`select from event_ledger where ${key} for update`
  if (held.length === 0 || (await isRemoved(tx, month, { project, day, uuid }))) return false
  await tx`delete from event_ledger where ${key}`
  await tx`
    insert into event_counts as c (project_id, event, day, slot, count)
    values (${project}, ${cleanText(event)}, ${day}::text::date, ${OTHER_SLOT}::smallint, -1)
    on conflict (project_id, event, day, slot) do update set count = c.count - 1`
  await countChange(tx, [projectId(project)], 'deletion', OTHER_SLOT)
  return true
}

type Key = { readonly project: number; readonly day: string; readonly uuid: string }

/** Whether a pending removal takes the event: removals are shipped after their events. */
async function isRemoved(tx: Db, month: string, { project, day, uuid }: Key): Promise<boolean> {
  const [row] = await tx<{ isRemoved: boolean }[]>`
    select exists (
      select from ${openTombstones(tx, month)} o where case
        when o.removal->>'kind' = 'month' then true
        when (o.removal->>'project')::integer <> ${project} then false
        when o.removal->>'kind' = 'project' then true
        else exists (
          select from json_array_elements(o.removal->'keys') k
          where (k->>0)::integer = ${daysOf(day)} and k->>1 = ${uuid}
        ) end
    ) as "isRemoved"`
  return row?.isRemoved === true
}

async function keepLetter(tx: Db, packed: UnpackedEvent, error: StoreError): Promise<void> {
  const { projectId: project, createdAt: _, properties, ...texts } = packed
  const event: IngestEvent = {
    ...texts,
    properties: Buffer.from(properties).toString(),
    groups: [],
    groupChange: undefined,
    person: { ...NO_PERSON_CHANGE, profile: false },
  }
  await insertDeadLetter(tx, { projectId: projectId(project), event, batch: 0 }, error)
}
