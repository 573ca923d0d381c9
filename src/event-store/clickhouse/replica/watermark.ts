/** Position of Postgres that the replica must have reached before a question may read it. */

import { REPLICA_READ_RECENT_MS } from '../../../core/limits/limits-replica.ts'
import type { Db } from '../../../postgres/db.ts'
import { LOSS_ACCEPTED, PERSONS, REFUSES } from '../../outbox/gaps.ts'

/** Newest changes for the replica that Postgres has committed. */
export type Watermark = {
  /** The newest flush and the newest change of a distinct id that wait or have waited. */
  readonly flush: string
  readonly change: string
}

export type ReplicaWatermark = Watermark & {
  /** True when it may be read: a worker keeps it, and it knows the owner of each distinct id. */
  readonly isReadable: boolean
  readonly keys: readonly string[]
}

/** The mark, and the properties with columns. */
export async function readWatermark(db: Db): Promise<ReplicaWatermark | undefined> {
  const [row] = await db<ReplicaWatermark[]>`
    select state = 'shipping' and expires_at > clock_timestamp()
        and not exists (select from event_gaps where month = ${PERSONS}) as "isReadable",
      (select coalesce(max(id), 0) from event_outbox)::text as flush,
      (select coalesce(max(id), 0) from distinct_id_changes)::text as change,
      (select coalesce(json_agg(key order by key), '[]') from event_text_columns) as keys
    from event_keeper`
  return row
}

/** The same for reads of events without persons. */
export async function readEventsWatermark(
  db: Db,
): Promise<Pick<ReplicaWatermark, 'flush' | 'isReadable'> | undefined> {
  const [row] = await db<Pick<ReplicaWatermark, 'flush' | 'isReadable'>[]>`
    select state = 'shipping' and expires_at > clock_timestamp() as "isReadable",
      (select coalesce(max(id), 0) from event_outbox)::text as flush
    from event_keeper`
  return row
}

export type ReplicaProgress = {
  /** Each flush up to the mark is in a block; each change of a distinct id was sent. */
  readonly isRecorded: boolean
  readonly isSent: boolean
  /** The oldest block that is not done. */
  readonly open: number | null
  /** The newest block. */
  readonly last: number
  /** Blocks that were given up because ClickHouse refused them: their events are in others. */
  readonly splits: number
  /** Months of which it lacks events, or `PERSONS`. */
  readonly gaps: readonly string[]
  /**
   * Subset of `gaps` that lack only events which are dead letters, or whose loss an operator has
   * accepted.
   */
  readonly refusing: readonly string[]
}

export async function readProgress(db: Db, { flush, change }: Watermark): Promise<ReplicaProgress> {
  const [row] = await db<ReplicaProgress[]>`
    select not exists (
        select from event_outbox where block is null and id <= ${flush}::text::bigint
      ) as "isRecorded",
      not exists (select from distinct_id_changes where id <= ${change}::text::bigint) as "isSent",
      (select min(number) from event_blocks where done_at is null)::float8 as open,
      last_block::float8 as last, splits::float8 as splits,
      (select coalesce(json_agg(month), '[]') from event_gaps) as gaps,
      (select coalesce(json_agg(month), '[]') from event_gaps
        where reason in (${REFUSES}, ${LOSS_ACCEPTED}) and not asked) as refusing
    from event_shipper`
  return row ?? NO_COPY
}

const NO_COPY: ReplicaProgress = {
  isRecorded: false,
  isSent: false,
  open: null,
  last: 0,
  splits: 0,
  gaps: [],
  refusing: [],
}

/** Asks the lease holder to ship waiting rows at once. */
export async function hurryReplicator(db: Db): Promise<void> {
  await db`
    update event_keeper set waited_at = clock_timestamp()
    where waited_at < clock_timestamp() - ${REPLICA_READ_RECENT_MS / 3}::integer * interval '1 ms'
      or waited_at > clock_timestamp()`
}
