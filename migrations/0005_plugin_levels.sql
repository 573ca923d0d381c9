-- compatible: rows and a default of a column that an older worker reads as they are

-- Every organization could publish plugins for all of them. Only the first one still may, which the
-- operator has made with the instance; `sluice admin set-plugins-level` names others.
alter table organizations alter column plugins_access_level set default 6;

create temporary table demoted on commit drop as
select id from organizations
where plugins_access_level = 9 and id is distinct from coalesce(
  (
    select m.organization_id from memberships m join users u on u.id = m.user_id
    where u.is_staff and m.level = 15 order by u.id, m.joined_at, m.organization_id limit 1
  ),
  (select o.id from organizations o order by o.created_at, o.id limit 1)
);

update organizations set plugins_access_level = 6 where id in (select id from demoted);

-- Their plugins that no other organization uses are their own again. The others go on.
update plugins p set is_global = false, updated_at = now()
where p.is_global and p.organization_id in (select id from demoted)
  and not exists (
    select from plugin_configs c join projects used_in on used_in.id = c.project_id
    where c.plugin_id = p.id and used_in.organization_id <> p.organization_id
  );
