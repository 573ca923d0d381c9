-- compatible: the same function, with another plan

-- Reads the row of `event_keeper` by its key: connections of the writer have scans off, and the planner of older
-- versions of Postgres charges so much for one that it would compile the statement.
create or replace function tell_copy_of_ids() returns trigger language plpgsql as $$
begin
  insert into distinct_id_changes (project_id, distinct_id)
  select project_id, distinct_id from changed
  where exists (select from event_keeper where id and expires_at > now() - interval '7 days');
  return null;
end $$;
