-- compatible: new columns and a table; what an older worker writes is sealed by the next rotation

-- Settings that were saved as secrets stay so, whatever the plugin declares later.
alter table plugin_configs add column secret_names text[] not null default '{}';
alter table plugin_attachments add column is_sealed boolean not null default false;

-- Keys under which secrets are sealed, by their digests: a worker without one of them does not start.
create table secret_keys (
  id text primary key,
  created_at timestamptz not null default now()
);

-- What is secret by what the plugins declare today: a list of settings, or an object by key.
update plugin_configs c set secret_names = coalesce((
  select array_agg(distinct s.key)
  from plugins p
  left join plugin_versions k on k.plugin_id = p.id and k.version = c.kept_version
  cross join lateral (
    select coalesce(k.config_schema, p.config_schema)::jsonb as schema
  ) of_config
  cross join lateral (
    select e.item ->> 'key' as key, e.item
    from jsonb_array_elements(
      case when jsonb_typeof(schema) = 'array' then schema else '[]' end) as e (item)
    union all
    select o.key, o.value from jsonb_each(
      case when jsonb_typeof(schema) = 'object' then schema else '{}' end) as o
  ) s
  where p.id = c.plugin_id and s.key is not null and jsonb_typeof(s.item) = 'object'
    and coalesce(s.item -> 'secret', 'false') not in ('false', 'null', '0', '""')
    and (c.settings::jsonb ? s.key and c.settings ->> s.key <> '' or exists (
      select from plugin_attachments a where a.plugin_config_id = c.id and a.key = s.key
    ))
), '{}');
