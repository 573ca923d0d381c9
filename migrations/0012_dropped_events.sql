-- compatible: a new table; an older worker does not write it

-- Events that were dropped, refused or changed, by the minute; kept for an hour.
create table dropped_events (
  -- 0 where no project is known, so no reference.
  project_id integer not null,
  reason text not null,
  minute timestamptz not null,
  count bigint not null,
  primary key (project_id, minute, reason)
);
create index dropped_events_minute on dropped_events (minute);
