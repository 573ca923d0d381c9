-- compatible: an older worker knows both states; a month that it brings back to Postgres is refused

-- Months that an interrupted return had begun to bring back to Postgres: ClickHouse has their events.
do $$
declare
  month text;
begin
  for month in
    select substring(c.relname from 14)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event_ledger'::regclass
  loop
    execute format('truncate events_%s', month);
  end loop;
end $$;

update event_keeper set keeps = 'clickhouse'
where exists (select from pg_inherits where inhparent = 'event_ledger'::regclass);

-- As if there were no such partition: a worker that remembers the month otherwise knows how to mend that.
create or replace function refuse_event_of_ledger() returns trigger language plpgsql as $$
begin
  raise exception 'the month is in the ledger: only ClickHouse holds its events' using errcode = 'check_violation';
end $$;
