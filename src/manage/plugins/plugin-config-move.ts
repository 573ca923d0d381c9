/** Moves a plugin config to another plugin. */
import type { ProjectAccess } from '../../access/access.ts'
import { found, invalid, unknownObject } from '../../access/errors.ts'
import type { Db } from '../../postgres/db.ts'
import {
  findPluginConfig,
  lockPluginConfigOf,
  movePluginConfig,
  type StoredPluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import { findPlugin, shareLockPlugin } from '../../store/plugins/plugin-store.ts'

/**
 * The config as one of `plugin`. Takes nothing of the former plugin along: its settings, secrets
 * and stored data were not meant for the other one. The caller holds the config's lock.
 * @throws {AppError} `invalid_argument` for a plugin that the organization may not use, or that has
 * a config in the project.
 */
export async function withPlugin(
  tx: Db,
  { projectId, organizationId }: ProjectAccess,
  stored: StoredPluginConfig,
  plugin: number | undefined,
): Promise<StoredPluginConfig> {
  if (plugin === undefined || plugin === stored.pluginId) return stored
  const target = await shareLockPlugin(tx, organizationId, plugin)
  if (target === undefined) throw unknownObject(plugin, 'plugin')
  if ((await lockPluginConfigOf(tx, projectId, target.id)) !== undefined) {
    throw invalid('The project has a config of this plugin already.', 'plugin', 'unique')
  }
  await movePluginConfig(tx, stored.id, target.id)
  return found(await findPluginConfig(tx, projectId, stored.id))
}

/** @throws {AppError} `invalid_argument` for a plugin that the organization may not use. */
export async function requirePlugin(
  db: Db,
  { organizationId }: ProjectAccess,
  plugin: number | undefined,
): Promise<void> {
  if (plugin === undefined || (await findPlugin(db, organizationId, plugin)) !== undefined) return
  throw unknownObject(plugin, 'plugin')
}
