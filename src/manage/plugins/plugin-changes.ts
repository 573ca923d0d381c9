/** Changes of a plugin: its row, its files, the audit log, and changes for projects that use it. */
import type { OrganizationAccess } from '../../access/access.ts'
import { found, invalid, refuseTaken } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import { assert } from '../../core/code.ts'
import type { OrganizationId } from '../../core/ids.ts'
import { fileDigests } from '../../plugins/settings/source-files.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { listSourceFiles, type SourceFile } from '../../store/plugins/plugin-source-store.ts'
import {
  deletePlugin,
  findPlugin,
  insertPlugin,
  lockOwnPlugin,
  type RaisedProject,
  raiseRevisions,
  type StoredPlugin,
  updatePlugin,
} from '../../store/plugins/plugin-store.ts'
import { beginVersion, organizationsUsing } from '../../store/plugins/plugin-version-store.ts'
import { toStruct } from '../../wire/proto/value.ts'
import { type AuditCaller, audit, auditorOf } from '../audit.ts'
import type { PluginDraft } from './plugin-draft.ts'
import { applyManifest, type PluginContent, toPlugin } from './plugin-message.ts'
import { changesSource, type PreparedSource, saveSource } from './plugin-source.ts'

export type PluginChangeDeps = {
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
}

/** Author and place of a plugin change. */
export type PluginCaller = {
  readonly principal: Principal
  readonly access: OrganizationAccess
}

/** Publishes nothing, because no project uses the plugin yet. */
export async function installPlugin(
  { sql }: PluginChangeDeps,
  caller: PluginCaller,
  { type, source }: PluginDraft,
  content: PluginContent,
): Promise<StoredPlugin> {
  const { organizationId } = caller.access
  return await sql.begin(async (tx) => {
    const id = await refuseTakenUrl(insertPlugin(tx, organizationId, type, content))
    const files = await saveSource(tx, id, source)
    const plugin = found(await findPlugin(tx, organizationId, id))
    await auditPlugin(tx, caller, { before: null, after: plugin })
    if (files.length > 0) await auditSource(tx, caller, plugin, [], files)
    return plugin
  })
}

/** @throws {AppError} `not_found` when it is gone, `invalid_argument` when its URL is taken. */
export async function changePlugin(
  deps: PluginChangeDeps,
  caller: PluginCaller,
  id: number,
  change: (stored: StoredPlugin) => PluginContent,
): Promise<StoredPlugin> {
  return await inPluginChange(deps, caller, id, async (tx, stored, callers) => {
    return await savePlugin(tx, callers, stored, change(stored))
  })
}

/**
 * Configs of other organizations keep their running version until their projects load the new one.
 * @returns the files after the change. @throws {AppError} `not_found` when the plugin is gone.
 */
export async function changeSource(
  deps: PluginChangeDeps,
  caller: PluginCaller,
  id: number,
  source: PreparedSource,
): Promise<SourceFile[]> {
  return await inPluginChange(deps, caller, id, async (tx, stored, callers) => {
    const before = await listSourceFiles(tx, id)
    if (changesSource(source, before)) await beginVersion(tx, id)
    const after = await saveSource(tx, id, source)
    for (const each of callers) await auditSource(tx, each, stored, before, after)
    if (source.manifest !== undefined) {
      await savePlugin(tx, callers, stored, applyManifest(stored, source.manifest))
    }
    return after
  })
}

/** Removes a plugin with its configs. @throws {AppError} `not_found` when it is gone. */
export async function removePlugin(
  deps: PluginChangeDeps,
  caller: PluginCaller,
  id: number,
): Promise<void> {
  await inPluginChange(deps, caller, id, async (tx, stored, callers) => {
    await deletePlugin(tx, id)
    for (const each of callers) await auditPlugin(tx, each, { before: stored, after: null })
  })
}

/**
 * Raises the revision of every project that uses the plugin, by which its runners get the change.
 * Projects are locked before the plugin, in the order of a change of a config. Projects whose first
 * config was made in between are found once the plugin is locked.
 *
 * `change` gets the callers whose activity records the change: the caller, and each other
 * organization that uses the plugin. Other organizations do not learn the user, who is not one of
 * theirs.
 */
async function inPluginChange<T>(
  { sql, feed }: PluginChangeDeps,
  caller: PluginCaller,
  id: number,
  change: (tx: Db, stored: StoredPlugin, callers: readonly AuditCaller[]) => Promise<T>,
): Promise<T> {
  const { result, raised } = await sql.begin(async (tx) => {
    const known = await raiseRevisions(tx, id, [])
    const stored = found(await lockOwnPlugin(tx, caller.access.organizationId, id))
    const late = await raiseRevisions(tx, id, known)
    const callers = [caller, ...(await organizationsUsing(tx, id)).map(nobodyIn)]
    return { result: await change(tx, stored, callers), raised: [...known, ...late] }
  })
  tell(feed, raised)
  return result
}

function nobodyIn(organizationId: OrganizationId): AuditCaller {
  return { principal: null, access: { organizationId } }
}

/** Call it after the commit: recipients of the changes read the change. */
function tell(feed: Pick<ChangeFeed, 'publish'>, raised: readonly RaisedProject[]): void {
  for (const { id, revision } of raised) {
    feed.publish({ kind: 'revision', projectId: id, revision })
  }
}

async function savePlugin(
  tx: Db,
  callers: readonly AuditCaller[],
  stored: StoredPlugin,
  content: PluginContent,
): Promise<StoredPlugin> {
  assert(stored.organizationId !== null, 'only plugins of organizations are changed')
  await refuseTakenUrl(updatePlugin(tx, stored.id, content))
  const plugin = found(await findPlugin(tx, stored.organizationId, stored.id))
  for (const each of callers) await auditPlugin(tx, each, { before: stored, after: plugin })
  return plugin
}

const auditPlugin = auditorOf<StoredPlugin>({
  scope: 'Plugin',
  type: 'sluice.v1.Plugin',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  show: (plugin) => toPlugin(plugin),
})

/** Logs the digests of the files, because their texts would make the log too large. */
async function auditSource(
  tx: Db,
  caller: AuditCaller,
  plugin: StoredPlugin,
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): Promise<void> {
  await audit(tx, caller, {
    scope: 'Plugin',
    activity: 'source_updated',
    itemId: plugin.id,
    itemName: plugin.name,
    type: 'sluice.v1.PluginSource',
    before: { files: toStruct(fileDigests(before)) },
    after: { files: toStruct(fileDigests(after)) },
  })
}

function refuseTakenUrl<T>(write: Promise<T>): Promise<T> {
  const detail = 'A plugin from this URL is installed already.'
  return refuseTaken(write, 'plugins_url', () => invalid(detail, 'url', 'unique'))
}
