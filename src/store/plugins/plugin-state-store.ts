/**
 * Plugin state that the runtime writes into rows which clients see: errors, capabilities,
 * `enabled = false`.
 */
import { type OrganizationId, type ProjectId, type Revision, revision } from '../../core/ids.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { stampOf } from './plugin-plan-store.ts'

/** Nothing that reloads the config. */
export async function savePluginError(
  db: Db,
  project: ProjectId,
  config: number,
  error: JsonObject,
): Promise<void> {
  await db`
    update plugin_configs set error = ${jsonText(error)}::text::json
    where id = ${config} and project_id = ${project}`
}

/** Clears the error of an enabled config: the error of a disabled one says why it is disabled. */
export async function clearPluginError(db: Db, project: ProjectId, config: number): Promise<void> {
  await db`
    update plugin_configs set error = null
    where id = ${config} and project_id = ${project} and enabled and error is not null`
}

/**
 * Saves capabilities that have changed with the version that the config runs. Does not reload the
 * plugin.
 */
export async function savePluginCapabilities(
  db: Db,
  config: number,
  capabilities: Json,
): Promise<void> {
  const text = jsonText(capabilities)
  await db`
    with of_config as materialized (
      select plugin_id, kept_version from plugin_configs where id = ${config}
    ), older as (
      update plugin_versions k set capabilities = ${text}::text::json
      from of_config c
      where k.plugin_id = c.plugin_id and k.version = c.kept_version
        and k.capabilities::jsonb is distinct from ${text}::text::jsonb
    )
    update plugins p set capabilities = ${text}::text::json
    from of_config c
    where p.id = c.plugin_id and c.kept_version is null
      and p.capabilities::jsonb is distinct from ${text}::text::jsonb`
}

/** A config that was disabled, in the words of people. */
export type DisabledConfig = {
  readonly organizationId: OrganizationId
  readonly organizationName: string
  readonly projectName: string
  readonly pluginName: string
}

export type Disabling = {
  /** Revision of the project after the change. */
  readonly revision: Revision
  /** Undefined when it was disabled already, saved meanwhile, or is gone: nothing was changed. */
  readonly disabled: DisabledConfig | undefined
}

/**
 * Disables a config, unless it has been saved since it had the stamp, and raises its project's
 * revision, in the caller's transaction. Locks the project first, as every change of a config does.
 * No epoch fences this, as with a plugin's change: it uses no state that a worker remembers.
 * @returns undefined when the project is gone.
 */
export async function disablePluginConfig(
  tx: Db,
  project: ProjectId,
  { configId, stamp }: { readonly configId: number; readonly stamp: string },
  error: JsonObject,
): Promise<Disabling | undefined> {
  const [known] = await tx<{ revision: bigint }[]>`
    select revision from projects where id = ${project} for no key update`
  if (known === undefined) return undefined
  const [disabled] = await tx<DisabledConfig[]>`
    update plugin_configs c
    set enabled = false, error = ${jsonText(error)}::text::json, updated_at = now()
    from plugins pl, projects p, organizations o
    where c.id = ${configId} and c.project_id = ${project} and c.enabled
      and ${stampOf(tx)} = ${stamp}
      and pl.id = c.plugin_id and p.id = c.project_id and o.id = p.organization_id
    returning o.id as "organizationId", o.name as "organizationName", p.name as "projectName",
      pl.name as "pluginName"`
  const current = Number(known.revision)
  if (disabled === undefined) return { revision: revision(current), disabled: undefined }
  await tx`update projects set revision = revision + 1 where id = ${project}`
  return { revision: revision(current + 1), disabled }
}
