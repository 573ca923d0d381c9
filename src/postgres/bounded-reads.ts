/** Reads whose time is bounded, with hints for the planner. */

import { ownTurn } from '../core/work/turns.ts'
import type { Sql } from './connect.ts'
import type { Db } from './db.ts'
import { failureCode } from './failures.ts'
import { type Classes, inPostgres } from './patterns.ts'
import { INVALID_REGEX, QUERY_CANCELED } from './sqlstate.ts'

/** Properties of a statement that the planner cannot know. */
export type PlanHints = {
  /**
   * All events are joined with their persons or with groups. The planner takes a filter on
   * properties to let little through, and would look up the person of each of a million events by
   * itself.
   */
  readonly joinsMany?: boolean
  /**
   * Events are joined with their actors. If a table is not analyzed yet, as after an import, the
   * planner expects few events in a range, and would look up their actors one by one.
   */
  readonly joinsActors?: boolean
  /**
   * Few events pass. The planner takes other filters to let half of them through, and would not
   * let two processes look for them because of the work to collect so many.
   */
  readonly findsFew?: boolean
  /**
   * Events are grouped by a property. The planner takes each to have a value of its own, and would
   * sort a million of them to find three.
   */
  readonly groups?: boolean
  /**
   * Each group gathers much data. The planner expects little, and would hash, with most of it
   * spilling to disk. Sorted, one group is in memory at a time.
   */
  readonly gathers?: boolean
}

/** Memory for each sort of a statement that gathers, unless the server's setting is larger. */
const SORT_BYTES = '16777216'

/**
 * Bounds each of a transaction's statements from here on; whole milliseconds, at least 1. Hints
 * given before are forgotten.
 */
export async function limitStatements(
  tx: Db,
  timeoutMs: number,
  { joinsMany = false, joinsActors = false, ...hints }: PlanHints = {},
): Promise<void> {
  const { findsFew = false, groups = false, gathers = false } = hints
  const looks = joinsActors && !joinsMany
  const joins = looks ? tx`(${isUnanalyzed(tx)})` : tx`${joinsMany}::boolean`
  // The check waits for table locks, so it is bounded too.
  const bound = looks
    ? [tx`select set_config('statement_timeout', ${String(timeoutMs)}, true)`]
    : []
  const hint = tx`select set_config('statement_timeout', ${String(timeoutMs)}, true),
    set_config('enable_nestloop', case when ${joins} then 'off' else 'on' end, true),
    set_config('parallel_tuple_cost', ${findsFew ? '0' : '0.1'}, true),
    set_config('enable_sort', ${groups ? 'off' : 'on'}, true),
    set_config('enable_hashagg', ${gathers ? 'off' : 'on'}, true),
    set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')),
      ${gathers ? SORT_BYTES : '0'}::bigint) / 1024 || 'kB', true)`
  await Promise.all([...bound, hint])
}

/** Whether events or distinct ids exist that Postgres has no statistics of. */
function isUnanalyzed(tx: Db) {
  return tx`exists (
    select from pg_class c where c.reltuples <= 0 and pg_relation_size(c.oid) > 0
      and (c.oid = 'distinct_ids'::regclass
        or c.oid in (select inhrelid from pg_inherits where inhparent = 'events'::regclass)))`
}

/** Statement that runs last in each transaction. */
const lastOf = new WeakMap<Db, Promise<unknown>>()

/**
 * Runs one read of a transaction, after those that were asked for before it. The statement is built
 * in its own turn of the event loop once they have ended, with the time that is left then: built
 * together, many large statements would block the event loop, and each would have the time of all.
 * The time-out is sent with the statement, which saves a round trip.
 * @param leftMs as `limitStatements` takes it; called when the read begins. Its exception is
 * thrown.
 * @param read asks `tx` once, and begins no other such read.
 */
export async function readWithin<T>(
  tx: Db,
  leftMs: () => number,
  read: () => Promise<T>,
  hints?: PlanHints,
): Promise<T> {
  const before = lastOf.get(tx)
  const inTurn = async () => {
    await before
    await ownTurn()
    const [, result] = await Promise.all([limitStatements(tx, leftMs(), hints), read()])
    return result
  }
  const running = inTurn()
  lastOf.set(tx, Promise.allSettled([running]))
  return await running
}

/**
 * False when Postgres refuses a pattern that RE2 accepts.
 * @throws {PostgresError} 57014 when compiling it takes longer than `timeoutMs`.
 */
export async function acceptsPattern(
  sql: Sql,
  pattern: string,
  classes: Classes,
  timeoutMs: number,
): Promise<boolean> {
  try {
    await sql.begin('read only', async (tx) => {
      await limitStatements(tx, timeoutMs)
      await tx`select '' ~ ${inPostgres(pattern, classes)}::text`
    })
    return true
  } catch (error) {
    if (failureCode(error) === INVALID_REGEX) return false
    throw error
  }
}

/** True when Postgres can read all of the patterns, and soon enough: else ask for each by itself. */
export async function acceptsPatterns(
  sql: Sql,
  patterns: readonly string[],
  classes: Classes,
  timeoutMs: number,
): Promise<boolean> {
  const list = JSON.stringify(patterns.map((pattern) => inPostgres(pattern, classes)))
  try {
    await sql.begin('read only', async (tx) => {
      await limitStatements(tx, timeoutMs)
      await tx`select count(*) from jsonb_array_elements_text(${list}::text::jsonb) p(pattern)
        where '' ~ p.pattern`
    })
    return true
  } catch (error) {
    const code = failureCode(error)
    if (code === INVALID_REGEX || code === QUERY_CANCELED) return false
    throw error
  }
}

/** Reads in one snapshot, so that count and page agree. */
export async function readEvents<T>(sql: Sql, work: (tx: Db) => Promise<{ value: T }>): Promise<T> {
  const { value } = await sql.begin('isolation level repeatable read read only', work)
  return value
}
