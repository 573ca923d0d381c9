/**
 * Blocks of events: numbered, recorded in Postgres before they are sent, never changed. Any worker
 * may insert a block again at any time: its rows are stored once.
 */
import { Readable } from 'node:stream'
import { ByteSink } from '../core/bytes/byte-sink.ts'
import { afterIo } from '../core/clock.ts'
import { assert } from '../core/code.ts'
import { monthOf } from '../events/time/partition-month.ts'
import type { Settings } from './address.ts'
import { ColumnError } from './column-error.ts'
import type { ColumnStore } from './connect.ts'
import { type NewColumnEvent, RowWriter } from './row-binary.ts'
import { COLUMN_NAMES } from './schema.ts'

/** Rows of a block, and bytes of its texts: ClickHouse makes one part of it. */
export const BLOCK_ROWS_MAX = 1_000_000
const BLOCK_BYTES_MAX = 256_000_000
/** Bytes of one piece in which a block is sent. */
const BLOCK_PIECE_BYTES = 65_536

export type Block = {
  /** Number from 1 on, used for one block of an instance. */
  readonly number: number
  /** Not empty, of one month (`monthOf`), within the bounds of a block. */
  readonly events: readonly NewColumnEvent[]
}

/** `there`: nothing was sent, because all its rows were there. */
export type BlockOutcome = 'inserted' | 'there'

/**
 * One part is stored whole or not at all, so ClickHouse must not cut a block in pieces: it would
 * cut by rows or bytes. `async_insert` would collect rows of several blocks and answer for none.
 */
const ONE_PART = {
  max_insert_block_size: BLOCK_ROWS_MAX,
  min_insert_block_size_rows: BLOCK_ROWS_MAX,
  min_insert_block_size_bytes: 0,
  max_insert_threads: 1,
  async_insert: 0,
} as const

/**
 * Stores a block unless it is there. Counting its rows covers an answer that was lost; the token
 * covers an insert that was in flight during the count.
 * @throws {ColumnError} `broken_block` when it is there in part; nothing is sent then.
 * `unreachable` when the outcome is unknown: call it again. For an event that does not fit or that
 * ClickHouse refuses, an error that `isRowFault` accepts: nothing is stored then.
 */
export async function insertBlock(store: ColumnStore, block: Block): Promise<BlockOutcome> {
  const month = checkBlock(block)
  const there = await countBlock(store, month, block.number)
  if (there === block.events.length) return 'there'
  if (there !== 0) throw brokenBlock(block, there)
  const sql = `insert into ${store.database}.events (${COLUMN_NAMES.join(', ')})
    format RowBinary`
  const unfit: unknown[] = []
  const data = inTurns(encodeBlock(block, month), unfit)
  try {
    await store.insert(sql, data, { ...ONE_PART, ...tokenOf(block.number) })
  } catch (error) {
    // The client says that its data failed, which no server has seen to the end.
    throw unfit[0] ?? error
  }
  return 'inserted'
}

/**
 * Each full piece is a turn of the event loop: the system takes pieces as fast as they are made,
 * and captures of this process would wait for all of them.
 * @param thrown gets what `pieces` throws.
 */
function inTurns(pieces: Generator<Buffer>, thrown: unknown[]): Readable {
  let wasFull = false
  const give = (data: Readable) => {
    try {
      const { value, done } = pieces.next()
      wasFull = done !== true && value.length >= BLOCK_PIECE_BYTES
      data.push(done === true ? null : value)
    } catch (error) {
      thrown.push(error)
      data.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return new Readable({
    read() {
      if (!wasFull) return give(this)
      afterIo(() => {
        if (!this.destroyed) give(this)
      })
    },
  })
}

/** Rows of a block that are stored. Its month spares a look into the others. */
export async function countBlock(
  store: ColumnStore,
  month: string,
  number: number,
): Promise<number> {
  const [[count] = []] = await store.rows(
    `select count() from ${store.database}.events
    where month = {month: String} and block = {number: UInt64}`,
    { month, number },
  )
  return Number(count)
}

function tokenOf(number: number): Settings {
  return { insert_deduplicate: 1, insert_deduplication_token: `b${number}` }
}

function brokenBlock({ number, events }: Block, there: number): ColumnError {
  const words = `block ${number} has ${there} rows of ${events.length}`
  return new ColumnError('broken_block', `${words}: neither none nor all`)
}

function checkBlock({ number, events }: Block): string {
  assert(Number.isSafeInteger(number) && number > 0, 'a block has no number')
  assert(events.length > 0 && events.length <= BLOCK_ROWS_MAX, `a block of ${events.length} rows`)
  const [first] = events
  const month = monthOf(first?.timestamp ?? '')
  let bytes = 0
  // Most events of a block are of one month, whose name is cached.
  let known = ''
  for (const { timestamp, properties, elementsChain } of events) {
    bytes += bytesOf(properties) + Buffer.byteLength(elementsChain)
    const calendarMonth = timestamp.slice(0, 7)
    if (calendarMonth === known) continue
    assert(monthOf(timestamp) === month, 'a block has events of two months')
    known = calendarMonth
  }
  assert(bytes <= BLOCK_BYTES_MAX, `a block of ${bytes} bytes`)
  return month
}

function bytesOf(text: string | Uint8Array): number {
  return typeof text === 'string' ? Buffer.byteLength(text) : text.length
}

/** Room for the last row of a piece: few rows are larger. */
const PIECE_ROOM_BYTES = 16_384

/** While one piece is on its way and read, the next one is made. */
function* encodeBlock({ number, events }: Block, month: string): Generator<Buffer> {
  const rows = new RowWriter(month, number)
  let piece = new ByteSink(BLOCK_PIECE_BYTES + PIECE_ROOM_BYTES)
  for (const event of events) {
    rows.write(piece, event)
    if (piece.length < BLOCK_PIECE_BYTES) continue
    yield piece.written()
    piece = new ByteSink(BLOCK_PIECE_BYTES + PIECE_ROOM_BYTES)
  }
  if (piece.length > 0) yield piece.written()
}
