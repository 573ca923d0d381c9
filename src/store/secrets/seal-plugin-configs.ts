/** Seals stored secrets of plugins under the first key. */
import type { JsonObject } from '../../core/json.ts'
import { type KeyRing, sealedBy } from '../../core/secrets/key-ring.ts'
import type { Sql } from '../../postgres/connect.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { placeOf, sealSettings } from './plugin-secrets.ts'

/** Position of the next page, and result of this one. */
export type SealedPage = {
  /** Id of the last row that was looked at; undefined at the end. */
  readonly next: number | undefined
  /** Rows whose secrets were sealed anew. */
  readonly sealed: number
}

/** Rows of one transaction: their files may have a megabyte each. */
const PAGE_ROWS = 50

type Row = {
  readonly id: number
  readonly projectId: number
  readonly pluginId: number
  readonly settings: JsonObject
  readonly names: readonly string[]
}

/**
 * Seals one page in a transaction of its own. An interrupted run may resume at any row, because a
 * row that is sealed under the first key stays as it is. Running instances are not reloaded.
 * @param after id of the last row of the page before; 0 begins.
 * @throws {AppError} `failed_precondition` when a key is missing.
 */
export async function sealPluginConfigs(
  sql: Sql,
  ring: KeyRing,
  after: number,
): Promise<SealedPage> {
  return await sql.begin(async (tx) => {
    const rows = await tx<Row[]>`
      select id, project_id as "projectId", plugin_id as "pluginId", settings,
        secret_names as names
      from plugin_configs where id > ${after} and secret_names <> '{}'
      order by id limit ${PAGE_ROWS} for update`
    let sealed = 0
    for (const row of rows) {
      const settings = await sealSettingsOf(tx, ring, row)
      const files = await sealFiles(tx, ring, row)
      if (settings || files) sealed += 1
    }
    return { next: rows.length < PAGE_ROWS ? undefined : rows.at(-1)?.id, sealed }
  })
}

async function sealSettingsOf(tx: Db, ring: KeyRing, row: Row): Promise<boolean> {
  const names = new Set(row.names)
  const { settings } = row
  const sealed = sealSettings(ring, row, { settings, names, stored: settings })
  if (JSON.stringify(sealed) === JSON.stringify(settings)) return false
  await tx`
    update plugin_configs set settings = ${jsonText(sealed)}::text::json where id = ${row.id}`
  return true
}

async function sealFiles(tx: Db, ring: KeyRing, row: Row): Promise<boolean> {
  const files = await tx<{ key: string; contents: Buffer; isSealed: boolean }[]>`
    select key, contents, is_sealed as "isSealed" from plugin_attachments
    where plugin_config_id = ${row.id} and key = any(${[...row.names]}::text[])
    for update`
  let changed = false
  for (const { key, contents, isSealed } of files) {
    if (isSealed && sealedBy(contents) === ring.ids[0]) continue
    const place = placeOf(row, key)
    const sealed = ring.seal(isSealed ? ring.open(contents, place) : contents, place)
    await tx`
      update plugin_attachments set contents = decode(${sealed.toString('base64')}, 'base64'),
        is_sealed = true
      where plugin_config_id = ${row.id} and key = ${key}`
    changed = true
  }
  return changed
}
