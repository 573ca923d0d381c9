/** Plugin configs as messages, and as entries of the audit log show them. */
import type { Value__Output } from '../../../proto/gen/google/protobuf/Value.ts'
import type { PluginConfig } from '../../../proto/gen/sluice/v1/PluginConfig.ts'
import type { PluginLogEntry as WireLogEntry } from '../../../proto/gen/sluice/v1/PluginLogEntry.ts'
import type { Json } from '../../core/json.ts'
import { changedSecrets, shownSettings } from '../../plugins/settings/settings.ts'
import {
  type ConfigSchema,
  readConfigSchema,
  withSecrets,
} from '../../project/plugin-config-schema.ts'
import type {
  RatedPluginConfig,
  StoredPluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import type { PluginLogEntry } from '../../store/plugins/plugin-log-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { toWireValue } from '../wire-value.ts'

/** @param pluginInfo JSON text, where one config is read. */
export function toPluginConfig(
  config: RatedPluginConfig,
  pluginInfo: string | null = null,
): PluginConfig {
  const { deliveryRate } = config
  return {
    ...showing(config, new Set()),
    ...(pluginInfo === null ? {} : { plugin_info: pluginInfo }),
    ...(deliveryRate === null ? {} : { delivery_rate_24h: deliveryRate }),
  }
}

/** A config as the audit log has it; after a change, secrets that differ are marked, not shown. */
export function toAuditedConfig(
  after: StoredPluginConfig,
  before: StoredPluginConfig = after,
): PluginConfig {
  const files = ({ settings, attachments }: StoredPluginConfig) => ({
    settings,
    files: attachments,
  })
  const schema = schemaOf(after)
  return showing(after, changedSecrets(schema, files(before), files(after)))
}

function schemaOf({ configSchema, secretNames }: StoredPluginConfig): ConfigSchema {
  return withSecrets(readConfigSchema(configSchema), secretNames)
}

function showing(config: StoredPluginConfig, changed: ReadonlySet<string>): PluginConfig {
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
    created_at: config.createdAt,
    plugin_version: config.version,
    ...(config.version === config.newestVersion ? {} : { plugin_update: config.newestVersion }),
  }
}

/** The `error` that a request sets; undefined when it sets none. */
export function givenError({
  error,
  null_fields: nulls,
}: {
  readonly error: Value__Output | null
  readonly null_fields: readonly string[]
}): Json | undefined {
  if (nulls.includes('error')) return null
  return (error ?? null) === null ? undefined : fromValue(error)
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
