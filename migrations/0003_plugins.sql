-- compatible: new tables, and plugins without an organization, which an older worker does not list

-- A plugin that comes with the product belongs to nobody and has its name here.
alter table plugins alter column organization_id drop not null;
alter table plugins add column builtin text unique;
alter table plugins
  add constraint plugins_owner check ((builtin is null) = (organization_id is not null));

-- Counters of plugins: `meta.utils.cursor`.
create table plugin_cursors (
  plugin_config_id integer not null references plugin_configs (id) on delete cascade,
  key text not null,
  value bigint not null,
  primary key (plugin_config_id, key)
);

-- The newest minute, hour or day for which a scheduled task was taken, so that it runs once.
create table plugin_schedules (
  plugin_config_id integer not null references plugin_configs (id) on delete cascade,
  kind text not null check (kind in ('runEveryMinute', 'runEveryHour', 'runEveryDay')),
  slot timestamptz not null,
  primary key (plugin_config_id, kind)
);
