/**
 * Splits a block of which ClickHouse refuses a row into two new ones of half its size; the event of
 * a block of one becomes a dead letter. The old number is never used again, so that its token hides
 * no event.
 */
import { assert } from '../core/code.ts'
import { intArray } from '../postgres/columns.ts'
import type { Sql } from '../postgres/connect.ts'
import type { Db } from '../postgres/db.ts'
import {
  giveUpBlock,
  insertRecorded,
  type OutboxRow,
  type RecordedBlock,
  takeNumbers,
} from './blocks.ts'
import type { Lease } from './lease.ts'
import { eventsOfRow } from './outbox-rows.ts'
import { keepRefused } from './refused-event.ts'

type Refused = {
  readonly block: RecordedBlock
  readonly members: readonly OutboxRow[]
  /** Error message of ClickHouse. */
  readonly reason: string
}

/** @returns how many dead letters it became. @throws {LeaseLost} and has changed nothing. */
export async function splitBlock(
  sql: Sql,
  lease: Lease,
  { block, members, reason }: Refused,
): Promise<number> {
  assert(block.rows > 0, 'a block without events was refused')
  const places = await Promise.all(members.map(eventsOfRow))
  return await sql.begin(async (tx) => {
    await giveUpBlock(tx, lease, block.number)
    const first = await takeNumbers(tx, lease, 2, 1)
    const half = Math.floor(block.rows / 2)
    const rest = Math.ceil(block.rows / 2)
    const isLast = block.rows === 1
    let room = half
    let deadLetters = 0
    for (const [index, member] of members.entries()) {
      const events = places[index] ?? []
      const head = events.slice(0, room)
      const tail = events.slice(room)
      room -= head.length
      if (isLast && tail[0] !== undefined) {
        await keepRefused(tx, block.month, tail[0].event, reason)
        await leaveOut(tx, member, { places: tail.map(({ place }) => place), block: first + 1 })
        deadLetters += 1
        continue
      }
      await divide(tx, member, { head: placesOf(head), tail: placesOf(tail), first })
    }
    const { month } = block
    if (half > 0) await insertRecorded(tx, lease, { number: first, month, rows: half })
    // Removals are shipped after all events that shared a block with them.
    await takeRemovals(tx, block, first + 1)
    await insertRecorded(tx, lease, { number: first + 1, month, rows: isLast ? 0 : rest })
    return deadLetters
  })
}

function placesOf(events: readonly { readonly place: number }[]): readonly number[] {
  return events.map(({ place }) => place)
}

type Halves = {
  readonly head: readonly number[]
  readonly tail: readonly number[]
  readonly first: number
}

/** Gives a row of the outbox to the first or the second block, or a copy of it to both. */
async function divide(tx: Db, member: OutboxRow, { head, tail, first }: Halves): Promise<void> {
  if (head.length > 0 && tail.length > 0) {
    const skipped = [...member.skipped, ...head]
    await tx`
      insert into event_outbox (month, payload, skipped, rows, text_bytes, committed_at, block)
      select month, payload, ${intArray(skipped)}::text::integer[], ${tail.length}, text_bytes,
        committed_at, ${String(first + 1)}::text::bigint
      from event_outbox where id = ${member.id}`
    await leaveOut(tx, member, { places: tail, block: first })
    return
  }
  await leaveOut(tx, member, { places: [], block: head.length > 0 ? first : first + 1 })
}

async function leaveOut(
  tx: Db,
  { id, skipped }: OutboxRow,
  { places, block }: { readonly places: readonly number[]; readonly block: number },
): Promise<void> {
  await tx`
    update event_outbox set block = ${String(block)}::text::bigint,
      skipped = ${intArray([...skipped, ...places])}::text::integer[],
      rows = rows - ${places.length}
    where id = ${id}`
}

/**
 * Moves the removals of a sibling from an earlier split behind the new halves, whose numbers are
 * higher than the sibling's.
 */
async function takeRemovals(tx: Db, { number }: RecordedBlock, last: number): Promise<void> {
  await tx`
    update event_outbox o set block = ${String(last)}::text::bigint
    from event_blocks b
    where b.number = o.block and b.done_at is null and o.removal is not null
      and b.number > ${String(number)}::text::bigint`
}
