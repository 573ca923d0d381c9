-- compatible: a column with a default and a kind of change; an older worker ends a deletion without forgetting answers

-- True once the walk of a deletion is over: what remains is to forget answers that were counted before.
alter table deletions add column is_walked boolean not null default false;

-- 'forgotten': copies of answers have been deleted, with the data that they were counted from. What was
-- counted before is not kept any more.
alter table project_changes drop constraint project_changes_kind_check;
alter table project_changes add constraint project_changes_kind_check
  check (kind in ('deletion', 'identity', 'forgotten'));
