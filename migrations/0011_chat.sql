-- compatible: a new table, and a column with a default; an older worker does not see them

-- False until the project was told of the new name. What is there already is no news.
alter table event_definitions add column is_announced boolean not null default true;
alter table event_definitions alter column is_announced set default false;
create index event_definitions_new on event_definitions (id) where not is_announced;

-- Messages for the chats of projects. The address is that of the project when a message is sent.
create table chat_outbox (
  id uuid primary key,
  project_id integer not null references projects (id) on delete cascade,
  body text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index chat_outbox_due on chat_outbox (next_attempt_at);
create index chat_outbox_project on chat_outbox (project_id);
