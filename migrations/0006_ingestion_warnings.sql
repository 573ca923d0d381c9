-- compatible: a new table

-- What ingestion left out of events, for the project to see. One row counts the warnings of a type about
-- one person or group; a project has a bounded number of rows, the newest.
create table ingestion_warnings (
  project_id integer not null references projects (id) on delete cascade,
  type text not null,
  -- md5 of whom it is about: names may be longer than an entry of an index.
  subject uuid not null,
  details json not null,
  count bigint not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (project_id, type, subject)
);
