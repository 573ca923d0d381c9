-- compatible: new columns; older workers neither read nor write them

-- In how many parts ClickHouse has the events, in all and at most in one month: too many, and it takes no more.
alter table event_keeper
  add column parts integer not null default 0,
  add column parts_most integer not null default 0;
