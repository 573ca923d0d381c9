/**
 * Records removals for the replica, in the transaction that removes events from Postgres. The row
 * follows the flushes that stored these events in the outbox, and precedes those that store them
 * anew: it is written after the events are deleted and before that is committed.
 */
import type { ProjectId } from '../../core/ids.ts'
import { REPLICA_ABANDONED_DAYS } from '../../core/limits/limits-replica.ts'
import type { Db } from '../../postgres/db.ts'
import { type Fragment, fragment } from '../../postgres/fragment.ts'
import { listMonths } from '../months/home.ts'

/**
 * True when a replica is kept, or must be: events that only ClickHouse holds have to be removed
 * there some day.
 */
const IS_COPIED = `(exists (
  select from event_keeper
  where expires_at > now() - interval '${REPLICA_ABANDONED_DAYS} days' or keeps = 'clickhouse'
) or exists (select from pg_inherits where inhparent = 'event_ledger'::regclass))`
const IF_COPIED: Fragment = { text: [IS_COPIED], values: [] }

/** The month of a `day`, as `monthOf` names it. */
export const MONTH_OF_DAY: Fragment = fragment`case when day < '2000-01-01' then 'old'
  when day >= '2100-01-01' then 'far' else to_char(day, '"y"YYYY"m"MM') end`

/** Statement for a common table: removals of `gone` (`day`, `uuid`), one for each month. */
export function enqueueTombstones(project: Fragment): Fragment {
  return fragment`
    insert into event_outbox (month, removal)
    select month, json_build_object('kind', 'events', 'project', ${project}, 'keys', json_agg(key))
    from (
      select ${MONTH_OF_DAY} as month,
        json_build_array(day - '1970-01-01'::date, uuid) as key
      from gone
    ) removed
    where ${IF_COPIED}
    group by month`
}

/** @param partition `events_…`, locked against writers. */
export async function enqueueMonthTombstone(tx: Db, partition: string): Promise<void> {
  await tx.unsafe(
    `insert into event_outbox (month, removal)
    select substring($1::text from 8), '{"kind":"month"}' where ${IS_COPIED}`,
    [partition],
  )
}

/** Records the removal of a project that has no events left in Postgres. */
export async function enqueueProjectTombstones(tx: Db, project: ProjectId): Promise<void> {
  const months = await listMonths(tx)
  await tx.unsafe(
    `insert into event_outbox (month, removal)
    select month, json_build_object('kind', 'project', 'project', $2::integer)
    from unnest(string_to_array($1, ',')) as month where ${IS_COPIED}`,
    [months.join(','), project],
  )
}
