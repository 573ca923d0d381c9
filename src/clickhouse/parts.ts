/** Parts of the table of events: ClickHouse refuses inserts into a month that has too many. */
import { ColumnError } from './column-error.ts'
import type { ColumnStore } from './connect.ts'

/** `most`: of one month, which is a partition. */
export type PartCounts = { readonly all: number; readonly most: number }

/**
 * Counts parts. Undefined for a user without the right to, which no other statement needs.
 * @throws {ColumnError}
 */
export async function countParts(
  store: Pick<ColumnStore, 'database' | 'rows'>,
): Promise<PartCounts | undefined> {
  try {
    const [[all, most] = []] = await store.rows(
      `select toString(sum(parts)), toString(max(parts)) from (
        select count() as parts from system.parts
        where database = {database: String} and table = 'events' and active group by partition)`,
      { database: store.database },
    )
    return { all: Number(all), most: Number(most) }
  } catch (error) {
    if (error instanceof ColumnError && error.kind === 'refused') return undefined
    throw error
  }
}
