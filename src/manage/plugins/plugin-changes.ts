/** Changes of a plugin: its row, its files, the audit log and the news of those who use it. */
import type { OrganizationAccess } from '../../access/access.ts'
import { invalid, notFound } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { assert } from '../../core/code.ts'
import type { NewsHub } from '../../core/project-news.ts'
import { fileDigests } from '../../plugins/settings/source-files.ts'
import { violatedConstraint } from '../../store/failures.ts'
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
import type { Sql } from '../../store/pool/connect.ts'
import type { Db } from '../../store/pool/db.ts'
import { toStruct } from '../../wire/proto/value.ts'
import { audit } from '../audit.ts'
import type { PluginDraft } from './plugin-draft.ts'
import { applyManifest, type PluginContent, toPlugin } from './plugin-message.ts'
import { type PreparedSource, saveSource } from './plugin-source.ts'

export type PluginChangeDeps = {
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
}

/** Who changes, and where. */
export type PluginCaller = {
  readonly principal: Principal
  readonly access: OrganizationAccess
}

/** Nobody uses it yet: there is nobody to tell. */
export async function installPlugin(
  { sql }: PluginChangeDeps,
  caller: PluginCaller,
  { type, source }: PluginDraft,
  content: PluginContent,
): Promise<StoredPlugin> {
  const { organizationId } = caller.access
  return await sql.begin(async (tx) => {
    const id = await refusingTakenUrl(insertPlugin(tx, organizationId, type, content))
    const files = await saveSource(tx, id, source)
    const plugin = foundPlugin(await findPlugin(tx, organizationId, id))
    await auditPlugin(tx, caller, 'created', null, plugin)
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
  return await inPluginChange(deps, caller, id, async (tx, stored) => {
    return await savePlugin(tx, caller, stored, change(stored))
  })
}

/** @returns the files after the change. @throws {AppError} `not_found` when the plugin is gone. */
export async function changeSource(
  deps: PluginChangeDeps,
  caller: PluginCaller,
  id: number,
  source: PreparedSource,
): Promise<SourceFile[]> {
  return await inPluginChange(deps, caller, id, async (tx, stored) => {
    const before = await listSourceFiles(tx, id)
    const after = await saveSource(tx, id, source)
    await auditSource(tx, caller, stored, before, after)
    if (source.manifest !== undefined) {
      await savePlugin(tx, caller, stored, applyManifest(stored, source.manifest))
    }
    return after
  })
}

/** With its configs. @throws {AppError} `not_found` when it is gone. */
export async function removePlugin(
  deps: PluginChangeDeps,
  caller: PluginCaller,
  id: number,
): Promise<void> {
  await inPluginChange(deps, caller, id, async (tx, stored) => {
    await deletePlugin(tx, id)
    await auditPlugin(tx, caller, 'deleted', stored, null)
  })
}

/**
 * What runs the plugin hears of the change by the revision of every project that uses it. Projects
 * are locked before the plugin, as a change of a config does it; those whose first config was made
 * in between are seen once the plugin is locked.
 */
async function inPluginChange<T>(
  { sql, news }: PluginChangeDeps,
  { access }: PluginCaller,
  id: number,
  change: (tx: Db, stored: StoredPlugin) => Promise<T>,
): Promise<T> {
  const { result, raised } = await sql.begin(async (tx) => {
    const known = await raiseRevisions(tx, id, [])
    const stored = foundPlugin(await lockOwnPlugin(tx, access.organizationId, id))
    const late = await raiseRevisions(tx, id, known)
    return { result: await change(tx, stored), raised: [...known, ...late] }
  })
  tell(news, raised)
  return result
}

/** After the commit, when whoever hears it can read the change. */
function tell(news: Pick<NewsHub, 'publish'>, raised: readonly RaisedProject[]): void {
  for (const { id, revision } of raised) {
    news.publish({ kind: 'revision', projectId: id, revision })
  }
}

async function savePlugin(
  tx: Db,
  caller: PluginCaller,
  stored: StoredPlugin,
  content: PluginContent,
): Promise<StoredPlugin> {
  await refusingTakenUrl(updatePlugin(tx, stored.id, content))
  const plugin = foundPlugin(await findPlugin(tx, caller.access.organizationId, stored.id))
  await auditPlugin(tx, caller, 'updated', stored, plugin)
  return plugin
}

async function auditPlugin(
  tx: Db,
  { principal, access }: PluginCaller,
  activity: 'created' | 'updated' | 'deleted',
  before: StoredPlugin | null,
  after: StoredPlugin | null,
): Promise<void> {
  const plugin = after ?? before
  assert(plugin !== null, 'an entry is about a plugin')
  await audit(tx, principal, access, {
    scope: 'Plugin',
    activity,
    itemId: plugin.id,
    itemName: plugin.name,
    type: 'sluice.v1.Plugin',
    before: before === null ? null : toPlugin(before),
    after: after === null ? null : toPlugin(after),
  })
}

/** Files by their digests: their text would make the log larger than what it is about. */
async function auditSource(
  tx: Db,
  { principal, access }: PluginCaller,
  plugin: StoredPlugin,
  before: readonly SourceFile[],
  after: readonly SourceFile[],
): Promise<void> {
  await audit(tx, principal, access, {
    scope: 'Plugin',
    activity: 'source_updated',
    itemId: plugin.id,
    itemName: plugin.name,
    type: 'sluice.v1.PluginSource',
    before: { files: toStruct(fileDigests(before)) },
    after: { files: toStruct(fileDigests(after)) },
  })
}

/** @throws {AppError} `not_found`. */
export function foundPlugin(plugin: StoredPlugin | undefined): StoredPlugin {
  if (plugin === undefined) throw notFound()
  return plugin
}

/** The index decides, not a look beforehand: it sees what other transactions do meanwhile. */
async function refusingTakenUrl<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (violatedConstraint(error) !== 'plugins_url') throw error
    throw invalid('A plugin from this URL is installed already.', 'url', 'unique')
  }
}
