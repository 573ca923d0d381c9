-- compatible: new tables, and columns with defaults; an older worker sends such mails without pictures

-- Insights, dashboards and weekly summaries that are sent at a local time of the project.
create table subscriptions (
  id uuid primary key,
  project_id integer not null references projects (id) on delete cascade,
  kind text not null check (kind in ('insight', 'dashboard', 'summary')),
  -- Null once it is gone, and for another kind.
  insight_id integer references insights (id) on delete set null,
  dashboard_id integer references dashboards (id) on delete set null,
  title text not null default '',
  frequency text not null default 'weekly' check (frequency in ('daily', 'weekly', 'monthly')),
  -- 1 is Monday.
  day_of_week smallint not null default 1 check (day_of_week between 1 and 7),
  -- A shorter month has its last day.
  day_of_month smallint not null default 1 check (day_of_month between 1 and 31),
  -- HH:MM on the clock of the project.
  time_of_day text not null default '09:00',
  chat boolean not null default false,
  enabled boolean not null default true,
  disabled_reason text,
  -- Raised by each change and each turn of a worker: an earlier turn writes nothing any more.
  turn integer not null default 0,
  leased_until timestamptz,
  next_send_at timestamptz not null,
  last_sent_at timestamptz,
  created_by integer references users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index subscriptions_list on subscriptions (project_id, created_at desc, id);
create index subscriptions_insight on subscriptions (insight_id);
create index subscriptions_dashboard on subscriptions (dashboard_id);
create index subscriptions_due on subscriptions (next_send_at) where enabled;

-- Addresses of a subscription. One that has unsubscribed stays when it is taken off the list: it gets no
-- further mail, also when it is listed again.
create table subscription_recipients (
  subscription_id uuid not null references subscriptions (id) on delete cascade,
  email text not null,
  is_listed boolean not null default true,
  state text not null default 'active' check (state in ('active', 'bounced', 'unsubscribed')),
  reason text,
  changed_at timestamptz not null default now(),
  primary key (subscription_id, email)
);

-- Digests of the secrets in links to unsubscribe, one for each mail.
create table unsubscribe_tokens (
  digest bytea primary key,
  subscription_id uuid not null references subscriptions (id) on delete cascade,
  email text not null,
  created_at timestamptz not null default now()
);
create index unsubscribe_tokens_subscription on unsubscribe_tokens (subscription_id, created_at);

-- Parts that the mails of one turn share.
create table mail_contents (
  id uuid primary key,
  html text not null,
  created_at timestamptz not null default now()
);
create table mail_pictures (
  content_id uuid not null references mail_contents (id) on delete cascade,
  place smallint not null,
  png bytea not null,
  primary key (content_id, place)
);
alter table mail_outbox
  add column content_id uuid references mail_contents (id) on delete cascade,
  add column unsubscribe_url text,
  add column subscription_id uuid references subscriptions (id) on delete cascade;
create index mail_outbox_content on mail_outbox (content_id);
create index mail_outbox_subscription on mail_outbox (subscription_id);

-- Sums of minutes that have left dropped_events, by days of UTC.
create table dropped_days (
  project_id integer not null,
  day date not null,
  reason text not null,
  count bigint not null,
  primary key (project_id, day, reason)
);
create index dropped_days_day on dropped_days (day);
