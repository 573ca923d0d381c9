/**
 * Jobs that plugins have asked for. A job is taken by a lease: `run_at` moves ahead, and `attempts`
 * rises, which fences what an earlier holder still does. When the lease runs out it is due again.
 */

import { v7 as uuidv7 } from 'uuid'
import type { ProjectId } from '../../core/ids.ts'
import { isList, type Json, type JsonObject, objectOf } from '../../core/json.ts'
import {
  PLUGIN_JOB_KEPT_HOURS,
  PLUGIN_JOB_NAME_CHARS_MAX,
  PLUGIN_JOB_PAYLOAD_BYTES_MAX,
  PLUGIN_JOB_YEARS_AHEAD_MAX,
  PLUGIN_JOBS_OF_PROJECT_MAX,
} from '../../core/limits/limits-plugins.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import type { EnqueueJob } from '../../project/plugin-ports.ts'
import { CONFIG_GONE, forPlugin, storableJson, storableName } from './plugin-problems.ts'
import { inForce } from './plugin-store.ts'

/** Jobs of one config that wait. */
export const PLUGIN_JOBS_WAITING_MAX = 10_000
/** Due jobs among which a worker chooses. */
const PLUGIN_JOBS_WINDOW_ROWS = 1_000
/** Old jobs that one statement deletes. */
const PLUGIN_JOB_SWEEP_ROWS = 1_000

type AskedJob = Parameters<EnqueueJob>[0]

/** Latest time of a `Date`, in ms since 1970, which the database can store too. */
const TIME_MS_MAX = 8_640_000_000_000_000

/**
 * A time that has passed is now. Calls at once may overshoot the bound by their number.
 * @returns the id of the job.
 * @throws {Error} for the plugin: of what it asked for, or that the store does not take it.
 */
export async function enqueueJob(db: Db, configId: number, job: AskedJob): Promise<string> {
  const name = storableName('The name of a job', job.name, PLUGIN_JOB_NAME_CHARS_MAX)
  const payload = payloadOf(job.payload)
  const text = storableJson('The payload', payload, PLUGIN_JOB_PAYLOAD_BYTES_MAX)
  if (!(Math.abs(job.runAtMs) <= TIME_MS_MAX))
    throw new Error('The time of a job is not a valid time.')
  const id = uuidv7()
  const [row] = await forPlugin(db<{ there: boolean; near: boolean; written: boolean }[]>`
    with config as (
      select id from plugin_configs where id = ${configId}
    ), asked as (
      select greatest(to_timestamp(${String(job.runAtMs)}::text::float8 / 1000), now()) as run_at
    ), near as (
      select run_at from asked
      where run_at <= now() + make_interval(years => ${PLUGIN_JOB_YEARS_AHEAD_MAX})
    ), written as (
      insert into plugin_jobs (id, plugin_config_id, name, payload, run_at)
      select ${id}, config.id, ${name}, ${text}::text::json, near.run_at from config, near
      where ${hasRoom(db, configId)}
      returning 1
    )
    select exists (select from config) as there, exists (select from near) as near,
      exists (select from written) as written`)
  if (row?.there !== true) throw new Error(CONFIG_GONE)
  if (!row.near) throw new Error('The time of a job must be within ten years.')
  if (!row.written) {
    throw new Error(`At most ${PLUGIN_JOBS_WAITING_MAX} jobs of a plugin config may wait.`)
  }
  return id
}

/** Whether it is not too large, as what a plugin asks for itself. */
export function isJobPayload(payload: JsonObject): boolean {
  return Buffer.byteLength(JSON.stringify(payload)) <= PLUGIN_JOB_PAYLOAD_BYTES_MAX
}

/**
 * Due at once. The caller holds the config's lock.
 * @returns false when too many wait already.
 */
export async function insertPluginJob(
  db: Db,
  job: { id: string; configId: number; name: string; payload: JsonObject },
): Promise<boolean> {
  const { count } = await db`
    insert into plugin_jobs (id, plugin_config_id, name, payload)
    select ${job.id}, ${job.configId}, ${job.name}, ${jsonText(job.payload)}::text::json
    where ${hasRoom(db, job.configId)}`
  return count === 1
}

function hasRoom(db: Db, configId: number) {
  return db`(
    select count(*) from (
      select from plugin_jobs where plugin_config_id = ${configId} limit ${PLUGIN_JOBS_WAITING_MAX}
    ) as waiting
  ) < ${PLUGIN_JOBS_WAITING_MAX}`
}

/** None is an empty one. */
function payloadOf(payload: Json): JsonObject {
  if (payload === null) return {}
  if (typeof payload !== 'object' || isList(payload)) {
    throw new Error('The payload of a job must be an object.')
  }
  return payload
}

export type JobLease = {
  readonly id: string
  /** How often it was taken, this time included. */
  readonly attempts: number
}

export type TakenJob = JobLease & {
  readonly configId: number
  readonly projectId: ProjectId
  readonly pluginId: number
  readonly pluginName: string
  readonly name: string
  readonly payload: JsonObject
  /** Due time before it was taken: milliseconds since 1970. */
  readonly dueMs: number
}

export type JobsWanted = {
  readonly count: number
  readonly leaseMs: number
  /** Jobs that the asker has under way: it may have lost a lease. */
  readonly held: readonly string[]
  /** Neither jobs of these configs nor of these projects. */
  readonly resting: readonly number[]
  readonly avoided: readonly ProjectId[]
}

/**
 * Takes due jobs of configs in force, projects in turn, the oldest first. Two workers never take
 * the same one.
 */
export async function takeJobs(db: Db, wanted: JobsWanted): Promise<readonly TakenJob[]> {
  const rows = await db<(Omit<TakenJob, 'payload'> & { payload: Json })[]>`
    with waiting as materialized (
      select j.id, j.run_at, c.project_id, c.plugin_id, p.name as plugin_name
      from plugin_jobs j
      join plugin_configs c on c.id = j.plugin_config_id
      join plugins p on p.id = c.plugin_id
      where j.run_at <= now() and ${inForce(db)}
        and not j.id = any (${[...wanted.held]}::text[]::uuid[])
        and not c.id = any (${wanted.resting.map(String)}::text[]::integer[])
        and not c.project_id = any (${wanted.avoided.map(String)}::text[]::integer[])
      order by j.run_at limit ${PLUGIN_JOBS_WINDOW_ROWS}
    ), ranked as materialized (
      select *, row_number() over (partition by project_id order by run_at, id) as place
      from waiting
    ), due as materialized (
      select j.id, j.run_at, r.project_id, r.plugin_id, r.plugin_name
      from ranked r join plugin_jobs j on j.id = r.id
      where j.run_at <= now() and r.place <= ${PLUGIN_JOBS_OF_PROJECT_MAX}
      order by r.place, r.run_at limit ${wanted.count}
      for update of j skip locked
    )
    update plugin_jobs j set attempts = j.attempts + 1,
      run_at = now() + make_interval(secs => ${wanted.leaseMs / 1000})
    from due where j.id = due.id
    returning j.id, j.attempts, j.plugin_config_id as "configId", j.name, j.payload,
      due.project_id as "projectId", due.plugin_id as "pluginId",
      due.plugin_name as "pluginName",
      (extract(epoch from due.run_at) * 1000)::float8 as "dueMs"`
  return rows.map((row) => ({ ...row, payload: objectOf(row.payload) }))
}

/** Renews leases. Leases that were lost meanwhile stay lost. */
export async function renewJobs(
  db: Db,
  leases: readonly JobLease[],
  leaseMs: number,
): Promise<void> {
  await db`
    update plugin_jobs j set run_at = now() + make_interval(secs => ${leaseMs / 1000})
    from json_to_recordset(${JSON.stringify(leases)}::text::json) as l (id uuid, attempts integer)
    where j.id = l.id and j.attempts = l.attempts`
}

/** Deletes a finished job. @returns false when the lease was lost: another worker has the job. */
export async function finishJob(db: Db, { id, attempts }: JobLease): Promise<boolean> {
  const gone = await db`delete from plugin_jobs where id = ${id} and attempts = ${attempts}`
  return gone.count > 0
}

/** Due again after the time. @returns as `finishJob`. */
export async function retryJob(
  db: Db,
  { id, attempts }: JobLease,
  waitMs: number,
): Promise<boolean> {
  const changed = await db`
    update plugin_jobs set run_at = now() + make_interval(secs => ${waitMs / 1000})
    where id = ${id} and attempts = ${attempts}`
  return changed.count > 0
}

/** Puts a job back as if it had never been taken. @returns as `finishJob`. */
export async function putBackJob(
  db: Db,
  { id, attempts, dueMs }: Pick<TakenJob, 'id' | 'attempts' | 'dueMs'>,
): Promise<boolean> {
  const changed = await db`
    update plugin_jobs set attempts = attempts - 1,
      run_at = to_timestamp(${String(dueMs)}::text::float8 / 1000)
    where id = ${id} and attempts = ${attempts}`
  return changed.count > 0
}

/** Deletes a bounded number of old jobs whose configs are not in force. @returns how many. */
export async function removeStaleJobs(db: Db): Promise<number> {
  const removed = await db`
    delete from plugin_jobs where id in (
      select j.id from plugin_jobs j join plugin_configs c on c.id = j.plugin_config_id
      where j.run_at < now() - make_interval(hours => ${PLUGIN_JOB_KEPT_HOURS})
        and not ${inForce(db)}
      order by j.run_at limit ${PLUGIN_JOB_SWEEP_ROWS}
    )`
  return removed.count
}
