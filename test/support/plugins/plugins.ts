/** Installed plugins for tests of the management interface. */
import type { Sql } from '../../../src/postgres/connect.ts'
import type { ManagementUnderTest } from '../api/management.ts'
import { as, jsonField } from '../api/management.ts'

/** Settings of every kind, as a plugin declares them. */
export const CONFIG_SCHEMA = [
  { markdown: 'Text between the settings' },
  { key: 'host', type: 'string', required: true },
  { key: 'token', type: 'string', secret: true },
  { key: 'region', type: 'choice', choices: ['eu', 'us'] },
  { key: 'rules', type: 'attachment' },
  { key: 'certificate', type: 'attachment', secret: true },
]

export const PUBLIC_JOBS = {
  export: {
    payload: {
      from: { required: true },
      parallel: { default: 1, staff_only: true },
    },
  },
}

export const MANIFEST = JSON.stringify({
  name: 'Exporter',
  config: CONFIG_SCHEMA,
  publicJobs: PUBLIC_JOBS,
})

export function pluginFields() {
  return { files: null, null_fields: [] as string[] }
}

export function configFields() {
  return {
    error: null,
    config: null,
    attachments: [],
    removed_attachments: [],
    null_fields: [] as string[],
  }
}

/** A plugin with settings and jobs, in the organization of the caller. */
export async function installed(
  { services }: ManagementUnderTest,
  key: string,
  files: Record<string, string> = { 'index.js': '', 'plugin.json': MANIFEST },
): Promise<number> {
  const plugin = await services['sluice.v1.PluginService'].CreatePlugin(
    { ...pluginFields(), organization_id: '@current', name: 'Any', files: jsonField(files) },
    as(key),
  )
  return plugin.id ?? 0
}

type AuditRow = {
  readonly activity: string
  readonly scope: string
  readonly item_id: string
  readonly item_name: string | null
  readonly changes: readonly { field: string; action: string; before: unknown; after: unknown }[]
}

/** Newest first. */
export async function auditRows(sql: Sql, limit = 1): Promise<AuditRow[]> {
  return await sql<AuditRow[]>`
    select activity, scope, item_id, item_name, changes from audit_log
    order by created_at desc, id desc limit ${limit}`
}
