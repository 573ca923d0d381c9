/** Ships one recorded block to ClickHouse: its events, then its removals. */

import { insertBlock } from '../clickhouse/block.ts'
import { isRowFault } from '../clickhouse/column-error.ts'
import type { ColumnStore } from '../clickhouse/connect.ts'
import type { NewColumnEvent } from '../clickhouse/row-binary.ts'
import { removeEvents } from '../clickhouse/tombstone.ts'
import { assert } from '../core/code.ts'
import type { Sql } from '../postgres/connect.ts'
import {
  markDone,
  markStored,
  type OutboxRow,
  type RecordedBlock,
  readOutboxRows,
} from './blocks.ts'
import type { Lease } from './lease.ts'
import { eventsOfRows } from './outbox-rows.ts'
import { splitBlock } from './split-block.ts'

/** Characters to keep of an error of ClickHouse. */
const COLUMN_ERROR_CHARS = 500

/**
 * `stored`: its events are in ClickHouse; `split`: it was refused, and other blocks have its rows.
 */
export type Shipped =
  | { readonly kind: 'stored'; readonly rows: number }
  | { readonly kind: 'split'; readonly deadLetters: number }

/**
 * Ships a block. May be interrupted anywhere and called again, by any holder of the lease: finished
 * parts are not repeated.
 * @throws {ColumnError} `broken_block` when neither none nor all of its rows are there; others when
 * the outcome is unknown. @throws {LeaseLost}
 */
export async function shipBlock(
  { sql, store, lease }: { readonly sql: Sql; readonly store: ColumnStore; readonly lease: Lease },
  block: RecordedBlock,
): Promise<Shipped> {
  const { number, month, rows, isStored } = block
  const members = await readOutboxRows(sql, number)
  if (!isStored) {
    const events = await eventsOfRows(members)
    assert(events.length === rows, `block ${number} has ${events.length} events of ${rows}`)
    const refusal = await send(store, number, events)
    if (refusal !== undefined) {
      const deadLetters = await splitBlock(sql, lease, { block, members, reason: refusal })
      return { kind: 'split', deadLetters }
    }
    await markStored(sql, lease, number)
  }
  await removeEvents(store, { month, block: number }, removalsOf(members))
  await markDone(sql, lease, number)
  return { kind: 'stored', rows: isStored ? 0 : rows }
}

/** @returns why a row is refused; undefined when all are there. */
async function send(
  store: ColumnStore,
  number: number,
  events: readonly NewColumnEvent[],
): Promise<string | undefined> {
  if (events.length === 0) return undefined
  try {
    await insertBlock(store, { number, events })
    return undefined
  } catch (error) {
    if (!isRowFault(error)) throw error
    return error.message.slice(0, COLUMN_ERROR_CHARS)
  }
}

function removalsOf(members: readonly OutboxRow[]) {
  return members.flatMap(({ removal }) => (removal === null ? [] : [removal]))
}
