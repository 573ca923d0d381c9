/** Rows of plugins and their configs in a test database. */
import type { ProjectId } from '../../../src/core/ids.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { CallListener, LoadedPlugin, PluginInstance } from '../../../src/plugins/ports.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import type { PluginStep } from '../../../src/project/plugin-ports.ts'
import { stampOf } from '../../../src/store/plugins/plugin-plan-store.ts'
import { createProject } from '../ingest/ingest-store.ts'

export type PluginRow = {
  readonly projectId: ProjectId
  readonly pluginId: number
  readonly configId: number
  readonly step: PluginStep
}

/** An enabled config of a new plugin, in a new project unless told. */
export async function createConfig(
  sql: Sql,
  project?: ProjectId,
  capabilities: JsonObject = { methods: [], jobs: [], scheduled_tasks: [] },
): Promise<PluginRow> {
  const projectId = project ?? (await createProject(sql))
  const [row] = await sql<{ plugin: number; config: number }[]>`
    with plugin as (
      insert into plugins (organization_id, plugin_type, name, capabilities)
      select organization_id, 'source', 'Exporter', ${JSON.stringify(capabilities)}::text::json
      from projects where id = ${projectId} returning id
    )
    insert into plugin_configs (project_id, plugin_id, "order", enabled)
    select ${projectId}, id, 1, true from plugin returning id as config, plugin_id as plugin`
  if (row === undefined) throw new Error('no config was made')
  const { plugin: pluginId, config: configId } = row
  const [{ stamp } = { stamp: '' }] = await sql<{ stamp: string }[]>`
    select ${stampOf(sql)} as stamp
    from plugin_configs c join plugins pl on pl.id = c.plugin_id where c.id = ${configId}`
  const step = { configId, pluginId, pluginName: 'Exporter', order: 1, stamp }
  return { projectId, pluginId, configId, step }
}

/** A plugin that does nothing but what is given. */
export function loadedPlugin(
  row: PluginRow,
  more: Partial<PluginInstance>,
  calls: CallListener,
): LoadedPlugin {
  const ok = async () => ({ ok: true }) as const
  return {
    definition: {
      projectId: row.projectId,
      organizationId: '01890000-0000-7000-8000-000000000001',
      step: row.step,
      settings: {},
      attachments: new Map(),
      logLevel: 0,
      code: { kind: 'none' },
    },
    instance: {
      capabilities: { methods: [], jobs: [], scheduledTasks: [] },
      setup: ok,
      process: async (events) => events.map((event) => ({ kind: 'kept', event }) as const),
      onEvent: ok,
      exportEvents: ok,
      runJob: ok,
      runScheduled: ok,
      teardown: async () => {},
      ...more,
    },
    calls,
  }
}
