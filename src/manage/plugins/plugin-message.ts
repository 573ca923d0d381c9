/** Plugins as messages: reads, merges and renders their fields. */
import type { Plugin } from '../../../proto/gen/sluice/v1/Plugin.ts'
import type { UpdatePluginRequest__Output } from '../../../proto/gen/sluice/v1/UpdatePluginRequest.ts'
import type { Manifest } from '../../plugins/settings/manifest.ts'
import type {
  PluginDeclarations,
  PluginFields,
  StoredPlugin,
} from '../../store/plugins/plugin-store.ts'
import { publicBody } from '../../wire/proto/render.ts'
import { merger } from '../merge.ts'
import { toWireValue } from '../wire-value.ts'

/** The writable fields, which the messages of a create and an update share. */
type PluginRequest = Omit<UpdatePluginRequest__Output, 'id' | 'organization_id'>

export type PluginContent = PluginFields & PluginDeclarations

/** Fields of a new plugin that nothing else sets. */
export const PLUGIN_DEFAULTS: PluginContent = {
  name: '',
  description: null,
  url: null,
  icon: null,
  isGlobal: false,
  configSchema: [],
  publicJobs: {},
}

/** The fields that `base` and the given ones make together. */
export function mergePlugin<Base extends PluginContent>(base: Base, request: PluginRequest): Base {
  const { orNull, orKept } = merger(request.null_fields)
  return {
    ...base,
    name: orKept(request.name, base.name),
    description: orNull('description', request.description, base.description),
    url: orNull('url', request.url, base.url),
    icon: orNull('icon', request.icon, base.icon),
    isGlobal: orKept(request.is_global, base.isGlobal),
  }
}

/** Applies a new `plugin.json` to a plugin; fields that it does not set stay. */
export function applyManifest<Base extends PluginContent>(
  base: Base,
  manifest: Manifest | undefined,
): Base {
  if (manifest === undefined) return base
  return {
    ...base,
    name: manifest.name ?? base.name,
    configSchema: manifest.configSchema ?? base.configSchema,
    publicJobs: manifest.publicJobs ?? base.publicJobs,
  }
}

export function toPlugin(plugin: StoredPlugin): Plugin {
  return {
    id: plugin.id,
    plugin_type: plugin.pluginType,
    name: plugin.name,
    ...(plugin.description === null ? {} : { description: plugin.description }),
    ...(plugin.url === null ? {} : { url: plugin.url }),
    ...(plugin.icon === null ? {} : { icon: plugin.icon }),
    config_schema: toWireValue(plugin.configSchema),
    ...(plugin.tag === null ? {} : { tag: plugin.tag }),
    ...(plugin.latestTag === null ? {} : { latest_tag: plugin.latestTag }),
    is_global: plugin.isGlobal,
    ...(plugin.organizationId === null ? {} : { organization_id: plugin.organizationId }),
    ...(plugin.organizationName === null ? {} : { organization_name: plugin.organizationName }),
    capabilities: toWireValue(plugin.capabilities),
    metrics: toWireValue(plugin.metrics),
    public_jobs: toWireValue(plugin.publicJobs),
  }
}

/** JSON text of the plugin as REST shows it. */
export function pluginInfo(plugin: StoredPlugin): string {
  return JSON.stringify(publicBody('sluice.v1.Plugin', toPlugin(plugin)))
}
