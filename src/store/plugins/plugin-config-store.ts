import type { ProjectId } from '../../core/ids.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { versionColumn } from './plugin-version-store.ts'

/** The fields of a plugin config that clients may write. */
export type PluginConfigFields = {
  readonly enabled: boolean
  readonly order: number
  /** Secrets sealed, those of older releases in clear. */
  readonly settings: JsonObject
  /** Settings and files that were saved as secrets, and stay so. */
  readonly secretNames: readonly string[]
  /** Object or null. */
  readonly error: Json
}

export type StoredAttachment = {
  readonly id: string
  readonly key: string
  readonly fileName: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
}

export type StoredPluginConfig = PluginConfigFields & {
  readonly id: number
  readonly projectId: ProjectId
  readonly pluginId: number
  readonly pluginName: string
  /** Version of the plugin's source that the config runs, and the newest one. */
  readonly version: number
  readonly newestVersion: number
  readonly configSchema: Json
  /** Attachments by key. */
  readonly attachments: readonly StoredAttachment[]
  /** ISO 8601, microseconds, `Z`. */
  readonly createdAt: string
}

/** Config with the share of its successful calls in 24 hours: decimal text, null for no calls. */
export type RatedPluginConfig = StoredPluginConfig & { readonly deliveryRate: string | null }

/** Lists configs in the order in which they run. */
export async function listPluginConfigs(
  db: Db,
  project: ProjectId,
  page: { limit: number; offset: number },
): Promise<RatedPluginConfig[]> {
  return await db<RatedPluginConfig[]>`
    select ${configColumns(db)}, ${deliveryRate(db)}
    from plugin_configs c join plugins p on p.id = c.plugin_id
    where c.project_id = ${project}
    order by c."order", c.plugin_id limit ${page.limit} offset ${page.offset}`
}

export async function countPluginConfigs(db: Db, project: ProjectId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from plugin_configs where project_id = ${project}`
  return row?.count ?? 0
}

export async function listEnabledPluginConfigs(
  db: Db,
  project: ProjectId,
): Promise<RatedPluginConfig[]> {
  return await db<RatedPluginConfig[]>`
    select ${configColumns(db)}, ${deliveryRate(db)}
    from plugin_configs c join plugins p on p.id = c.plugin_id
    where c.project_id = ${project} and c.enabled
    order by c."order", c.plugin_id`
}

export async function findPluginConfig(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<RatedPluginConfig | undefined> {
  const [row] = await db<RatedPluginConfig[]>`
    select ${configColumns(db)}, ${deliveryRate(db)}
    from plugin_configs c join plugins p on p.id = c.plugin_id
    where c.id = ${id} and c.project_id = ${project}`
  return row
}

/** Keeps the row as it is until the transaction ends. */
export async function lockPluginConfig(
  db: Db,
  project: ProjectId,
  id: number,
): Promise<StoredPluginConfig | undefined> {
  const [row] = await db<StoredPluginConfig[]>`
    select ${configColumns(db)}
    from plugin_configs c join plugins p on p.id = c.plugin_id
    where c.id = ${id} and c.project_id = ${project} for update of c`
  return row
}

/** As `lockPluginConfig`, by project and plugin. */
export async function lockPluginConfigOf(
  db: Db,
  project: ProjectId,
  plugin: number,
): Promise<StoredPluginConfig | undefined> {
  const [row] = await db<StoredPluginConfig[]>`
    select ${configColumns(db)}
    from plugin_configs c join plugins p on p.id = c.plugin_id
    where c.plugin_id = ${plugin} and c.project_id = ${project} for update of c`
  return row
}

function configColumns(db: Db) {
  return db`
    c.id, c.project_id as "projectId", c.plugin_id as "pluginId", p.name as "pluginName",
    coalesce(c.kept_version, p.version) as version, p.version as "newestVersion",
    ${versionColumn(db, 'config_schema')} as "configSchema", c.enabled, c."order", c.settings, c.secret_names as "secretNames", c.error,
    (
      select coalesce(json_agg(json_build_object(
        'id', a.id, 'key', a.key, 'fileName', a.file_name, 'contentType', a.content_type,
        'size', octet_length(a.contents)
      ) order by a.key), '[]')
      from plugin_attachments a where a.plugin_config_id = c.id
    ) as attachments,
    to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt"`
}

/** Cut, not rounded: only a config without a failure has a rate of 1. */
function deliveryRate(db: Db) {
  return db`
    (
      select trim_scale(trunc(
        sum(m.successes + m.successes_on_retry)::numeric
          / nullif(sum(m.successes + m.successes_on_retry + m.failures), 0), 10))::text
      from plugin_metrics m
      where m.plugin_config_id = c.id and m.minute > now() - interval '24 hours'
    ) as "deliveryRate"`
}

export async function insertPluginConfig(
  db: Db,
  project: ProjectId,
  plugin: number,
  c: PluginConfigFields,
): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    insert into plugin_configs (
      project_id, plugin_id, enabled, "order", settings, secret_names, error
    )
    values (
      ${project}, ${plugin}, ${c.enabled}, ${c.order}, ${jsonText(c.settings)}::text::json,
      ${[...c.secretNames]}::text[], ${jsonText(c.error)}::text::json
    ) returning id`
  if (row === undefined) throw new Error('insert into plugin_configs answered no row')
  return row.id
}

/** Writes every writable field: the caller holds the row's lock and has merged the change in. */
export async function updatePluginConfig(db: Db, id: number, c: PluginConfigFields): Promise<void> {
  await db`
    update plugin_configs set
      enabled = ${c.enabled}, "order" = ${c.order},
      settings = ${jsonText(c.settings)}::text::json,
      secret_names = ${[...c.secretNames]}::text[], error = ${jsonText(c.error)}::text::json,
      updated_at = now()
    where id = ${id}`
}

/**
 * Makes the config one of another plugin, under the same id. It starts empty: all data of the
 * former plugin is deleted with the row, except log entries.
 */
export async function movePluginConfig(db: Db, id: number, plugin: number): Promise<void> {
  type Row = { projectId: ProjectId; enabled: boolean; order: number; at: string }
  const [row] = await db<Row[]>`
    delete from plugin_configs where id = ${id}
    returning project_id as "projectId", enabled, "order", created_at::text as at`
  if (row === undefined) throw new Error('a config to be moved is gone')
  await db`
    insert into plugin_configs (id, project_id, plugin_id, enabled, "order", created_at)
    values (
      ${id}, ${row.projectId}, ${plugin}, ${row.enabled}, ${row.order},
      ${row.at}::text::timestamptz
    )`
}

/** Reorders the enabled configs of these plugins; others stay as they are. */
export async function reorderPluginConfigs(
  db: Db,
  project: ProjectId,
  orders: readonly { readonly plugin: number; readonly order: number }[],
): Promise<void> {
  await db`
    update plugin_configs c set "order" = o."order", updated_at = now()
    from json_to_recordset(${JSON.stringify(orders)}::text::json)
      as o (plugin integer, "order" integer)
    where c.project_id = ${project} and c.plugin_id = o.plugin and c.enabled`
}

/**
 * Deletes a config with its settings, files, storage, jobs and counts; log entries stay until they
 * expire.
 */
export async function deletePluginConfig(db: Db, id: number): Promise<void> {
  await db`delete from plugin_configs where id = ${id}`
}

export type NewAttachment = {
  readonly id: string
  readonly key: string
  readonly fileName: string
  readonly contentType: string
  /** Sealed, for a secret. */
  readonly contents: Uint8Array
  readonly isSealed: boolean
}

/** Puts each in the place of the one of its key. No key may be there twice. */
export async function saveAttachments(
  db: Db,
  config: number,
  attachments: readonly NewAttachment[],
): Promise<void> {
  const rows = attachments.map(({ contents, ...attachment }) => ({
    ...attachment,
    contents: Buffer.from(contents).toString('base64'),
  }))
  await db`
    insert into plugin_attachments (
      plugin_config_id, key, id, file_name, content_type, contents, is_sealed
    )
    select ${config}, key, id, "fileName", "contentType", decode(contents, 'base64'), "isSealed"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as a (
      key text, id uuid, "fileName" text, "contentType" text, contents text, "isSealed" boolean
    )
    on conflict (plugin_config_id, key) do update set
      id = excluded.id, file_name = excluded.file_name, content_type = excluded.content_type,
      contents = excluded.contents, is_sealed = excluded.is_sealed, created_at = now()`
}

export async function deleteAttachments(
  db: Db,
  config: number,
  keys: readonly string[],
): Promise<void> {
  await db`
    delete from plugin_attachments
    where plugin_config_id = ${config} and key = any(${[...keys]}::text[])`
}
