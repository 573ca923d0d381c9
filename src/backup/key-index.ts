/** Walks over the key index of events. */
import type { EventKey, KeyedDay } from '../clickhouse/block-reader.ts'
import type { Db } from '../postgres/db.ts'

/** Groups keys by day, in the order in which the days first occur. */
export function byDay(keys: readonly EventKey[]): readonly KeyedDay[] {
  const days = new Map<string, { project: number; day: string; uuids: string[] }>()
  for (const { projectId, day, uuid } of keys) {
    const name = `${projectId} ${day}`
    const of = days.get(name) ?? { project: projectId, day, uuids: [] }
    days.set(name, of)
    of.uuids.push(uuid)
  }
  return [...days.values()]
}

/** Columns of a key, of a table of keys as `l`. */
export function keyColumns(db: Db) {
  return db`l.project_id as "projectId", l.day::text as day, l.uuid::text as uuid`
}

/** Condition: keys behind one in their order; undefined is the beginning. */
export function behindKey(db: Db, after: EventKey | undefined) {
  if (after === undefined) return db`true`
  return db`(l.project_id, l.day, l.uuid)
    > (${after.projectId}, ${after.day}::text::date, ${after.uuid}::text::uuid)`
}
