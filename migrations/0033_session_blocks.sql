-- compatible: a new table; an older worker neither reads nor writes it. What it leaves after a
-- deletion has an old version, so nothing reads it, and a newer worker writes it again

-- Events of one UTC day that sessions are made of, without their properties and with hashes for
-- distinct ids: the past of large projects, for questions about a site. Losing them costs the time to
-- read the events again, so nothing is written ahead for them.
create unlogged table session_blocks (
  project_id integer not null,
  -- Days since 1970.
  day integer not null,
  -- Version of the events of the day: their number and the deletions of the project.
  version text not null,
  -- Store, format and member lists: blocks of another form are not read together.
  form text not null,
  -- Hashes of the roles whose bits the events have, in order, with commas between them.
  roles text not null,
  events integer not null,
  bytes bytea not null,
  primary key (project_id, day)
);
alter table session_blocks alter column bytes set storage external;
