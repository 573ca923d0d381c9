/** Plugin configs as messages, and as entries of the audit log show them. */
import type { PluginConfig } from '../../../proto/gen/sluice/v1/PluginConfig.ts'
import type { PluginLogEntry as WireLogEntry } from '../../../proto/gen/sluice/v1/PluginLogEntry.ts'
import { changedSecrets, shownSettings } from '../../plugins/settings/settings.ts'
import {
  type ConfigSchema,
  readConfigSchema,
  withSecrets,
} from '../../project/plugin-config-schema.ts'
import type { StoredPluginConfig } from '../../store/plugins/plugin-config-store.ts'
import type { PluginLogEntry } from '../../store/plugins/plugin-log-store.ts'
import { toWireValue } from '../wire-value.ts'

/** Parts of a config that only reads of one config and lists show. */
export type PluginConfigExtras = {
  /** JSON text. */
  readonly pluginInfo?: string | null
  /** Decimal text. */
  readonly deliveryRate?: string | null
}

export function toPluginConfig(
  config: StoredPluginConfig,
  extras: PluginConfigExtras = {},
): PluginConfig {
  return showing(config, new Set(), extras)
}

/** A config after a change, as the audit log has it: secrets that differ are marked, not shown. */
export function toAuditedConfig(
  before: StoredPluginConfig,
  after: StoredPluginConfig,
): PluginConfig {
  const files = ({ settings, attachments }: StoredPluginConfig) => ({
    settings,
    files: attachments,
  })
  const schema = schemaOf(after)
  return showing(after, changedSecrets(schema, files(before), files(after)), {})
}

function schemaOf({ configSchema, secretNames }: StoredPluginConfig): ConfigSchema {
  return withSecrets(readConfigSchema(configSchema), secretNames)
}

function showing(
  config: StoredPluginConfig,
  changed: ReadonlySet<string>,
  { pluginInfo = null, deliveryRate = null }: PluginConfigExtras,
): PluginConfig {
  const schema = schemaOf(config)
  const settings = shownSettings(schema, config.settings, config.attachments, changed)
  return {
    id: config.id,
    plugin: config.pluginId,
    enabled: config.enabled,
    order: config.order,
    config: JSON.stringify(settings),
    error: toWireValue(config.error),
    team_id: config.projectId,
    ...(pluginInfo === null ? {} : { plugin_info: pluginInfo }),
    ...(deliveryRate === null ? {} : { delivery_rate_24h: deliveryRate }),
    created_at: config.createdAt,
    plugin_version: config.version,
    ...(config.version === config.newestVersion ? {} : { plugin_update: config.newestVersion }),
  }
}

export function toLogEntry(entry: PluginLogEntry): WireLogEntry {
  return {
    id: entry.id,
    team_id: entry.projectId,
    plugin_id: entry.pluginId,
    plugin_config_id: entry.pluginConfigId,
    timestamp: entry.timestamp,
    source: entry.source,
    type: entry.type,
    message: entry.message,
    instance_id: entry.instanceId,
  }
}
