/** Handlers of `PluginConfigService`. */
import type { PluginConfigServiceDefinition } from '../../../proto/gen/sluice/v1/PluginConfigService.ts'
import type { UpdatePluginConfigRequest__Output } from '../../../proto/gen/sluice/v1/UpdatePluginConfigRequest.ts'
import { type ProjectAccess, rowId } from '../../access/access.ts'
import { found, invalid } from '../../access/errors.ts'
import { PLUGINS_CONFIGURE } from '../../access/policy.ts'
import type { Clock } from '../../core/clock.ts'
import { assert } from '../../core/code.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { frontendModule } from '../../plugins/settings/frontend.ts'
import type { Sql } from '../../postgres/connect.ts'
import { readConfigSchema } from '../../project/plugin-config-schema.ts'
import type { MutateProject } from '../../project/ports.ts'
import {
  countPluginConfigs,
  findPluginConfig,
  listPluginConfigs,
  type RatedPluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import { findFrontend } from '../../store/plugins/plugin-source-store.ts'
import { findPluginOfConfig } from '../../store/plugins/plugin-store.ts'
import { echo } from '../../wire/details.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { objectOf, withoutKey } from '../wire-value.ts'
import {
  type ConfigChange,
  changeConfig,
  makeConfig,
  removeConfig,
} from './plugin-config-changes.ts'
import { givenError, toLogEntry, toPluginConfig } from './plugin-config-message.ts'
import { requirePlugin } from './plugin-config-move.ts'
import { rearrange } from './plugin-config-order.ts'
import { readLogs, startJob } from './plugin-config-records.ts'
import { type DryRunner, dryRunEvent } from './plugin-dry-run.ts'
import { pluginInfo } from './plugin-message.ts'

const SERVICE = '/sluice.v1.PluginConfigService'

type Handlers = ServiceHandlers<PluginConfigServiceDefinition>

export type PluginConfigHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly mutateProject: MutateProject
  /** Seals the settings that are secret. */
  readonly secrets: KeyRing
  readonly clock: Clock
  readonly plugins: DryRunner
}

export function createPluginConfigHandlers(deps: PluginConfigHandlersDeps): Handlers {
  return { ...readingHandlers(deps), ...changingHandlers(deps), ...settingsHandlers(deps) }
}

function readingHandlers(
  deps: PluginConfigHandlersDeps,
): Pick<
  Handlers,
  | 'ListPluginConfigs'
  | 'GetPluginConfig'
  | 'GetPluginConfigFrontend'
  | 'ListPluginConfigLogs'
  | 'DryRunPluginConfig'
> {
  const { management, sql, plugins } = deps
  return {
    ListPluginConfigs: management.underProject(`${SERVICE}/ListPluginConfigs`, {
      async run({ request, access }) {
        if (!mayConfigure(access)) return { count: 0, results: [] }
        const [count, configs] = await Promise.all([
          countPluginConfigs(sql, access.projectId),
          listPluginConfigs(sql, access.projectId, request),
        ])
        return { count, results: configs.map((config) => toPluginConfig(config)) }
      },
    }),

    GetPluginConfig: management.underProject(`${SERVICE}/GetPluginConfig`, {
      async find({ request, access }) {
        const id = idOf(access, request.id)
        const [config, plugin] = await Promise.all([
          findPluginConfig(sql, access.projectId, id),
          findPluginOfConfig(sql, access.projectId, id),
        ])
        return { config: found(config), plugin }
      },
      async run(_call, { config, plugin }) {
        return toPluginConfig(config, plugin === undefined ? null : pluginInfo(plugin))
      },
    }),

    GetPluginConfigFrontend: management.underProject(`${SERVICE}/GetPluginConfigFrontend`, {
      async find({ request, access }) {
        const id = idOf(access, request.id)
        const [config, file] = await Promise.all([
          findPluginConfig(sql, access.projectId, id),
          findFrontend(sql, access.projectId, id),
        ])
        return { config: found(config), file }
      },
      run: async (_call, { config, file }) => ({
        config: toPluginConfig(config),
        module: frontendModule(file),
      }),
    }),

    ListPluginConfigLogs: management.underProject(`${SERVICE}/ListPluginConfigLogs`, {
      find: ({ request, access }) => configOf(sql, access, request.parent_lookup_plugin_config_id),
      async run({ request }, config) {
        const { count, entries } = await readLogs(deps, config, request)
        return { count, results: entries.map(toLogEntry) }
      },
    }),

    DryRunPluginConfig: management.underProject(`${SERVICE}/DryRunPluginConfig`, {
      find: ({ request, access }) => configOf(sql, access, request.id),
      run: ({ request, access }, { id }) =>
        dryRunEvent(plugins, access.projectId, id, request.event),
    }),
  }
}

function changingHandlers(
  deps: PluginConfigHandlersDeps,
): Pick<
  Handlers,
  'CreatePluginConfig' | 'DeletePluginConfig' | 'RearrangePluginConfigs' | 'RunPluginConfigJob'
> {
  const { management, sql, mutateProject } = deps
  return {
    CreatePluginConfig: management.underProject(`${SERVICE}/CreatePluginConfig`, {
      find: async ({ access }) => requireConfigurable(access),
      async run({ request, access, principal }) {
        const { plugin } = request
        assert(plugin !== undefined, 'the rules of the field require it')
        const caller = { principal, access }
        return toPluginConfig(await makeConfig(deps, caller, plugin, changeOf(request)))
      },
    }),

    DeletePluginConfig: management.underProject(`${SERVICE}/DeletePluginConfig`, {
      find: ({ request, access }) => configOf(sql, access, request.id),
      async run({ access, principal }, { id }) {
        await removeConfig(mutateProject, { principal, access }, id)
        return {}
      },
    }),

    RearrangePluginConfigs: management.underProject(`${SERVICE}/RearrangePluginConfigs`, {
      find: async ({ access }) => requireConfigurable(access),
      run: ({ request, access, principal }) => rearrange(deps, { principal, access }, request),
    }),

    RunPluginConfigJob: management.underProject(`${SERVICE}/RunPluginConfigJob`, {
      async find({ request, access }) {
        requireConfigurable(access)
        return await configOf(sql, access, request.id)
      },
      async run({ request, access, principal }, config) {
        const { job } = request
        if ((job ?? null) === null) {
          await requirePlugin(sql, access, request.plugin)
          return toPluginConfig(config)
        }
        return toPluginConfig(await startJob(sql, { principal, access }, config.id, job))
      },
    }),
  }
}

function settingsHandlers(
  deps: PluginConfigHandlersDeps,
): Pick<Handlers, 'UpdatePluginConfig' | 'UpdatePluginConfigSettings'> {
  const { management, sql } = deps
  return {
    UpdatePluginConfig: management.underProject(`${SERVICE}/UpdatePluginConfig`, {
      find: ({ request, access }) => configOf(sql, access, request.id),
      async run({ request, access, principal }, { id }) {
        const { plugin, plugin_version: version } = request
        const change = { ...changeOf(request), plugin, version }
        return toPluginConfig(await changeConfig(deps, { principal, access }, id, change))
      },
    }),

    UpdatePluginConfigSettings: management.underProject(`${SERVICE}/UpdatePluginConfigSettings`, {
      find: ({ request, access }) => configOf(sql, access, request.id),
      async run({ request, access, principal }, { id, configSchema }) {
        const schema = readConfigSchema(configSchema)
        const given = withoutKey(objectOf(request.settings), (name) => schema.has(name))
        const attrOf = (key: string | undefined) => (key === undefined ? null : echo(key))
        const change: ConfigChange = { settings: { given, mode: 'change', attrOf } }
        return toPluginConfig(await changeConfig(deps, { principal, access }, id, change))
      },
    }),
  }
}

type ConfigRequest = Omit<UpdatePluginConfigRequest__Output, 'id' | 'project_id' | 'plugin'>

/** The change that a create or an update requests, without the plugin. */
function changeOf(request: ConfigRequest): ConfigChange {
  return {
    enabled: request.enabled,
    order: request.order,
    error: givenError(request),
    settings: formSettingsOf(request),
    // The validator leaves out lists that were not given.
    files: request.attachments ?? [],
    removedFiles: request.removed_attachments ?? [],
  }
}

function formSettingsOf({ config }: ConfigRequest): ConfigChange['settings'] {
  if ((config ?? null) === null) return undefined
  return {
    given: objectOf(config),
    mode: 'replace',
    attrOf: (key) => (key === undefined ? 'config' : `config__${echo(key)}`),
  }
}

function mayConfigure({ pluginsAccessLevel }: ProjectAccess): boolean {
  return pluginsAccessLevel >= PLUGINS_CONFIGURE
}

function requireConfigurable(access: ProjectAccess): void {
  if (!mayConfigure(access)) throw invalid('This organization may not use plugins.', null)
}

/** An organization that may not use plugins sees none of its configs. */
function idOf(access: ProjectAccess, text: string): number {
  return found(mayConfigure(access) ? rowId(text) : undefined)
}

async function configOf(sql: Sql, access: ProjectAccess, text: string): Promise<RatedPluginConfig> {
  return found(await findPluginConfig(sql, access.projectId, idOf(access, text)))
}
