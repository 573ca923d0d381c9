-- compatible: a new table, which an older worker does not see

-- Links to an insight, a dashboard or the numbers of a site, for people without an account.
create table shared_links (
  id uuid primary key,
  project_id integer not null references projects (id) on delete cascade,
  kind text not null check (kind in ('insight', 'dashboard', 'web')),
  insight_id integer references insights (id) on delete cascade,
  dashboard_id integer references dashboards (id) on delete cascade,
  -- SHA-256 of the token, which nothing keeps in clear.
  token_digest bytea not null,
  title text not null default '',
  enabled boolean not null default true,
  -- Range, filters and test accounts of the numbers of a site.
  filters json not null default '{}',
  password_hash text,
  expires_at timestamptz,
  -- Raised by each change: answers of an earlier one are not shown any more.
  revision integer not null default 0,
  created_by integer references users (id) on delete set null,
  created_at timestamptz not null default now(),
  check ((kind = 'insight') = (insight_id is not null)),
  check ((kind = 'dashboard') = (dashboard_id is not null))
);
create unique index shared_links_token on shared_links (token_digest);
create index shared_links_list on shared_links (project_id, created_at desc, id);
create index shared_links_insight on shared_links (insight_id);
create index shared_links_dashboard on shared_links (dashboard_id);
