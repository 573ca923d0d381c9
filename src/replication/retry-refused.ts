/**
 * Retries dead letters that ClickHouse refused while Postgres stored their events. In a month that
 * only ClickHouse holds, a refused event is not stored: the writer retries it as any other.
 */

import type { HeldDeadLetter } from '../event-store/dead-letters/dead-letter-store.ts'
import { parseKeptEvent } from '../event-store/dead-letters/kept-event.ts'
import { storedTimestamp } from '../event-store/postgres/flush/prepare-flush.ts'
import { monthOf } from '../events/time/partition-month.ts'
import type { Sql } from '../postgres/connect.ts'
import { requestBackfill } from './backfill.ts'
import { REFUSED_BY_COPY } from './refused-event.ts'

/** Makes the replica retry what it refused: the months of such letters are filled. Idempotent. */
export async function retryRefused(sql: Sql, letters: readonly HeldDeadLetter[]): Promise<void> {
  const refused = letters.filter(({ sqlstate }) => sqlstate === REFUSED_BY_COPY)
  const months = refused.flatMap(({ payload }) => {
    const event = parseKeptEvent(payload)
    return event.ok ? [monthOf(storedTimestamp(event.value))] : []
  })
  if (months.length > 0) await requestBackfill(sql, [...new Set(months)])
}
