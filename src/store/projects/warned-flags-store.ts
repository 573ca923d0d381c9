/** Flags of all projects with conditions that can never be met. */
import { learnPatterns } from '../../conditions/patterns/learn-patterns.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { WARNED_FLAGS_NAMED_MAX, WARNED_FLAGS_READ } from '../../core/limits/limits-status.ts'
import { type Work, workInTurns } from '../../core/work/turns.ts'
import { flagWarnings } from '../../flags/checks/flag-warnings.ts'
import type { Db } from '../pool/db.ts'

export type WarnedFlags = {
  readonly count: number
  /** The first ones by id. */
  readonly first: readonly { readonly projectId: ProjectId; readonly key: string }[]
}

type Row = {
  readonly id: number
  readonly projectId: ProjectId
  readonly key: string
  readonly filters: Json
}

/** Reads all flags that are not deleted, some at a time. */
export async function countWarnedFlags(db: Db): Promise<WarnedFlags> {
  const first: WarnedFlags['first'][number][] = []
  let [count, after] = [0, 0]
  for (;;) {
    const rows = await db<Row[]>`
      select id, project_id as "projectId", key, filters from feature_flags
      where not deleted and id > ${after} order by id limit ${WARNED_FLAGS_READ}`
    for (const { projectId, key } of await workInTurns(warnedOf(rows))) {
      count += 1
      if (first.length < WARNED_FLAGS_NAMED_MAX) first.push({ projectId, key })
    }
    if (rows.length < WARNED_FLAGS_READ) return { count, first }
    after = rows.at(-1)?.id ?? after
  }
}

function* warnedOf(rows: readonly Row[]): Work<readonly Row[]> {
  const warned: Row[] = []
  for (const row of rows) {
    yield* learnPatterns(row.filters)
    if (flagWarnings(row.filters).length > 0) warned.push(row)
  }
  return warned
}
