-- compatible: new tables; an older worker neither reads nor writes them

-- Raised whenever a stored event of a project goes (kind deletion), and whenever a distinct id gets
-- another person (kind identity), in the same transaction. One row a writer slot, as in event_counts.
create table project_changes (
  project_id integer not null,
  kind text not null check (kind in ('deletion', 'identity')),
  slot smallint not null,
  count bigint not null,
  primary key (project_id, kind, slot)
) with (fillfactor = 70);

-- Answers to questions, and numbers of their buckets, each with the version of all that it was
-- counted from. Losing them costs the time to count again, so nothing is written ahead for them.
create unlogged table kept_answers (
  project_id integer not null,
  hash text not null,
  -- The bucket, in ms since 1970; both 0 for a whole answer.
  from_ms bigint not null,
  until_ms bigint not null,
  version text not null,
  -- JSON.
  value text not null,
  -- ms since 1970: when it was counted, and when time alone makes it another one.
  counted_at bigint not null,
  holds_until bigint,
  bytes integer not null,
  kept_at timestamptz not null default clock_timestamp(),
  primary key (project_id, hash, from_ms, until_ms)
);
create index kept_answers_age on kept_answers (project_id, kept_at desc) include (bytes);
