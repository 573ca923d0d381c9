/** Keys of events as the ledger has them. */
import type { KeyedDay } from '../events-clickhouse/block-reader.ts'

/** `day` is `YYYY-MM-DD`, the uuid in lower case. */
export type LedgerKey = {
  readonly projectId: number
  readonly day: string
  readonly uuid: string
}

/** In the order in which their days come first. */
export function byDay(keys: readonly LedgerKey[]): readonly KeyedDay[] {
  const days = new Map<string, { project: number; day: string; uuids: string[] }>()
  for (const { projectId, day, uuid } of keys) {
    const name = `${projectId} ${day}`
    const of = days.get(name) ?? { project: projectId, day, uuids: [] }
    days.set(name, of)
    of.uuids.push(uuid)
  }
  return [...days.values()]
}

/** One text for each key. */
export function nameOf({ projectId, day, uuid }: LedgerKey): string {
  return `${projectId} ${day} ${uuid}`
}
