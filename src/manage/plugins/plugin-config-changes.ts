/** Changes of the plugin configs of one project, each through the project's actor. */
import { v7 as uuidv7 } from 'uuid'
import type { PluginAttachment__Output } from '../../../proto/gen/sluice/v1/PluginAttachment.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { invalid, notFound } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import {
  PLUGIN_ATTACHMENT_BYTES_MAX,
  PLUGIN_ATTACHMENT_NAME_LENGTH_MAX,
} from '../../core/limits/limits.ts'
import { cleanText } from '../../core/validation/clean-text.ts'
import {
  type MergedSettings,
  mergeSettings,
  type WriteMode,
} from '../../plugins/settings/settings.ts'
import { type ConfigSchema, readConfigSchema } from '../../project/plugin-config-schema.ts'
import type { ChangeTransaction, MutateProject } from '../../project/ports.ts'
import {
  deleteAttachments,
  type NewAttachment,
  saveAttachments,
} from '../../store/plugins/plugin-attachment-store.ts'
import {
  deletePluginConfig,
  findPluginConfig,
  insertPluginConfig,
  lockPluginConfig,
  lockPluginConfigOf,
  type PluginConfigFields,
  type StoredPluginConfig,
  updatePluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import { shareLockPlugin } from '../../store/plugins/plugin-store.ts'
import type { Db } from '../../store/pool/db.ts'
import { echo } from '../../wire/details.ts'
import type { Json, JsonObject } from '../../wire/proto/value.ts'
import { audit } from '../audit.ts'
import { toAuditedConfig, toPluginConfig } from './plugin-config-message.ts'

/** Who changes, and where. */
export type ConfigCaller = {
  readonly principal: Principal
  readonly access: ProjectAccess
}

/** What is asked for; undefined is as stored. */
export type ConfigChange = {
  readonly enabled?: boolean | undefined
  readonly order?: number | undefined
  readonly error?: Json | undefined
  readonly settings?:
    | {
        readonly given: JsonObject
        readonly mode: WriteMode
        /** Of a setting that is wrong; undefined when it is no single one. */
        readonly attrOf: (key: string | undefined) => string | null
      }
    | undefined
  readonly files?: readonly PluginAttachment__Output[]
  readonly removedFiles?: readonly string[]
}

/** What a change is merged into: a stored config, or what a new one begins with. */
type Base = PluginConfigFields & Pick<StoredPluginConfig, 'configSchema' | 'attachments'>

const NEW_CONFIG = { enabled: false, order: 0, settings: {}, error: null, attachments: [] } as const

/**
 * A project has one config for a plugin: a second one updates the first.
 * @throws {AppError} `invalid_argument` of the field at fault, also for a plugin that the
 * organization may not use.
 */
export async function makeConfig(
  mutateProject: MutateProject,
  caller: ConfigCaller,
  pluginId: number,
  change: ConfigChange,
): Promise<StoredPluginConfig> {
  const { projectId, organizationId } = caller.access
  return await mutateProject(projectId, async (tx) => {
    const plugin = await shareLockPlugin(tx, organizationId, pluginId)
    if (plugin === undefined) throw noSuchPlugin(pluginId)
    const stored = await lockPluginConfigOf(tx, projectId, plugin.id)
    if (stored !== undefined) return await writeConfig(tx, caller, stored, change)
    const planned = plan({ ...NEW_CONFIG, configSchema: plugin.configSchema }, change)
    const id = await insertPluginConfig(tx, projectId, plugin.id, planned.fields)
    await writeFiles(tx, id, planned)
    const made = foundConfig(await findPluginConfig(tx, projectId, id))
    await auditConfig(tx, caller, 'created', null, made)
    return made
  })
}

/** @throws {AppError} `not_found`, `invalid_argument` of the field at fault. */
export async function changeConfig(
  mutateProject: MutateProject,
  caller: ConfigCaller,
  id: number,
  change: ConfigChange,
): Promise<StoredPluginConfig> {
  const { projectId } = caller.access
  return await mutateProject(projectId, async (tx) => {
    const stored = foundConfig(await lockPluginConfig(tx, projectId, id))
    return await writeConfig(tx, caller, stored, change)
  })
}

/** @throws {AppError} `not_found`. */
export async function removeConfig(
  mutateProject: MutateProject,
  caller: ConfigCaller,
  id: number,
): Promise<void> {
  const { projectId } = caller.access
  await mutateProject(projectId, async (tx) => {
    const stored = foundConfig(await lockPluginConfig(tx, projectId, id))
    await deletePluginConfig(tx, id)
    await auditConfig(tx, caller, 'deleted', stored, null)
  })
}

/** The caller holds the config's lock. */
export async function writeConfig(
  tx: ChangeTransaction,
  caller: ConfigCaller,
  stored: StoredPluginConfig,
  change: ConfigChange,
): Promise<StoredPluginConfig> {
  const planned = plan(stored, change)
  await updatePluginConfig(tx, stored.id, planned.fields)
  await writeFiles(tx, stored.id, planned)
  const changed = foundConfig(await findPluginConfig(tx, caller.access.projectId, stored.id))
  await auditConfig(tx, caller, 'updated', stored, changed)
  return changed
}

type Planned = {
  readonly fields: PluginConfigFields
  readonly added: readonly NewAttachment[]
  readonly removed: readonly string[]
}

function plan(base: Base, change: ConfigChange): Planned {
  const schema = readConfigSchema(base.configSchema)
  const { settings, clearedFiles } = mergedSettings(schema, base, change)
  const added = new Map(
    (change.files ?? []).map((file) => [file.key, newAttachment(schema, file)] as const),
  )
  const gone = new Set([...clearedFiles, ...(change.removedFiles ?? [])])
  return {
    fields: {
      enabled: change.enabled ?? base.enabled,
      order: change.order ?? base.order,
      settings,
      error: change.error === undefined ? base.error : change.error,
    },
    added: [...added.values()],
    removed: base.attachments.map(({ key }) => key).filter((key) => gone.has(key)),
  }
}

function mergedSettings(
  schema: ConfigSchema,
  base: Base,
  { settings: write }: ConfigChange,
): MergedSettings {
  if (write === undefined) return { settings: base.settings, clearedFiles: [] }
  const merged = mergeSettings(schema, base.settings, write.given, write.mode)
  if (merged.ok) return merged.value
  throw invalid(merged.error.detail, write.attrOf(merged.error.key))
}

/** The gateway hands parts of a form over as they are; so does a gRPC client. */
function newAttachment(schema: ConfigSchema, file: PluginAttachment__Output): NewAttachment {
  const attr = `add_attachment[${echo(file.key)}]`
  if (schema.get(file.key)?.isAttachment !== true) {
    throw invalid('The plugin has no setting of this name that is a file.', attr)
  }
  const { contents } = file
  if (contents.length > PLUGIN_ATTACHMENT_BYTES_MAX) {
    throw invalid(`The file is larger than ${PLUGIN_ATTACHMENT_BYTES_MAX} bytes.`, attr)
  }
  const cut = (text: string) => cleanText(text.slice(0, PLUGIN_ATTACHMENT_NAME_LENGTH_MAX))
  return {
    id: uuidv7(),
    key: file.key,
    fileName: cut(file.file_name),
    contentType: cut(file.content_type),
    contents: typeof contents === 'string' ? Buffer.from(contents, 'base64') : contents,
  }
}

/** A file that is removed and sent anew is there. */
async function writeFiles(tx: Db, id: number, { added, removed }: Planned): Promise<void> {
  if (removed.length > 0) await deleteAttachments(tx, id, removed)
  if (added.length > 0) await saveAttachments(tx, id, added)
}

async function auditConfig(
  tx: Db,
  { principal, access }: ConfigCaller,
  activity: 'created' | 'updated' | 'deleted',
  before: StoredPluginConfig | null,
  after: StoredPluginConfig | null,
): Promise<void> {
  const config = after ?? before
  assert(config !== null, 'an entry is about a config')
  const shownAfter = before !== null && after !== null ? toAuditedConfig(before, after) : null
  await audit(tx, principal, access, {
    scope: 'PluginConfig',
    activity,
    itemId: config.id,
    itemName: config.pluginName,
    type: 'sluice.v1.PluginConfig',
    before: before === null ? null : toPluginConfig(before),
    after: shownAfter ?? (after === null ? null : toPluginConfig(after)),
  })
}

/** @throws {AppError} `not_found`. */
export function foundConfig<Config extends StoredPluginConfig>(config: Config | undefined): Config {
  if (config === undefined) throw notFound()
  return config
}

export function noSuchPlugin(id: number): Error {
  return invalid(`Invalid pk "${id}" - object does not exist.`, 'plugin', 'does_not_exist')
}
