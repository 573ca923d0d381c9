import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import type { Db } from '../../postgres/db.ts'
import { withDefaults } from '../../project/plugin-config-schema.ts'
import type {
  PluginCode,
  PluginDefinition,
  PluginFile,
  PluginPlan,
  PluginStep,
} from '../../project/plugin-ports.ts'
import { openSettings, placeOf, type SecretsOwner } from '../secrets/plugin-secrets.ts'
import { inForce, mayRun } from './plugin-store.ts'
import { versionColumn, versionFiles } from './plugin-version-store.ts'

/** The plugins that take a project's events; undefined when there are none. */
export async function loadPluginPlan(db: Db, project: ProjectId): Promise<PluginPlan | undefined> {
  const [row] = await db<{ plugins: PluginPlan | null }[]>`
    select ${planColumn(db)} as plugins from projects p where p.id = ${project}`
  return row?.plugins ?? undefined
}

/** A `PluginPlan` as JSON, null for none, of the row `p` of `projects`. */
export function planColumn(db: Db) {
  return db`
    (
      select json_agg(json_build_object(
        'configId', c.id, 'pluginId', c.plugin_id, 'pluginName', pl.name, 'order', c."order",
        'stamp', ${stampOf(db)}
      ) order by c."order", c.plugin_id)
      from plugin_configs c join plugins pl on pl.id = c.plugin_id
      where c.project_id = p.id and ${inForce(db)}
    )`
}

/**
 * Stamp of a config `c` of a plugin `pl`, which changes with every save of either. Whatever the
 * runtime stores in them must leave the columns read here unchanged.
 */
export function stampOf(db: Db) {
  return db`
    md5(concat_ws(' ',
      extract(epoch from c.updated_at), extract(epoch from pl.updated_at),
      (
        select string_agg(a.id::text, ' ' order by a.key)
        from plugin_attachments a where a.plugin_config_id = c.id
      ),
      coalesce(c.kept_version::text, (
        select string_agg(f.filename || extract(epoch from f.updated_at), ' ' order by f.filename)
        from plugin_source_files f where f.plugin_id = pl.id
      ))
    ))`
}

type DefinitionRow = PluginStep & {
  readonly organizationId: string
  readonly settings: JsonObject
  readonly configSchema: Json
  readonly logLevel: number
  readonly builtin: string | null
  readonly filename: 'index.ts' | 'index.js' | null
  readonly source: string | null
}

/**
 * Loads the definitions of configs, enabled or not, whose plugins the project may run; others are
 * left out. In the order in which they run, with secrets in clear.
 * @throws {AppError} `failed_precondition` when a secret cannot be opened.
 */
export async function loadPluginDefinitions(
  db: Db,
  secrets: KeyRing,
  project: ProjectId,
  configIds: readonly number[],
): Promise<PluginDefinition[]> {
  const ids = configIds.map(String)
  // Read before the files: if they change in between, the stamp is the older one, never newer.
  const rows = await db<DefinitionRow[]>`
    select c.id as "configId", c.plugin_id as "pluginId", pl.name as "pluginName", c."order",
      ${stampOf(db)} as stamp, p.organization_id as "organizationId", c.settings,
      ${versionColumn(db, 'config_schema', 'pl')} as "configSchema", pl.log_level as "logLevel", pl.builtin, f.filename,
      f.source
    from plugin_configs c
    join projects p on p.id = c.project_id
    join plugins pl on pl.id = c.plugin_id
    left join lateral (
      select filename, source from ${versionFiles(db)} as files
      where filename in ('index.ts', 'index.js')
      order by filename = 'index.ts' desc limit 1
    ) f on true
    where c.project_id = ${project} and c.id = any(${ids}::text[]::integer[]) and ${mayRun(db)}
    order by c."order", c.plugin_id`
  const files = rows.length === 0 ? new Map() : await loadFiles(db, secrets, project, rows)
  return rows.map((row) => ({
    projectId: project,
    organizationId: row.organizationId,
    step: {
      configId: row.configId,
      pluginId: row.pluginId,
      pluginName: row.pluginName,
      order: row.order,
      stamp: row.stamp,
    },
    settings: withDefaults(
      row.configSchema,
      openSettings(secrets, ownerOf(project, row), row.settings),
    ),
    attachments: files.get(row.configId) ?? new Map(),
    logLevel: row.logLevel,
    code: codeOf(row),
  }))
}

function codeOf({ builtin, filename, source }: DefinitionRow): PluginCode {
  if (builtin !== null) return { kind: 'builtin', name: builtin }
  if (filename === null || source === null) return { kind: 'none' }
  return { kind: 'source', file: filename, source }
}

function ownerOf(projectId: ProjectId, { pluginId }: DefinitionRow): SecretsOwner {
  return { projectId, pluginId }
}

type FileRow = PluginFile & { config: number; key: string; isSealed: boolean }

/** Files by config, then by key. */
async function loadFiles(
  db: Db,
  secrets: KeyRing,
  project: ProjectId,
  configs: readonly DefinitionRow[],
): Promise<Map<number, Map<string, PluginFile>>> {
  const owners = new Map(configs.map((row) => [row.configId, ownerOf(project, row)]))
  const rows = await db<FileRow[]>`
    select plugin_config_id as config, key, content_type as "contentType",
      file_name as "fileName", contents, is_sealed as "isSealed"
    from plugin_attachments
    where plugin_config_id = any(${[...owners.keys()].map(String)}::text[]::integer[])
    order by plugin_config_id, key`
  const byConfig = new Map<number, Map<string, PluginFile>>()
  for (const { config, key, isSealed, ...file } of rows) {
    const files = byConfig.get(config) ?? new Map<string, PluginFile>()
    const owner = owners.get(config)
    assert(owner !== undefined, 'files of the configs that were asked for')
    const contents = isSealed ? secrets.open(file.contents, placeOf(owner, key)) : file.contents
    byConfig.set(config, files.set(key, { ...file, contents }))
  }
  return byConfig
}
