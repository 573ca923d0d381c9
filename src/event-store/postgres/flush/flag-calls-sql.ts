/**
 * Counts what libraries report of flags, in the statement that stores the reports. Only flushes
 * with such events have this part: the statement of the others is what it was.
 */
import type { FlushRow } from '../../../ingest/store-port.ts'
import { FLAG_USAGE_DAYS } from '../../../store/projects/flag-usage-store.ts'

const FLAG_CALLED = '$feature_flag_called'

export function isFlagCall({ event }: FlushRow): boolean {
  return event.event === FLAG_CALLED
}

/** Whether any of the rows reports that a program asked for a flag. */
export function hasFlagCalls(rows: readonly FlushRow[]): boolean {
  return rows.some(isFlagCall)
}

/** Further columns that `written` returns; properties are kept of flag calls only. */
export const FLAG_CALL_COLUMNS = `
      , timestamp, case when event = '${FLAG_CALLED}' then properties end as properties`

/** The same columns of the input, whose properties are a text, or jsonb where persons change. */
export const FLAG_CALLS_OF_INPUT = `
      , timestamp, case when event = '${FLAG_CALLED}' then properties::jsonb end as properties`

/**
 * Goes over the rows that were really inserted. Clients choose key, value and day: what is no flag
 * of the project is not counted, a value that its flag does not have counts as '', and no day
 * outside of what is kept. `$10` is the slot.
 */
export const FLAG_CALLS = `
  , called as (
    insert into flag_usage as u (project_id, key, day, value, slot, count, last_at)
    select c.project_id, c.key, c.day, v.value, $10::smallint, sum(c.count)::bigint,
      least(max(c.last_at), now())
    from (
      select project_id, day, properties ->> '$feature_flag' as key,
        properties ->> '$feature_flag_response' as value, count(*) as count,
        max(timestamp) as last_at
      from written
      where event = '${FLAG_CALLED}' and day
        between (now() at time zone 'UTC')::date - ${FLAG_USAGE_DAYS - 1}
        and (now() at time zone 'UTC')::date + 1
      group by 1, 2, 3, 4
    ) c
    join feature_flags f on f.project_id = c.project_id and f.key = c.key and not f.deleted
    cross join lateral (
      select case
        when c.value in ('true', 'false') then c.value
        when json_typeof(f.filters -> 'multivariate' -> 'variants') = 'array' and exists (
          select from json_array_elements(f.filters -> 'multivariate' -> 'variants') as variant
          where variant ->> 'key' = c.value
        ) then c.value
        else '' end as value
    ) v
    group by c.project_id, c.key, c.day, v.value order by c.project_id, c.key, c.day, v.value
    on conflict (project_id, key, day, value, slot) do update
      set count = u.count + excluded.count, last_at = greatest(u.last_at, excluded.last_at)
  )`
