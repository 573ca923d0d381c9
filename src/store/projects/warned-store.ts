/** Flags and cohorts of all projects with conditions that can never be met. */
import { learnPatterns } from '../../conditions/patterns/learn-patterns.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { type Work, workInTurns } from '../../core/work/turns.ts'
import { isWarnedCohort } from '../../flags/checks/cohort-warnings.ts'
import { flagWarnings } from '../../flags/checks/flag-warnings.ts'
import type { Db } from '../../postgres/db.ts'

/** Rows of one statement of it, and flags and cohorts that a status names. */
export const WARNED_READ = 100
const WARNED_NAMED_MAX = 10

type Named = { readonly id: number; readonly projectId: ProjectId; readonly name: string }
type Row = Named & { readonly filters: Json }

type WarnedRows = {
  readonly count: number
  /** The first ones by id. */
  readonly first: readonly Named[]
}

/** A flag's name is its key. */
export type Warned = { readonly flags: WarnedRows; readonly cohorts: WarnedRows }

/** Reads all flags and cohorts that are not deleted, some at a time. */
export async function countWarned(db: Db): Promise<Warned> {
  const flags = await countOf(
    (after) => db<Row[]>`
      select id, project_id as "projectId", key as name, filters from feature_flags
      where not deleted and id > ${after} order by id limit ${WARNED_READ}`,
    (filters) => flagWarnings(filters).length > 0,
  )
  const cohorts = await countOf(
    (after) => db<Row[]>`
      select id, project_id as "projectId", name, filters from cohorts
      where not deleted and not is_static and id > ${after} order by id limit ${WARNED_READ}`,
    isWarnedCohort,
  )
  return { flags, cohorts }
}

async function countOf(
  read: (after: number) => Promise<readonly Row[]>,
  isWarned: (filters: Json) => boolean,
): Promise<WarnedRows> {
  const first: Named[] = []
  let [count, after] = [0, 0]
  for (;;) {
    const rows = await read(after)
    for (const { id, projectId, name } of await workInTurns(warnedOf(rows, isWarned))) {
      count += 1
      if (first.length < WARNED_NAMED_MAX) first.push({ id, projectId, name })
    }
    if (rows.length < WARNED_READ) return { count, first }
    after = rows.at(-1)?.id ?? after
  }
}

function* warnedOf(
  rows: readonly Row[],
  isWarned: (filters: Json) => boolean,
): Work<readonly Row[]> {
  const warned: Row[] = []
  for (const row of rows) {
    yield* learnPatterns(row.filters)
    if (isWarned(row.filters)) warned.push(row)
  }
  return warned
}
