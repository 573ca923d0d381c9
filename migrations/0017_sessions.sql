-- compatible: new tables; older workers never look at them

-- Who is signed in. Whoever has the bytes that a row is the digest of is its user.
create table sessions (
  id_sha256 bytea primary key,
  -- Names the row in lists and in the audit log; no secret.
  id uuid not null unique,
  user_id integer not null references users (id) on delete cascade,
  -- The personal key that the session was made from: it has the key's limits and ends with it.
  key_id text references personal_api_keys (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- To some minutes.
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- As the browser calls itself.
  agent text not null
);
create index sessions_user on sessions (user_id);
create index sessions_key on sessions (key_id) where key_id is not null;
create index sessions_expiry on sessions (expires_at);

-- Links that sign a user in once. They stay for a day, so that one that was used can be told.
create table login_links (
  token_sha256 bytea primary key,
  user_id integer not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index login_links_user on login_links (user_id);
create index login_links_expiry on login_links (expires_at);
