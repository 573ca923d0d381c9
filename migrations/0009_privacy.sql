-- compatible: new tables, an index, and a column that may be null; an older worker does not see them

-- Events older than so many whole days (UTC) go in the background; null keeps them.
alter table projects add column events_retention_days integer check (events_retention_days > 0);

-- What is deleted in the background: the events of a person, events by filter, events by age. Each
-- chunk commits with its progress, so that a worker that dies leaves the rest to the next.
create table deletions (
  id uuid primary key,
  project_id integer not null references projects (id) on delete cascade,
  kind text not null check (kind in ('person', 'events', 'retention')),
  state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  person_uuid uuid,
  with_events boolean not null default true,
  -- The parameters of a list of events, as they were sent.
  filters json,
  -- Events of earlier days go.
  cutoff date,
  total bigint,
  deleted bigint not null default 0,
  -- Where the walk goes on: the key of the last row that it has seen, as texts.
  place text[],
  error text,
  asked_by integer references users (id) on delete set null,
  asked_at timestamptz not null default clock_timestamp(),
  -- Transactions before this number may have been under way.
  asked_xid bigint not null default pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
  started_at timestamptz,
  finished_at timestamptz
);
create index deletions_project on deletions (project_id, asked_at desc, id);
create index deletions_running on deletions (asked_at, id) where state = 'running';
create unique index deletions_retention on deletions (project_id)
  where kind = 'retention' and state = 'running';

-- Distinct ids of deleted persons. Events of them that were accepted before the deletion and come
-- home from the spill after it are known by the digest. The text is there while the deletion runs.
create table deleted_distinct_ids (
  project_id integer not null,
  digest bytea not null,
  deletion_id uuid not null,
  with_events boolean not null,
  asked_at timestamptz not null,
  distinct_id text,
  primary key (project_id, digest, deletion_id)
);
create index deleted_distinct_ids_walk on deleted_distinct_ids
  (deletion_id, distinct_id collate "C") where distinct_id is not null;
create index deleted_distinct_ids_age on deleted_distinct_ids (asked_at);

-- Counters of the days that a dropped partition held.
create index event_counts_day on event_counts (day);
