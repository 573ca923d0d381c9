-- compatible: a column with a default, which older workers leave as it is

-- Day that the weeks of a project begin with: 0 Sunday, 1 Monday.
alter table projects add column week_start_day smallint not null default 1
  check (week_start_day in (0, 1));
