import type { PluginConfig } from '../../../proto/gen/sluice/v1/PluginConfig.ts'
import type { PluginLogEntry as WireLogEntry } from '../../../proto/gen/sluice/v1/PluginLogEntry.ts'
import { changedSecrets, shownSettings } from '../../plugins/settings/settings.ts'
import { readConfigSchema } from '../../project/plugin-config-schema.ts'
import { toWireValue } from '../../rpc/wire-value.ts'
import type { StoredPluginConfig } from '../../store/plugins/plugin-config-store.ts'
import type { PluginLogEntry } from '../../store/plugins/plugin-log-store.ts'

/** What is shown of a config only where one is read, and in lists. */
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
  const schema = readConfigSchema(after.configSchema)
  return showing(after, changedSecrets(schema, files(before), files(after)), {})
}

function showing(
  config: StoredPluginConfig,
  changed: ReadonlySet<string>,
  { pluginInfo = null, deliveryRate = null }: PluginConfigExtras,
): PluginConfig {
  const schema = readConfigSchema(config.configSchema)
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
