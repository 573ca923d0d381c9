/**
 * Versions of a plugin's source. The newest one is in the plugin's own rows. Older ones are kept as
 * long as a config runs them: a config of another organization continues with the version it was
 * set up with.
 */
import type { OrganizationId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'

/**
 * Keeps the newest version for the configs of other organizations that run it, and raises the
 * version. Call before the source is changed, with the plugin locked.
 */
export async function beginVersion(db: Db, plugin: number): Promise<void> {
  await db`
    insert into plugin_versions (plugin_id, version, config_schema, public_jobs, capabilities)
    select p.id, p.version, p.config_schema, p.public_jobs, p.capabilities
    from plugins p where p.id = ${plugin} and exists (select from ${followers(db)})`
  await db`
    insert into plugin_version_files (plugin_id, version, filename, source, compiled, error)
    select f.plugin_id, k.version, f.filename, f.source, f.compiled, f.error
    from plugins p
    join plugin_versions k on k.plugin_id = p.id and k.version = p.version
    join plugin_source_files f on f.plugin_id = p.id
    where p.id = ${plugin}`
  await db`
    update plugin_configs c set kept_version = p.version
    from plugins p
    where p.id = ${plugin} and c.id in (select f.id from ${followers(db)})`
  await db`update plugins set version = version + 1 where id = ${plugin}`
  await removeUnusedVersions(db, plugin)
}

/** Configs `f` of other organizations than that of the plugin `p`, which run its newest version. */
function followers(db: Db) {
  return db`(
    select c.id from plugin_configs c join projects used_in on used_in.id = c.project_id
    where c.plugin_id = p.id and c.kept_version is null
      and used_in.organization_id is distinct from p.organization_id
  ) as f`
}

/** Switches the config to the newest version, and to later ones if the plugin is its own. */
export async function takeNewestVersion(db: Db, plugin: number, config: number): Promise<void> {
  await db`update plugin_configs set kept_version = null where id = ${config}`
  await removeUnusedVersions(db, plugin)
}

async function removeUnusedVersions(db: Db, plugin: number): Promise<void> {
  await db`
    delete from plugin_versions k where k.plugin_id = ${plugin} and not exists (
      select from plugin_configs c where c.plugin_id = k.plugin_id and c.kept_version = k.version
    )`
}

/** Organizations with a config of the plugin, without its own one. */
export async function organizationsUsing(db: Db, plugin: number): Promise<OrganizationId[]> {
  const rows = await db<{ id: OrganizationId }[]>`
    select distinct used_in.organization_id as id
    from plugin_configs c
    join projects used_in on used_in.id = c.project_id
    join plugins p on p.id = c.plugin_id
    where c.plugin_id = ${plugin} and used_in.organization_id is distinct from p.organization_id
    order by 1`
  return rows.map(({ id }) => id)
}

/** A column of the version that the config `c` runs, of the plugin whose alias is given. */
export function versionColumn(
  db: Db,
  column: 'config_schema' | 'public_jobs' | 'capabilities',
  alias: 'p' | 'pl' = 'p',
) {
  const name = db(column)
  return db`
    case when c.kept_version is null then ${db(alias)}.${name} else (
      select k.${name} from plugin_versions k
      where k.plugin_id = c.plugin_id and k.version = c.kept_version
    ) end`
}

/** The files of the version that the config `c` runs. */
export function versionFiles(db: Db) {
  return db`
    (
      select f.filename, f.source, f.compiled, f.error from plugin_source_files f
      where f.plugin_id = c.plugin_id and c.kept_version is null
      union all
      select f.filename, f.source, f.compiled, f.error from plugin_version_files f
      where f.plugin_id = c.plugin_id and f.version = c.kept_version
    )`
}
