/** Removes events from ClickHouse that Postgres has deleted, and looks that they are gone. */
import { assert } from '../core/code.ts'
import { REPLICA_REMOVAL_KEYS } from '../core/limits/limits-replica.ts'
import { ColumnError } from './column-error.ts'
import type { ColumnStore } from './connect.ts'

/** Events to remove from a month. A key is a UTC day, in days since 1970, and a uuid. */
export type Tombstone =
  | {
      readonly kind: 'events'
      readonly project: number
      readonly keys: readonly (readonly [day: number, uuid: string])[]
    }
  | { readonly kind: 'project'; readonly project: number }
  | { readonly kind: 'month' }

/** Removes only rows of this block or older ones: events stored anew since then stay. */
export type RemovalPlace = { readonly month: string; readonly block: number }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Removes them. May be repeated at any time.
 * @throws {ColumnError} when it is not known that they are gone: call it again.
 */
export async function removeEvents(
  store: ColumnStore,
  place: RemovalPlace,
  removals: readonly Tombstone[],
): Promise<void> {
  for (const condition of conditionsOf(removals)) {
    const where = `month = {month: String} and block <= {block: UInt64} and ${condition}`
    if ((await countOf(store, place, where)) === 0) continue
    await deleteFrom(store, place, condition)
    if ((await countOf(store, place, where)) === 0) continue
    throw new ColumnError('failed', 'ClickHouse: removed events are still there')
  }
}

async function countOf(store: ColumnStore, place: RemovalPlace, where: string): Promise<number> {
  const sql = `select count() from ${store.database}.events where ${where}`
  const [[count] = []] = await store.rows(sql, place)
  return Number(count)
}

/** Deletes rows. Values are our own literals: a statement that changes data takes no parameters. */
async function deleteFrom(
  store: ColumnStore,
  { month, block }: RemovalPlace,
  condition: string,
): Promise<void> {
  assert(/^\w{1,16}$/.test(month) && Number.isSafeInteger(block), 'a removal has no place')
  await store.command(
    `delete from ${store.database}.events
    where month = '${month}' and block <= ${block} and ${condition}`,
    { lightweight_deletes_sync: 2 },
  )
}

/** Removals of single events of one project go together. */
function* conditionsOf(removals: readonly Tombstone[]): Generator<string> {
  const keys = new Map<number, (readonly [number, string])[]>()
  for (const removal of removals) {
    if (removal.kind === 'month') return yield 'true'
    const project = Number(removal.project)
    assert(Number.isSafeInteger(project), 'a removal has no project')
    if (removal.kind === 'project') yield `project_id = ${project}`
    else keys.set(project, (keys.get(project) ?? []).concat(removal.keys))
  }
  for (const [project, all] of keys) {
    for (let from = 0; from < all.length; from += REPLICA_REMOVAL_KEYS) {
      const some = all.slice(from, from + REPLICA_REMOVAL_KEYS)
      yield `project_id = ${project} and (day, uuid) in (${some.map(keyText).join(', ')})`
    }
  }
}

function keyText([day, uuid]: readonly [number, string]): string {
  assert(Number.isSafeInteger(day) && UUID.test(uuid), 'a removal names no event')
  return `(${day}, '${uuid}')`
}
