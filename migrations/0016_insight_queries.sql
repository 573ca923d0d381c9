-- compatible: a new table; older workers never look at it

-- Questions that were asked under a name, so that any worker can tell what became of them. Losing
-- them in a crash is harmless: they are asked again.
create unlogged table insight_queries (
  project_id integer not null references projects (id) on delete cascade,
  id text not null,
  -- The attempt: a name that is asked again has another.
  run uuid not null,
  is_async boolean not null,
  started_at timestamptz not null default now(),
  -- Renewed by the worker that answers.
  seen_at timestamptz not null default now(),
  finished_at timestamptz,
  done integer not null default 0,
  total integer not null,
  -- JSON of the answer, as it is sent.
  answer text,
  -- Error body: type, code, detail, attr.
  failure json,
  primary key (project_id, id)
);
