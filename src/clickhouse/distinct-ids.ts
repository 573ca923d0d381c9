/** Sends the owners of distinct ids to ClickHouse. */
import { Readable } from 'node:stream'
import type { ColumnStore } from './connect.ts'

/** UTF-16 units of one piece in which distinct ids are sent. */
const IDS_PIECE_CHARS = 262_144

export type OwnedId = {
  readonly projectId: number
  readonly distinctId: string
  /** The number of its person; `0` for none. */
  readonly personId: string
}

/** Sum over the distinct ids of a project that have a person. */
export type IdSum = {
  readonly projectId: number
  readonly count: number
  /** Sum of the numbers of their persons, decimal. */
  readonly personSum: string
}

/**
 * Sends owners. May be repeated: for each id the highest version counts.
 * @param version larger than that of anything older, microseconds since 1970.
 */
export async function sendIds(
  store: ColumnStore,
  ids: readonly OwnedId[],
  version: string,
): Promise<void> {
  if (ids.length === 0) return
  const sql = `insert into ${store.database}.distinct_ids
    (project_id, distinct_id, person_id, version) format JSONCompactEachRow`
  const data = Readable.from(encode(ids, version), { objectMode: false })
  await store.insert(sql, data, { async_insert: 0 })
}

function* encode(ids: readonly OwnedId[], version: string): Generator<string> {
  let piece = ''
  for (const { projectId, distinctId, personId } of ids) {
    piece += `${JSON.stringify([projectId, distinctId, personId, version])}\n`
    if (piece.length < IDS_PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Makes ClickHouse forget all owners up to `version`. */
export async function forgetIds(store: ColumnStore, version: string): Promise<void> {
  await store.command(
    `delete from ${store.database}.distinct_ids where version <= ${BigInt(version)}`,
    { lightweight_deletes_sync: 2 },
  )
}

/** Forgets ids that have had no person since `version`, so that no trace of them is left. */
export async function forgetGone(store: ColumnStore, version: string): Promise<void> {
  const table = `${store.database}.distinct_ids`
  const gone = `(project_id, id) in (select project_id, id from ${table} final
    where person_id = 0 and version <= ${BigInt(version)})`
  const [[count] = []] = await store.rows(`select count() from ${table} where ${gone}`)
  if (Number(count) === 0) return
  await store.command(`delete from ${table} where ${gone}`, { lightweight_deletes_sync: 2 })
}

/** Sums by project, in the order of projects. */
export async function sumIds(store: ColumnStore): Promise<readonly IdSum[]> {
  const rows = await store.rows(
    `select project_id, toString(count()), toString(sum(toInt128(person_id)))
    from ${store.database}.distinct_ids final where person_id != 0
    group by project_id order by project_id`,
  )
  return rows.map(([projectId, count, personSum]) => ({
    projectId: Number(projectId),
    count: Number(count),
    personSum: String(personSum),
  }))
}
