/** Store of ingestion warnings. */

import type { ProjectId } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { WARNINGS_PER_PROJECT_MAX } from '../../core/limits/limits.ts'
import type { CountedWarning, WarningsTaken } from '../../events/warnings/warning-counts.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { addDropped } from './dropped-store.ts'

export type StoredWarning = {
  readonly type: string
  readonly details: JsonObject
  readonly count: number
  /** ISO 8601, UTC, microseconds. */
  readonly firstSeenAt: string
  readonly lastSeenAt: string
}

/** Adds counts and samples to what is there. */
export async function addWarnings(sql: Sql, { samples, counts }: WarningsTaken): Promise<void> {
  await sql.begin(async (tx) => {
    if (counts.length > 0) await addDropped(tx, counts)
    if (samples.length > 0) await addSamples(tx, samples)
  })
}

/**
 * Nothing is kept of projects that are gone, and of each project the newest
 * `WARNINGS_PER_PROJECT_MAX` rows; every type keeps its share of them.
 */
async function addSamples(tx: Db, warnings: readonly CountedWarning[]): Promise<void> {
  const rows = warnings.map(({ warning, count }) => ({
    project_id: warning.projectId,
    type: warning.type,
    subject: warning.subject,
    details: warning.details,
    count,
  }))
  const projects = [...new Set(warnings.map(({ warning }) => warning.projectId))]
  await tx`
    insert into ingestion_warnings as w (project_id, type, subject, details, count)
    select p.id, i.type, md5(i.subject)::uuid as subject, i.details, i.count
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as i (project_id integer, type text, subject text, details json, count bigint)
    join projects p on p.id = i.project_id
    order by p.id, i.type, subject
    on conflict (project_id, type, subject) do update set
      details = excluded.details, count = w.count + excluded.count, last_seen_at = now()`
  await tx`
    with typed as (
      select project_id, type, subject, last_seen_at, row_number() over (
        partition by project_id, type order by last_seen_at desc, subject) as turn
      from ingestion_warnings where project_id = any (${projects}::integer[])
    ), placed as (
      select project_id, type, subject, row_number() over (
        partition by project_id order by turn, last_seen_at desc, type, subject) as place
      from typed
    )
    delete from ingestion_warnings w using placed old
    where old.place > ${WARNINGS_PER_PROJECT_MAX} and w.project_id = old.project_id
      and w.type = old.type and w.subject = old.subject`
}

/** Newest first. */
export async function listWarnings(
  db: Db,
  project: ProjectId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly StoredWarning[]> {
  return await db<StoredWarning[]>`
    select type, details, count::float8 as count,
      to_char(first_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "firstSeenAt",
      to_char(last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "lastSeenAt"
    from ingestion_warnings where project_id = ${project}
    order by last_seen_at desc, type, subject limit ${limit} offset ${offset}`
}

export async function countWarnings(db: Db, project: ProjectId): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from ingestion_warnings where project_id = ${project}`
  return row?.count ?? 0
}
