/** Caches answers with the version of everything that they were counted from. */
import type { ProjectId } from '../../../core/ids.ts'
import { CACHED_MOVING_MS } from '../../../core/limits/limits-query.ts'
import type { Log } from '../../../core/log.ts'
import { DAY_MS } from '../../../events/time/instant.ts'
import type { Sql } from '../../../postgres/connect.ts'
import type { Db } from '../../../postgres/db.ts'
import type { Forgotten } from '../../../store/answers/forget-answers.ts'
import {
  type CachedAnswer,
  type Changes,
  findAnswer,
  keepAnswers,
  type ToKeep,
  trimAnswers,
} from '../../../store/answers/query-cache.ts'
import type { CachedQuestion } from '../any-question.ts'
import { hashOf } from '../question-key.ts'
import { type QuestionReads, readsOf } from './question-reads.ts'

/** Bytes of a whole answer, and of a bucket's numbers or actors, that are kept. */
const CACHED_ANSWER_BYTES_MAX = 262_144
const CACHED_CELL_BYTES_MAX = 262_144
/** Bytes that a worker stores between two removals; each row counts 200 more. */
const CACHE_BYTES_BEFORE_TRIM = 4_194_304
/** Age of cached answers that depend on properties of persons. */
const CACHED_PERSONS_MS = 60_000

/** A question whose answer is cached. */
export type KeptQuestion = {
  readonly project: ProjectId
  readonly question: CachedQuestion
  readonly hash: string
  readonly reads: QuestionReads
}

export type FoundAnswer = {
  /** Cached answer that is still valid. */
  readonly fresh: CachedAnswer | undefined
  /** Version of all that the question reads; undefined when there was too much to check. */
  readonly version: string | undefined
  readonly changes: Changes
}

/** Cache of a worker's answers. */
export type AnswerCache = {
  /** Pool for short reads: never the connections that questions wait for. */
  readonly sql: Sql
  /**
   * Deletes rows beyond the bounds of a project with one of the next calls. Never rejects: an
   * answer that is not cached is counted again.
   * @param forgotten as it was before they were counted: see `readForgotten`.
   */
  keep(project: ProjectId, rows: readonly ToKeep[], forgotten: Forgotten): Promise<void>
}

const ROW_BYTES = 200

export function createAnswerCache(sql: Sql, log: Log): AnswerCache {
  const grown = new Set<ProjectId>()
  let bytes = 0
  const write = async (project: ProjectId, rows: readonly ToKeep[], forgotten: Forgotten) => {
    await keepAnswers(sql, project, rows, forgotten)
    grown.add(project)
    for (const { value } of rows) bytes += value.length + ROW_BYTES
    if (bytes < CACHE_BYTES_BEFORE_TRIM) return
    const projects = [...grown]
    grown.clear()
    bytes = 0
    for (const each of projects) await trimAnswers(sql, each)
  }
  return {
    sql,
    async keep(project, rows, forgotten) {
      const fitting = rows.filter(fits)
      if (fitting.length === 0) return
      try {
        await write(project, fitting, forgotten)
      } catch (error) {
        // The answer is complete; only caching failed.
        log.warn('an answer was not cached', { project, error })
      }
    },
  }
}

function fits({ value, untilMs }: ToKeep): boolean {
  return (
    Buffer.byteLength(value) <= (untilMs === 0 ? CACHED_ANSWER_BYTES_MAX : CACHED_CELL_BYTES_MAX)
  )
}

export function keptQuestion(project: ProjectId, question: CachedQuestion): KeptQuestion {
  return { project, question, hash: hashOf('answer', question), reads: readsOf(question) }
}

/** @param countersMax of what is read to find the version. */
export async function lookForAnswer(
  db: Db,
  { project, hash, reads }: KeptQuestion,
  nowMs: number,
  countersMax: number,
): Promise<FoundAnswer> {
  const { names, fromMs, untilMs } = reads
  const days = { first: fromMs === undefined ? undefined : dayOf(fromMs), last: dayOf(untilMs - 1) }
  const found = await findAnswer(db, project, { hash, names, days }, countersMax)
  const { kept, changes, events } = found
  if (events === undefined) return { fresh: undefined, version: undefined, changes }
  const version = versionOf(events, changes, reads.hasActors)
  return {
    version,
    changes,
    fresh: kept && isFresh(kept, version, reads, nowMs) ? kept : undefined,
  }
}

/**
 * Two counts of one version are equal: it is of the snapshot that was counted, and its parts only
 * rise. Without a deletion the stored events of some days are known by their number.
 */
export function versionOf(events: string, changes: Changes, hasActors: boolean): string {
  return `${events}.${changes.deletions}.${hasActors ? changes.identities : ''}`
}

function isFresh(
  { version, countedAt, holdsUntil }: CachedAnswer,
  current: string,
  { isOfEvents, isWhole }: QuestionReads,
  nowMs: number,
): boolean {
  const age = nowMs - countedAt
  if (age < 0 || nowMs >= (holdsUntil ?? Infinity)) return false
  if (!isOfEvents && age >= CACHED_PERSONS_MS) return false
  return version === current || (isWhole && age < CACHED_MOVING_MS)
}

/** The UTC day of an instant, since 1970. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}
