/**
 * Refuses flushes while the outbox is full: events that are only there must not be deleted. Once
 * the replicator has found it full, flushes fail as if Postgres took no writes. A flush
 * learns this from the answer to an earlier one; the probe of the store learns that there is room
 * again.
 */
import { StoreError } from '../../../ingest/store-port.ts'
import type { Sql } from '../../../postgres/connect.ts'

export type FullOutbox = {
  /** @throws {StoreError} `unreachable` when it is full as far as is known. */
  check(): void
  /** Takes over the state from the answer to a flush. */
  report(isFull: boolean): void
  /**
   * Asks Postgres.
   * @throws {StoreError} `unreachable` when it is full.
   */
  probe(sql: Sql): Promise<void>
}

export function createFullOutbox(): FullOutbox {
  let isKnownFull = false
  const check = () => {
    if (!isKnownFull) return
    const words = 'the outbox is full: ClickHouse has not taken events for long'
    throw new StoreError('unreachable', 'OUTBOX', words, undefined, true)
  }
  return {
    check,
    report(isFull) {
      isKnownFull = isFull
    },
    async probe(sql) {
      const [row] = await sql<{ isFull: boolean }[]>`
        select exists (select from event_keeper where id and is_full) as "isFull"`
      isKnownFull = row?.isFull === true
      check()
    },
  }
}
