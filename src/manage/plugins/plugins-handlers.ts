/** Handlers of `PluginService`: plugins of an organization and their source. */
import type { PluginServiceDefinition } from '../../../proto/gen/sluice/v1/PluginService.ts'
import { type OrganizationAccess, rowId } from '../../access/access.ts'
import { found, invalid, permissionDenied } from '../../access/errors.ts'
import { PLUGINS_ROOT } from '../../access/policy.ts'
import type { Sql } from '../../postgres/connect.ts'
import { listSourceFiles } from '../../store/plugins/plugin-source-store.ts'
import {
  countPlugins,
  findPlugin,
  listPlugins,
  type StoredPlugin,
} from '../../store/plugins/plugin-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import {
  changePlugin,
  changeSource,
  installPlugin,
  type PluginCaller,
  type PluginChangeDeps,
  removePlugin,
} from './plugin-changes.ts'
import { draftPlugin, type PluginDraftDeps, requireUrl } from './plugin-draft.ts'
import { applyManifest, mergePlugin, PLUGIN_DEFAULTS, toPlugin } from './plugin-message.ts'
import { prepareSource, toPluginSource } from './plugin-source.ts'

const SERVICE = '/sluice.v1.PluginService'

type Handlers = ServiceHandlers<PluginServiceDefinition>

export type PluginHandlersDeps = PluginDraftDeps &
  PluginChangeDeps & { readonly management: Management }

export function createPluginHandlers(deps: PluginHandlersDeps): Handlers {
  return { ...pluginHandlers(deps), ...sourceHandlers(deps) }
}

function pluginHandlers(
  deps: PluginHandlersDeps,
): Omit<Handlers, 'GetPluginSource' | 'UpdatePluginSource'> {
  const { management, sql } = deps
  return {
    ListPlugins: management.underOrganization(`${SERVICE}/ListPlugins`, {
      async run({ request, access: { organizationId } }) {
        const [count, plugins] = await Promise.all([
          countPlugins(sql, organizationId),
          listPlugins(sql, organizationId, request),
        ])
        return { count, results: plugins.map(toPlugin) }
      },
    }),

    CreatePlugin: management.underOrganization(`${SERVICE}/CreatePlugin`, {
      async run({ request, access, principal, context }) {
        const draft = await draftPlugin(deps, request, context.signal)
        const named = mergePlugin({ ...PLUGIN_DEFAULTS, name: draft.name }, request)
        const content = applyManifest(named, draft.source.manifest)
        return toPlugin(await installPlugin(deps, { principal, access }, draft, content))
      },
    }),

    GetPlugin: management.underOrganization(`${SERVICE}/GetPlugin`, {
      find: ({ request, access }) => pluginOf(sql, access, request.id),
      run: async (_call, plugin) => toPlugin(plugin),
    }),

    UpdatePlugin: management.underOrganization(`${SERVICE}/UpdatePlugin`, {
      find: ({ request, ...caller }) => ownPlugin(sql, caller, request.id),
      async run({ request, access, principal }, { id }) {
        if (request.url !== undefined) requireUrl(request.url)
        const merge = (stored: StoredPlugin) => mergePlugin(stored, request)
        return toPlugin(await changePlugin(deps, { principal, access }, id, merge))
      },
    }),

    DeletePlugin: management.underOrganization(`${SERVICE}/DeletePlugin`, {
      async find({ request, access }) {
        const plugin = await pluginOf(sql, access, request.id)
        if (plugin.organizationId !== null) requireOwn(plugin, access)
        if (plugin.isGlobal) throw invalid('A global plugin cannot be deleted.', null)
        return plugin
      },
      async run({ access, principal }, { id }) {
        await removePlugin(deps, { principal, access }, id)
        return {}
      },
    }),
  }
}

function sourceHandlers(
  deps: PluginHandlersDeps,
): Pick<Handlers, 'GetPluginSource' | 'UpdatePluginSource'> {
  const { management, sql } = deps
  return {
    GetPluginSource: management.underOrganization(`${SERVICE}/GetPluginSource`, {
      find: ({ request, access }) => pluginOf(sql, access, request.id),
      run: async (_call, { id }) => toPluginSource(await listSourceFiles(sql, id)),
    }),

    UpdatePluginSource: management.underOrganization(`${SERVICE}/UpdatePluginSource`, {
      find: ({ request, ...caller }) => ownPlugin(sql, caller, request.id),
      async run({ request, access, principal }, { id }) {
        const source = await prepareSource(deps.compileFrontend, request.files, '')
        return toPluginSource(await changeSource(deps, { principal, access }, id, source))
      },
    }),
  }
}

async function pluginOf(
  sql: Sql,
  { organizationId }: OrganizationAccess,
  text: string,
): Promise<StoredPlugin> {
  const id = rowId(text)
  return found(id === undefined ? undefined : await findPlugin(sql, organizationId, id))
}

/**
 * @throws {AppError} `permission_denied` for a foreign one, and for one that is global where the
 * organization may not publish such: it stems from a time when it might.
 */
async function ownPlugin(
  sql: Sql,
  { principal, access }: PluginCaller,
  text: string,
): Promise<StoredPlugin> {
  const plugin = await pluginOf(sql, access, text)
  requireOwn(plugin, access)
  const mayPublish = principal.isStaff || access.pluginsAccessLevel >= PLUGINS_ROOT
  if (plugin.isGlobal && !mayPublish) throw permissionDenied()
  return plugin
}

/** @throws {AppError} `permission_denied` for a global one of another organization, or of none. */
function requireOwn(plugin: StoredPlugin, { organizationId }: OrganizationAccess): void {
  if (plugin.organizationId !== organizationId) throw permissionDenied()
}
