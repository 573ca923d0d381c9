/** Daily quotas: how many times something may be done in a UTC day. */
import type { Db } from '../../postgres/db.ts'

/**
 * Counts `amount` more of `name` today, unless that makes more than `max`. The count goes back with
 * the transaction. Others who count the same name wait until it ends.
 * @returns undefined when it was counted, else the seconds until the day ends, in UTC.
 */
export async function countOfDay(
  tx: Db,
  name: string,
  amount: number,
  max: number,
): Promise<number | undefined> {
  const [row] = await tx<{ isCounted: boolean; restS: number }[]>`
    with counted as (
      insert into daily_counts as c (name, day, used)
      select ${name}, (now() at time zone 'UTC')::date, ${amount} where ${amount} <= ${max}::integer
      on conflict (name) do update set day = excluded.day,
        used = excluded.used + case when c.day = excluded.day then c.used else 0 end
      where excluded.used + case when c.day = excluded.day then c.used else 0 end <= ${max}::integer
      returning 1
    )
    select exists (select from counted) as "isCounted",
      ceil(extract(epoch from date_trunc('day', now() at time zone 'UTC') + interval '1 day'
        - now() at time zone 'UTC'))::integer as "restS"`
  if (row === undefined) throw new Error('a select without a table answered no row')
  return row.isCounted ? undefined : row.restS
}
