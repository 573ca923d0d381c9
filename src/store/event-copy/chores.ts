/**
 * Periodic maintenance of the copy: changed distinct ids, columns, part counts, pruning of old ids.
 */
import type { Clock } from '../../core/clock.ts'
import {
  COPY_COLUMNS_MS,
  COPY_FORGET_MS,
  COPY_LINGER_MS,
  COPY_PARTS_MS,
  COPY_READ_LINGER_MS,
} from '../../core/limits/limits-columns.ts'
import type { ColumnStore } from '../events-clickhouse/connect.ts'
import type { Sql } from '../pool/connect.ts'
import { tendColumns } from './asked-columns.ts'
import { forgetOldIds, tellChangedIds } from './ids.ts'
import type { Lease } from './lease.ts'
import { tellParts } from './parts.ts'

export type Chores = {
  /**
   * Runs the tasks that are due.
   * @param isAwaited whether a question waits: then changes are collected for a shorter time.
   * @throws {LeaseLost} @throws {ColumnError}
   */
  run(store: ColumnStore, isAwaited: boolean): Promise<void>
}

export function createChores(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  lease: Lease,
): Chores {
  const never = Number.NEGATIVE_INFINITY
  const doneAt = { ids: never, columns: never, forgotten: never, parts: never }
  const isDue = (name: keyof typeof doneAt, everyMs: number): boolean => {
    const now = clock.monotonic()
    if (now - doneAt[name] < everyMs) return false
    doneAt[name] = now
    return true
  }
  return {
    async run(store, isAwaited) {
      const deps = { sql, store, lease }
      // A few changes wait for more, as blocks do: each insert is a part that ClickHouse merges.
      if (isDue('ids', isAwaited ? COPY_READ_LINGER_MS : COPY_LINGER_MS)) await tellChangedIds(deps)
      if (isDue('columns', COPY_COLUMNS_MS)) await tendColumns(sql, store, lease)
      if (isDue('parts', COPY_PARTS_MS)) await tellParts(sql, store, lease)
      if (isDue('forgotten', COPY_FORGET_MS)) await forgetOldIds(deps, COPY_FORGET_MS)
    },
  }
}
