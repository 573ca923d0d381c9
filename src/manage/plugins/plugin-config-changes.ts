/** Changes of the plugin configs of one project, each through the project's actor. */
import { v7 as uuidv7 } from 'uuid'
import type { PluginAttachment__Output } from '../../../proto/gen/sluice/v1/PluginAttachment.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { found, invalid, unknownObject } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { cleanText } from '../../core/clean-text.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import {
  type MergedSettings,
  mergeSettings,
  type WriteMode,
} from '../../plugins/settings/settings.ts'
import type { Db } from '../../postgres/db.ts'
import {
  type ConfigSchema,
  readConfigSchema,
  withSecrets,
} from '../../project/plugin-config-schema.ts'
import type { ChangeTransaction, MutateProject } from '../../project/ports.ts'
import {
  deleteAttachments,
  deletePluginConfig,
  findPluginConfig,
  insertPluginConfig,
  lockPluginConfig,
  lockPluginConfigOf,
  type NewAttachment,
  type PluginConfigFields,
  type RatedPluginConfig,
  type StoredPluginConfig,
  saveAttachments,
  updatePluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import { shareLockPlugin } from '../../store/plugins/plugin-store.ts'
import { takeNewestVersion } from '../../store/plugins/plugin-version-store.ts'
import { placeOf, sealSettings } from '../../store/secrets/plugin-secrets.ts'
import { echo } from '../../wire/details.ts'
import { auditorOf } from '../audit.ts'
import { refusingWithoutKey } from '../without-key.ts'
import { toAuditedConfig } from './plugin-config-message.ts'
import { withPlugin } from './plugin-config-move.ts'

/** Bytes and name length of one attached file. */
const PLUGIN_ATTACHMENT_BYTES_MAX = 10_485_760
const PLUGIN_ATTACHMENT_NAME_LENGTH_MAX = 255

/** Author and place of a config change. */
export type ConfigCaller = {
  readonly principal: Principal
  readonly access: ProjectAccess
}

/** The requested change; undefined fields stay as stored. */
export type ConfigChange = {
  /** Moves the config to another plugin, where it starts from scratch. */
  readonly plugin?: number | undefined
  readonly enabled?: boolean | undefined
  readonly order?: number | undefined
  readonly error?: Json | undefined
  readonly settings?:
    | {
        readonly given: JsonObject
        readonly mode: WriteMode
        /** Field to blame for a wrong setting; `key` is undefined when no single setting is wrong. */
        readonly attrOf: (key: string | undefined) => string | null
      }
    | undefined
  readonly files?: readonly PluginAttachment__Output[]
  readonly removedFiles?: readonly string[]
  /** Runs the plugin's newest version from now on; no change when it is running already. */
  readonly version?: number | undefined
}

/** Base of a change: a stored config, or the defaults of a new one. */
type Base = PluginConfigFields &
  Pick<StoredPluginConfig, 'projectId' | 'pluginId' | 'configSchema' | 'attachments'>

/** Dependencies of a change. */
export type ConfigChangeDeps = {
  readonly mutateProject: MutateProject
  readonly secrets: KeyRing
}

const NEW_CONFIG = {
  enabled: false,
  order: 0,
  settings: {},
  secretNames: [],
  error: null,
  attachments: [],
} as const

/**
 * A project has one config for a plugin: a second one updates the first.
 * @throws {AppError} `invalid_argument` of the field at fault, also for a plugin that the
 * organization may not use.
 */
export async function makeConfig(
  { mutateProject, secrets }: ConfigChangeDeps,
  caller: ConfigCaller,
  pluginId: number,
  change: ConfigChange,
): Promise<RatedPluginConfig> {
  const { projectId, organizationId } = caller.access
  return await mutateProject(projectId, async (tx) => {
    const plugin = await shareLockPlugin(tx, organizationId, pluginId)
    if (plugin === undefined) throw unknownObject(pluginId, 'plugin')
    const stored = await lockPluginConfigOf(tx, projectId, plugin.id)
    if (stored !== undefined) return await writeConfig(tx, secrets, caller, stored, change)
    const { configSchema } = plugin
    const base = { ...NEW_CONFIG, projectId, pluginId: plugin.id, configSchema }
    const planned = plan(secrets, base, change)
    const id = await insertPluginConfig(tx, projectId, plugin.id, planned.fields)
    await writeFiles(tx, id, planned)
    const made = found(await findPluginConfig(tx, projectId, id))
    await auditConfig(tx, caller, { before: null, after: made })
    return made
  })
}

/** @throws {AppError} `not_found`, `invalid_argument` of the field at fault. */
export async function changeConfig(
  { mutateProject, secrets }: ConfigChangeDeps,
  caller: ConfigCaller,
  id: number,
  change: ConfigChange,
): Promise<RatedPluginConfig> {
  const { projectId } = caller.access
  return await mutateProject(projectId, async (tx) => {
    const stored = found(await lockPluginConfig(tx, projectId, id))
    return await writeConfig(tx, secrets, caller, stored, change)
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
    const stored = found(await lockPluginConfig(tx, projectId, id))
    await deletePluginConfig(tx, id)
    await auditConfig(tx, caller, { before: stored, after: null })
  })
}

/** The caller holds the config's lock. */
export async function writeConfig(
  tx: ChangeTransaction,
  secrets: KeyRing,
  caller: ConfigCaller,
  stored: StoredPluginConfig,
  change: ConfigChange,
): Promise<RatedPluginConfig> {
  const placed = await withPlugin(tx, caller.access, stored, change.plugin)
  const base = await withVersion(tx, caller, placed, change.version)
  const planned = plan(secrets, base, change)
  await updatePluginConfig(tx, stored.id, planned.fields)
  await writeFiles(tx, stored.id, planned)
  const changed = found(await findPluginConfig(tx, caller.access.projectId, stored.id))
  await auditConfig(tx, caller, { before: stored, after: changed })
  return changed
}

/**
 * Settings are checked against the version that the config runs after the change.
 * @throws {AppError} `invalid_argument` for a version that is neither the newest nor the one that
 * is run: the caller has looked at another one than that which it would get.
 */
async function withVersion(
  tx: Db,
  { access }: ConfigCaller,
  stored: StoredPluginConfig,
  version: number | undefined,
): Promise<StoredPluginConfig> {
  if (version === undefined || version === stored.version) return stored
  // Keeps others from changing the source meanwhile.
  const plugin = await shareLockPlugin(tx, access.organizationId, stored.pluginId)
  if (plugin === undefined || plugin.version !== version) {
    const newest = plugin?.version ?? stored.version
    throw invalid(`This is not the newest version, which is ${newest}.`, 'plugin_version')
  }
  await takeNewestVersion(tx, stored.pluginId, stored.id)
  return found(await findPluginConfig(tx, access.projectId, stored.id))
}

type Planned = {
  readonly fields: PluginConfigFields
  readonly added: readonly NewAttachment[]
  readonly removed: readonly string[]
}

function plan(secrets: KeyRing, base: Base, change: ConfigChange): Planned {
  const schema = withSecrets(readConfigSchema(base.configSchema), base.secretNames)
  const { settings, clearedFiles } = mergedSettings(schema, base, change)
  const added = new Map(
    (change.files ?? []).map((file) => [file.key, newAttachment(schema, file)] as const),
  )
  const gone = new Set([...clearedFiles, ...(change.removedFiles ?? [])])
  const removed = base.attachments.map(({ key }) => key).filter((key) => gone.has(key))
  const kept = base.attachments.map(({ key }) => key).filter((key) => !removed.includes(key))
  const isSecret = (key: string) => schema.get(key)?.isSecret ?? base.secretNames.includes(key)
  const used = [...Object.keys(settings).filter((key) => settings[key] !== ''), ...kept]
  const names = new Set([...used, ...added.keys()].filter(isSecret))
  const sealing = { settings, names, stored: base.settings }
  return {
    fields: {
      enabled: change.enabled ?? base.enabled,
      order: change.order ?? base.order,
      settings: refusingWithoutKey(secrets, () => sealSettings(secrets, base, sealing)),
      secretNames: [...names],
      error: change.error === undefined ? base.error : change.error,
    },
    added: [...added.values()].map((file) =>
      isSecret(file.key) ? sealedFile(secrets, base, file) : file,
    ),
    removed,
  }
}

function sealedFile(secrets: KeyRing, base: Base, file: NewAttachment): NewAttachment {
  return refusingWithoutKey(secrets, () => {
    const contents = secrets.seal(file.contents, placeOf(base, file.key))
    return { ...file, contents, isSealed: true }
  })
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

/** Checks a file, which the gateway and gRPC clients send unchecked. */
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
    isSealed: false,
  }
}

/** Removes before it adds, so that a file that is both removed and sent exists. */
async function writeFiles(tx: Db, id: number, { added, removed }: Planned): Promise<void> {
  if (removed.length > 0) await deleteAttachments(tx, id, removed)
  if (added.length > 0) await saveAttachments(tx, id, added)
}

const auditConfig = auditorOf<StoredPluginConfig>({
  scope: 'PluginConfig',
  type: 'sluice.v1.PluginConfig',
  idOf: ({ id }) => id,
  nameOf: ({ pluginName }) => pluginName,
  derived: ['plugin_update'],
  show: toAuditedConfig,
})
