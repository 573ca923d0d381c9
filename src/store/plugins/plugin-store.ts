import { type OrganizationId, type ProjectId, type Revision, revision } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { versionColumn } from './plugin-version-store.ts'

export type PluginType = 'local' | 'custom' | 'repository' | 'source'

/** The fields of a plugin that clients may write. */
export type PluginFields = {
  readonly name: string
  readonly description: string | null
  readonly url: string | null
  readonly icon: string | null
  readonly isGlobal: boolean
}

/** Declarations in `plugin.json`. */
export type PluginDeclarations = {
  readonly configSchema: Json
  readonly publicJobs: Json
}

export type StoredPlugin = PluginFields &
  PluginDeclarations & {
    readonly id: number
    /** Null for a plugin that comes with the product. */
    readonly organizationId: OrganizationId | null
    readonly organizationName: string | null
    readonly pluginType: PluginType
    readonly tag: string | null
    readonly latestTag: string | null
    readonly capabilities: Json
    readonly metrics: Json
    /** The newest one of its source. */
    readonly version: number
  }

/** A project whose revision a change has raised. */
export type RaisedProject = { readonly id: ProjectId; readonly revision: Revision }

/** Own plugins and global ones, by id. */
export async function listPlugins(
  db: Db,
  organization: OrganizationId,
  page: { limit: number; offset: number },
): Promise<StoredPlugin[]> {
  return await db<StoredPlugin[]>`
    select ${pluginColumns(db)}
    from plugins p left join organizations o on o.id = p.organization_id
    where p.organization_id = ${organization} or p.is_global
    order by p.id limit ${page.limit} offset ${page.offset}`
}

export async function countPlugins(db: Db, organization: OrganizationId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from plugins
    where organization_id = ${organization} or is_global`
  return row?.count ?? 0
}

/** One that the organization may use: its own, or a global one. */
export async function findPlugin(
  db: Db,
  organization: OrganizationId,
  id: number,
): Promise<StoredPlugin | undefined> {
  const [row] = await db<StoredPlugin[]>`
    select ${pluginColumns(db)}
    from plugins p left join organizations o on o.id = p.organization_id
    where p.id = ${id} and (p.organization_id = ${organization} or p.is_global)`
  return row
}

/**
 * As `findPlugin`, and share-locks the plugin until the transaction ends: a concurrent change of it
 * waits, and then sees the config that is made here.
 */
export async function shareLockPlugin(
  db: Db,
  organization: OrganizationId,
  id: number,
): Promise<StoredPlugin | undefined> {
  const [row] = await db<StoredPlugin[]>`
    select ${pluginColumns(db)}
    from plugins p left join organizations o on o.id = p.organization_id
    where p.id = ${id} and (p.organization_id = ${organization} or p.is_global)
    for share of p`
  return row
}

/** An organization's own one, kept as it is until the transaction ends. */
export async function lockOwnPlugin(
  db: Db,
  organization: OrganizationId,
  id: number,
): Promise<StoredPlugin | undefined> {
  const [row] = await db<StoredPlugin[]>`
    select ${pluginColumns(db)}
    from plugins p left join organizations o on o.id = p.organization_id
    where p.id = ${id} and p.organization_id = ${organization}
    for update of p`
  return row
}

/** The plugin of a config in the version that this runs, where the config's organization may still use it. */
export async function findPluginOfConfig(
  db: Db,
  project: ProjectId,
  config: number,
): Promise<StoredPlugin | undefined> {
  const [row] = await db<StoredPlugin[]>`
    select ${pluginColumns(db, {
      configSchema: versionColumn(db, 'config_schema'),
      publicJobs: versionColumn(db, 'public_jobs'),
      capabilities: versionColumn(db, 'capabilities'),
    })}
    from plugin_configs c
    join projects of_config on of_config.id = c.project_id
    join plugins p on p.id = c.plugin_id
    left join organizations o on o.id = p.organization_id
    where c.id = ${config} and c.project_id = ${project}
      and (p.is_global or p.organization_id = of_config.organization_id)`
  return row
}

function pluginColumns(
  db: Db,
  { configSchema, publicJobs, capabilities } = {
    configSchema: db`p.config_schema`,
    publicJobs: db`p.public_jobs`,
    capabilities: db`p.capabilities`,
  },
) {
  return db`
    p.id, p.organization_id as "organizationId", o.name as "organizationName",
    p.plugin_type as "pluginType", p.name, p.description, p.url, p.icon,
    ${configSchema} as "configSchema", p.tag, p.latest_tag as "latestTag",
    p.is_global as "isGlobal", ${capabilities} as capabilities, p.metrics,
    ${publicJobs} as "publicJobs", p.version`
}

/** @throws {PostgresError} 23505 on `plugins_url` when the organization has one from that URL. */
export async function insertPlugin(
  db: Db,
  organization: OrganizationId,
  type: PluginType,
  p: PluginFields & PluginDeclarations,
): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    insert into plugins (
      organization_id, plugin_type, name, description, url, icon, is_global, config_schema,
      public_jobs
    ) values (
      ${organization}, ${type}, ${p.name}, ${p.description}, ${p.url}, ${p.icon}, ${p.isGlobal},
      ${jsonText(p.configSchema)}::text::json, ${jsonText(p.publicJobs)}::text::json
    ) returning id`
  if (row === undefined) throw new Error('insert into plugins answered no row')
  return row.id
}

/**
 * Writes every writable field: the caller holds the row's lock and has merged the change in.
 * @throws {PostgresError} 23505 on `plugins_url` when the organization has one from that URL.
 */
export async function updatePlugin(
  db: Db,
  id: number,
  p: PluginFields & PluginDeclarations,
): Promise<void> {
  await db`
    update plugins set
      name = ${p.name}, description = ${p.description}, url = ${p.url}, icon = ${p.icon},
      is_global = ${p.isGlobal}, config_schema = ${jsonText(p.configSchema)}::text::json,
      public_jobs = ${jsonText(p.publicJobs)}::text::json, updated_at = now()
    where id = ${id}`
}

/** Deletes a plugin with its files and its configs. */
export async function deletePlugin(db: Db, id: number): Promise<void> {
  await db`delete from plugins where id = ${id}`
}

/** Raises the revision of each project of an organization, because what its plugins may changes. */
export async function raiseRevisionsOf(
  db: Db,
  organization: OrganizationId,
): Promise<RaisedProject[]> {
  const rows = await db<{ id: ProjectId; revision: bigint }[]>`
    with own as materialized (
      select id from projects where organization_id = ${organization}
      order by id for no key update
    )
    update projects p set revision = p.revision + 1 from own where p.id = own.id
    returning p.id, p.revision`
  return rows.map((row) => ({ id: row.id, revision: revision(Number(row.revision)) }))
}

/**
 * Raises the revision of each project that has a config of the plugin, in order of their ids, so
 * that changes of two plugins of the same projects do not deadlock.
 *
 * A plugin belongs to an organization and to no shard, so no epoch fences this. None is needed: it
 * uses no state that a worker remembers, and a raised revision outdates every cache.
 *
 * @param raised projects that have been raised already.
 */
export async function raiseRevisions(
  db: Db,
  plugin: number,
  raised: readonly RaisedProject[],
): Promise<RaisedProject[]> {
  const rows = await db<{ id: ProjectId; revision: bigint }[]>`
    with users as materialized (
      select p.id from projects p
      where p.id in (select c.project_id from plugin_configs c where c.plugin_id = ${plugin})
        and not p.id = any(${raised.map(({ id }) => String(id))}::text[]::integer[])
      order by p.id for no key update
    )
    update projects p set revision = p.revision + 1 from users u where p.id = u.id
    returning p.id, p.revision`
  return rows.map((row) => ({ id: row.id, revision: revision(Number(row.revision)) }))
}

/** Whether a config `c` runs: it is enabled, and may. */
export function inForce(db: Db) {
  return db`(c.enabled and ${mayRun(db)})`
}

/**
 * Whether a config `c` may run, once it is enabled: its organization may run plugins, and the plugin
 * comes with the product, is global, or is the organization's own.
 */
export function mayRun(db: Db) {
  return db`(
    exists (
      select from projects of_config
      join organizations owner on owner.id = of_config.organization_id
      join plugins used on used.id = c.plugin_id
      where of_config.id = c.project_id and owner.plugins_access_level > 0
        and (used.builtin is not null or used.is_global or used.organization_id = owner.id)
    )
  )`
}
