/** How far the copy of the events is, as Postgres knows it. */
import type { Db } from '../pool/db.ts'
import type { CopyState } from './lease.ts'
import { measureOutbox, type OutboxSize } from './outbox-bounds.ts'

export type CopyGap = {
  readonly month: string
  readonly reason: string
  /** Whether it is being filled. */
  readonly asked: boolean
}

export type CopySummary = {
  readonly state: CopyState
  /** In words; empty while it ships. */
  readonly problem: string
  readonly holder: string
  /** Whether somebody holds the lease. */
  readonly isHeld: boolean
  readonly blocks: number
  readonly size: OutboxSize
  /** In the order of their names. */
  readonly gaps: readonly CopyGap[]
}

/** Undefined when there has never been a copy. */
export async function readSummary(db: Db): Promise<CopySummary | undefined> {
  const [row] = await db<Omit<CopySummary, 'size' | 'gaps'>[]>`
    select state, problem, holder, expires_at > now() as "isHeld", last_block::float8 as blocks
    from event_shipper, event_keeper`
  if (row === undefined) return undefined
  const gaps = await db<CopyGap[]>`select month, reason, asked from event_gaps order by month`
  return { ...row, size: await measureOutbox(db), gaps }
}
