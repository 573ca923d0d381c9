/** The order in which the plugins of a project run. */

import type { RearrangePluginConfigsRequest__Output } from '../../../proto/gen/sluice/v1/RearrangePluginConfigsRequest.ts'
import type { RearrangePluginConfigsResponse } from '../../../proto/gen/sluice/v1/RearrangePluginConfigsResponse.ts'
import { invalid, unknownObject } from '../../access/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { type PluginOrder, readOrders } from '../../plugins/settings/orders.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { MutateProject } from '../../project/ports.ts'
import {
  listEnabledPluginConfigs,
  lockPluginConfigOf,
  type RatedPluginConfig,
  reorderPluginConfigs,
  type StoredPluginConfig,
} from '../../store/plugins/plugin-config-store.ts'
import { audit } from '../audit.ts'
import { objectOf, toWireValue } from '../wire-value.ts'
import { type ConfigCaller, type ConfigChangeDeps, writeConfig } from './plugin-config-changes.ts'
import { givenError, toPluginConfig } from './plugin-config-message.ts'

/** Item id of an audit entry about all configs of a project; ids of single ones are numbers. */
const ALL_CONFIGS = 'order'

/**
 * `orders` sets many at once and is answered with the enabled configs in their new order. Without
 * it, `plugin` names one config, which takes the other fields as an update would and is the answer.
 * @throws {AppError} `invalid_argument`.
 */
export async function rearrange(
  { sql, mutateProject, secrets }: ConfigChangeDeps & { sql: Sql },
  caller: ConfigCaller,
  request: RearrangePluginConfigsRequest__Output,
): Promise<RearrangePluginConfigsResponse> {
  const { projectId } = caller.access
  const { plugin, order, enabled } = request
  if ((request.orders ?? null) !== null) {
    const orders = readOrders(objectOf(request.orders))
    if (orders === undefined) throw invalid('Each order must be a 32-bit integer.', 'orders')
    return toAnswer(await reorder(mutateProject, caller, orders))
  }
  const error = givenError(request)
  if (plugin === undefined) {
    if (order === undefined && enabled === undefined && error === undefined) {
      return toAnswer(await listEnabledPluginConfigs(sql, projectId))
    }
    throw invalid('This field is required.', 'plugin', 'required')
  }
  const moved = await mutateProject(projectId, async (tx) => {
    const stored = await lockPluginConfigOf(tx, projectId, plugin)
    if (stored === undefined) throw unknownObject(plugin, 'plugin')
    return await writeConfig(tx, secrets, caller, stored, { order, enabled, error })
  })
  return { results: [], moved: toPluginConfig(moved) }
}

/** Plugins that are unknown, and configs that are not enabled, are passed over. */
async function reorder(
  mutateProject: MutateProject,
  caller: ConfigCaller,
  orders: readonly PluginOrder[],
): Promise<readonly RatedPluginConfig[]> {
  const { access } = caller
  const { configs } = await mutateProject(access.projectId, async (tx) => {
    const stored = await listEnabledPluginConfigs(tx, access.projectId)
    const asked = new Map(orders.map(({ plugin, order }) => [plugin, order]))
    const moved = stored.filter(({ pluginId, order }) => (asked.get(pluginId) ?? order) !== order)
    const ordersOf = (orderOf: (config: StoredPluginConfig) => number): JsonObject =>
      Object.fromEntries(moved.map((config) => [String(config.pluginId), orderOf(config)]))
    const after = ordersOf(({ pluginId, order }) => asked.get(pluginId) ?? order)
    if (moved.length > 0) await reorderPluginConfigs(tx, access.projectId, orders)
    await audit(tx, caller, {
      scope: 'PluginConfig',
      activity: 'rearranged',
      itemId: ALL_CONFIGS,
      itemName: null,
      type: 'sluice.v1.RearrangePluginConfigsRequest',
      before: { orders: toWireValue(ordersOf(({ order }) => order)) },
      after: { orders: toWireValue(after) },
    })
    return { configs: await listEnabledPluginConfigs(tx, access.projectId) }
  })
  return configs
}

function toAnswer(configs: readonly RatedPluginConfig[]): RearrangePluginConfigsResponse {
  return { results: configs.map((config) => toPluginConfig(config)) }
}
