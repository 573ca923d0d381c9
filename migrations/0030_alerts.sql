-- compatible: new tables, which an older worker does not see

-- Alerts on insights, checked after each interval by whichever worker takes them.
create table alerts (
  id uuid primary key,
  project_id integer not null references projects (id) on delete cascade,
  -- Null once the insight is gone.
  insight_id integer references insights (id) on delete set null,
  name text not null default '',
  condition json not null,
  threshold json not null,
  config json not null,
  calculation_interval text not null default 'daily'
    check (calculation_interval in ('hourly', 'daily', 'weekly', 'monthly')),
  enabled boolean not null default true,
  disabled_reason text,
  snoozed_until timestamptz,
  -- Ids of users who get a mail.
  subscribed_users integer[] not null default '{}',
  chat boolean not null default false,
  webhook_url text,
  webhook_secret text not null,
  webhook_error text,
  -- The first of the failures that no success has followed.
  webhook_failing_since timestamptz,
  webhook_disabled_at timestamptz,
  state text not null default 'Not firing' check (state in ('Firing', 'Not firing', 'Errored')),
  -- Those who subscribed know that it fires.
  is_told boolean not null default false,
  last_value float8,
  -- Raised by each change and each turn of a worker: an earlier turn writes nothing any more.
  turn integer not null default 0,
  leased_until timestamptz,
  next_check_at timestamptz not null default now(),
  last_checked_at timestamptz,
  last_notified_at timestamptz,
  created_by integer references users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index alerts_list on alerts (project_id, created_at desc, id);
create index alerts_insight on alerts (insight_id);
create index alerts_due on alerts (next_check_at) where enabled;

-- One row for each check; `due_at` is the time that it was due.
create table alert_checks (
  alert_id uuid not null references alerts (id) on delete cascade,
  due_at timestamptz not null,
  checked_at timestamptz not null default now(),
  state text not null check (state in ('Firing', 'Not firing', 'Errored')),
  value float8,
  detail text not null default '',
  is_told boolean not null,
  primary key (alert_id, due_at)
);

-- Messages for the webhooks of alerts. The address is that of the alert when a message is sent.
create table alert_webhooks (
  id uuid primary key,
  alert_id uuid not null references alerts (id) on delete cascade,
  body text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index alert_webhooks_due on alert_webhooks (next_attempt_at);
create index alert_webhooks_alert on alert_webhooks (alert_id);
