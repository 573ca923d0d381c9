/** Copies of answers go with the data that they were counted from. */
import type { ProjectId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { type Db, jsonText } from '../../postgres/db.ts'
import { countChange, DAY_VERSION, OTHER_SLOT } from './change-counts.ts'

/** First key of `pg_advisory_xact_lock` with two: any number that nothing else here locks. */
const ANSWERS_LOCK = 730_512

/** How often events of a project were deleted, or its answers forgotten. Decimal text. */
export type Forgotten = string

/** Locks out caching of answers and starts of questions until the transaction ends. */
export async function lockAnswers(tx: Db, project: ProjectId): Promise<void> {
  await tx`select pg_advisory_xact_lock(${ANSWERS_LOCK}::integer, ${project}::integer)`
}

/** Prevents the project's answers from being forgotten until the transaction ends. */
export async function holdAnswers(tx: Db, project: ProjectId): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${ANSWERS_LOCK}::integer, ${project}::integer)`
}

/** Read it before the data that an answer is counted from. */
export async function readForgotten(db: Db, project: ProjectId): Promise<Forgotten> {
  const [row] = await db<{ times: Forgotten }[]>`
    select coalesce(sum(count), 0)::text as times from project_changes
    where project_id = ${project} and kind in ('deletion', 'forgotten')`
  return row?.times ?? '0'
}

const FAILURE: Json = {
  type: 'validation_error',
  code: 'query_cancelled',
  detail: 'Data of the project was deleted while the question was counted. Ask it again.',
  attr: null,
}

/**
 * Deletes the cached answers of a project, the blocks of sessions of days whose events are others
 * by now, and the answers of its named questions, and cancels those that run. An answer that was
 * counted before this commits is never kept after it. Not in a transaction of one snapshot, which
 * would miss what was kept while it waited for the lock.
 */
export async function forgetAnswers(tx: Db, project: ProjectId): Promise<void> {
  await lockAnswers(tx, project)
  await countChange(tx, [project], 'forgotten', OTHER_SLOT)
  await tx`delete from kept_answers where project_id = ${project}`
  await tx`
    delete from session_blocks b where project_id = ${project} and not exists (
      select from (
        select day, ${tx.unsafe(DAY_VERSION)} as version from event_counts
        where project_id = ${project} group by day
      ) c where c.day = date 'epoch' + b.day and c.version = b.version
    )`
  await tx`
    delete from insight_queries where project_id = ${project} and finished_at is not null`
  // One that has ended since the statement before has an answer.
  await tx`
    update insight_queries set run = gen_random_uuid(), seen_at = now(), finished_at = now(),
      answer = null, failure = ${jsonText(FAILURE)}::text::json
    where project_id = ${project}`
}
