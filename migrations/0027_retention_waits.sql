-- compatible: an older worker deletes by events_retention_days at once, as it always has

-- Until `events_retention_from` a project keeps its events for `events_retention_before` days, null for ever;
-- events_retention_days holds from then on.
alter table projects
  add column events_retention_before integer,
  add column events_retention_from timestamptz;
