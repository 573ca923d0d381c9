/** Questions that were asked under a name: who answers them, and what became of them. */
import type { ProjectId } from '../../core/ids.ts'
import { isObject, type Json } from '../../core/json.ts'
import { INSIGHT_JOBS_RUNNING_MAX } from '../../core/limits/limits-query.ts'
import type { Sql } from '../../postgres/connect.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { lockAnswers } from './forget-answers.ts'

/** Finished background queries of one project that are kept by name. */
export const INSIGHT_JOBS_KEPT_MAX = 20
const INSIGHT_JOBS_KEPT_MS = 3_600_000
/** Silence in milliseconds after which a worker counts as stopped. */
const INSIGHT_JOBS_SILENT_MS = 10_000

/** `run` is a UUID: one attempt to answer what was asked under the name `id`. */
export type JobKey = { readonly project: ProjectId; readonly id: string; readonly run: string }

/** How many of the questions asked under one name are answered. */
export type JobProgress = { readonly done: number; readonly total: number }

export type FinishedJob = {
  /** JSON of the answer; null for a failure. */
  readonly answer: string | null
  /** Error body; null for an answer. */
  readonly failure: Readonly<Record<string, Json>> | null
}

export type StoredJob = JobProgress & {
  /** `lost`: its worker has not been heard of for `INSIGHT_JOBS_SILENT_MS`. */
  readonly state: 'running' | 'finished' | 'lost'
} & FinishedJob

/**
 * Begins an attempt, in place of an earlier question with the same name. Only the newest questions
 * of a project are kept.
 * @returns false when the project has too many questions in the background already.
 */
export async function beginJob(
  sql: Sql,
  { project, id, run }: JobKey,
  { isAsync, total }: { readonly isAsync: boolean; readonly total: number },
): Promise<boolean> {
  return await sql.begin(async (tx) => {
    await lockAnswers(tx, project)
    if (isAsync && (await countRunning(tx, project, id)) >= INSIGHT_JOBS_RUNNING_MAX) return false
    await removeOldJobs(tx)
    await tx`
      delete from insight_queries
      where project_id = ${project} and finished_at is not null and id in (
          select id from insight_queries where project_id = ${project} and id <> ${id}
          order by started_at desc offset ${INSIGHT_JOBS_KEPT_MAX - 1}::integer)`
    await tx`delete from insight_queries where project_id = ${project} and id = ${id}`
    await tx`
      insert into insight_queries (project_id, id, run, is_async, total)
      values (${project}, ${id}, ${run}, ${isAsync}, ${total})`
    return true
  })
}

async function countRunning(tx: Db, project: ProjectId, id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from insight_queries
    where project_id = ${project} and id <> ${id} and is_async and finished_at is null
      and seen_at > now() - ${INSIGHT_JOBS_SILENT_MS}::float8 * interval '1 millisecond'`
  return row?.count ?? 0
}

/** Renews an attempt. @returns false when it has been cancelled or replaced. */
export async function renewJob(
  sql: Sql,
  { project, id, run }: JobKey,
  done: number,
): Promise<boolean> {
  const { count } = await sql`
    update insight_queries set seen_at = now(), done = ${done}
    where project_id = ${project} and id = ${id} and run = ${run}`
  return count > 0
}

/** Keeps the outcome, unless the attempt has been cancelled or replaced. */
export async function finishJob(
  sql: Sql,
  { project, id, run }: JobKey,
  done: number,
  { answer, failure }: FinishedJob,
): Promise<void> {
  await sql`
    update insight_queries set seen_at = now(), finished_at = now(), done = ${done},
      answer = ${answer}, failure = ${jsonText(failure)}::text::json
    where project_id = ${project} and id = ${id} and run = ${run}`
}

/** Undefined when the name is unknown, or was used too long ago. */
export async function findJob(
  sql: Sql,
  project: ProjectId,
  id: string,
): Promise<StoredJob | undefined> {
  const [row] = await sql<
    (JobProgress & { state: StoredJob['state']; answer: string | null; failure: Json })[]
  >`
    select done, total, answer, failure, case
        when finished_at is not null then 'finished'
        when seen_at < now() - ${INSIGHT_JOBS_SILENT_MS}::float8 * interval '1 millisecond'
          then 'lost'
        else 'running'
      end as state
    from insight_queries
    where project_id = ${project} and id = ${id}
      and seen_at > now() - ${INSIGHT_JOBS_KEPT_MS}::float8 * interval '1 millisecond'`
  if (row === undefined) return undefined
  return { ...row, failure: isObject(row.failure) ? row.failure : null }
}

/** Removes the question with this name. @returns false when there is none. */
export async function removeJob(sql: Sql, project: ProjectId, id: string): Promise<boolean> {
  const { count } = await sql`
    delete from insight_queries where project_id = ${project} and id = ${id}`
  return count > 0
}

/** Forgets questions of all projects that nobody can look up any more. Meant for a loop. */
export async function removeOldJobs(db: Db): Promise<void> {
  await db`
    delete from insight_queries
    where seen_at < now() - ${INSIGHT_JOBS_KEPT_MS}::float8 * interval '1 millisecond'`
}
