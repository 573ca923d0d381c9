-- compatible: a new table; older workers never look at it, and what they store is not counted in it

-- How often programs asked for a flag, as their libraries report it ($feature_flag_called): by UTC
-- day and by the value that they got. Values that the flag does not have count as ''. One row a
-- writer slot, as in event_counts. Days are those of the last 90, so flags bound the table.
create table flag_usage (
  project_id integer not null,
  key text not null,
  day date not null,
  value text not null,
  slot smallint not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (project_id, key, day, value, slot)
) with (fillfactor = 70);
create index flag_usage_day on flag_usage (day);

-- Reports of the last 30 days that are stored already. Later ones are counted as they are stored.
insert into flag_usage (project_id, key, day, value, slot, count, last_at)
select e.project_id, f.key, e.day, v.value, -1, sum(e.count), max(e.last_at)
from (
  select project_id, day, properties ->> '$feature_flag' as key,
    properties ->> '$feature_flag_response' as value, count(*) as count,
    least(max(timestamp), now()) as last_at
  from events
  where event = '$feature_flag_called'
    and day between (now() at time zone 'UTC')::date - 29 and (now() at time zone 'UTC')::date + 1
  group by 1, 2, 3, 4
) e
join feature_flags f on f.project_id = e.project_id and f.key = e.key and not f.deleted
cross join lateral (
  select case
    when e.value in ('true', 'false') then e.value
    when json_typeof(f.filters -> 'multivariate' -> 'variants') = 'array' and exists (
      select from json_array_elements(f.filters -> 'multivariate' -> 'variants') as variant
      where variant ->> 'key' = e.value
    ) then e.value
    else ''
  end as value
) v
group by 1, 2, 3, 4;
