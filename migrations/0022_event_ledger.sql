-- compatible: a new table and columns; an older worker is refused the events of a month that is in the ledger, and
-- keeps them in its spill until it is a newer one

-- The ledger: which events there are of the months that only ClickHouse holds. It says what is stored
-- already, as the unique index of `events` does for the other months.
create table event_ledger (
  project_id integer not null,
  day date not null,
  uuid uuid not null,
  primary key (project_id, day, uuid)
) partition by range (day);

-- `keeps`: who is to hold events, 'both' stores or 'clickhouse' alone; the partitions of the ledger say of
-- which months that is true. `is_full`: the outbox takes no more, as ClickHouse has taken nothing for long.
alter table event_keeper
  add column keeps text not null default 'both',
  add column is_full boolean not null default false;

-- On partitions of `events` whose month is in the ledger. As if there were no such partition: that is what a
-- worker that remembers the month otherwise knows how to mend. Whoever brings a month back says so.
create function refuse_event_of_ledger() returns trigger language plpgsql as $$
begin
  if current_setting('sluice.brings_month', true) is distinct from 'yes' then
    raise exception 'the month is in the ledger: only ClickHouse holds its events' using errcode = 'check_violation';
  end if;
  return new;
end $$;
