/** Progress of the replica of the events, as Postgres knows it. */
import { homeIsClickHouse, listMovedMonths } from '../event-store/months/home.ts'
import type { Db } from '../postgres/db.ts'
import { listColumns } from './asked-columns.ts'
import type { ReplicaState } from './lease.ts'
import { measureOutbox, type OutboxSize } from './outbox-bounds.ts'

export type CopyGap = {
  readonly month: string
  readonly reason: string
  /** Whether it is being filled. */
  readonly asked: boolean
}

export type ReplicaSummary = {
  readonly state: ReplicaState
  /** Store that answers: Postgres until the events have moved. */
  readonly home: 'postgres' | 'clickhouse'
  /** Months whose events have left Postgres. */
  readonly ledgerMonths: readonly string[]
  /** True when the outbox takes no more events, so that flushes to Postgres fail too. */
  readonly isFull: boolean
  /** Error in words; empty while it ships. */
  readonly problem: string
  readonly holder: string
  /** True while a worker holds the lease. */
  readonly isHeld: boolean
  readonly blocks: number
  readonly size: OutboxSize
  /** Parts that ClickHouse has of the events, in all and at most in one month; 0: not known. */
  readonly parts: number
  readonly partsMost: number
  /** Properties that have columns of their own. */
  readonly columns: readonly string[]
  /** Gaps in the order of their names. */
  readonly gaps: readonly CopyGap[]
}

/** Undefined when there has never been a replica. */
export async function readSummary(db: Db): Promise<ReplicaSummary | undefined> {
  const [row] = await db<Omit<ReplicaSummary, 'size' | 'gaps' | 'columns' | 'ledgerMonths'>[]>`
    select state, case when ${homeIsClickHouse(db)} then 'clickhouse' else 'postgres' end as home,
      is_full as "isFull", problem, holder, expires_at > now() as "isHeld",
      last_block::float8 as blocks, parts, parts_most as "partsMost"
    from event_shipper, event_keeper`
  if (row === undefined) return undefined
  const gaps = await db<CopyGap[]>`select month, reason, asked from event_gaps order by month`
  const size = await measureOutbox(db)
  const columns = await listColumns(db)
  return { ...row, size, gaps, columns, ledgerMonths: await listMovedMonths(db) }
}
