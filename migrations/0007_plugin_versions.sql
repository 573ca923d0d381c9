-- compatible: new tables and columns; an older worker runs the newest source for every config

-- Raised by every change of the source.
alter table plugins add column version integer not null default 1;

-- Versions that are not the newest, as long as a config of another organization runs them.
create table plugin_versions (
  plugin_id integer not null references plugins (id) on delete cascade,
  version integer not null,
  config_schema json not null,
  public_jobs json not null,
  capabilities json not null,
  primary key (plugin_id, version)
);

create table plugin_version_files (
  plugin_id integer not null,
  version integer not null,
  filename text not null,
  source text not null,
  compiled text,
  error text,
  primary key (plugin_id, version, filename),
  foreign key (plugin_id, version) references plugin_versions (plugin_id, version) on delete cascade
);

-- The version that a config keeps until its project takes the newest; null is the newest.
alter table plugin_configs add column kept_version integer;
alter table plugin_configs add foreign key (plugin_id, kept_version)
  references plugin_versions (plugin_id, version);
