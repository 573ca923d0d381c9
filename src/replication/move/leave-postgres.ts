/**
 * Moves the events of a month out of Postgres, which keeps their keys in the key index. All of it
 * happens in one transaction, which commits only when ClickHouse and the outbox have every event:
 * sums over the uuids are compared while writers of the month are locked out.
 */

import { sumDays } from '../../clickhouse/block-reader.ts'
import { COMPARE_AGAIN_MS, COMPARISONS_MAX } from '../../core/limits/limits-replica.ts'
import { listMovedMonths } from '../../event-store/months/home.ts'
import {
  attachKeyIndex,
  makeKeyIndex,
  partitionOfMonth,
} from '../../event-store/months/partitions.ts'
import type { Db } from '../../postgres/db.ts'
import { failureCode } from '../../postgres/failures.ts'
import { LOCK_NOT_AVAILABLE } from '../../postgres/sqlstate.ts'
import { compareMonth, type DayDifference, differencesOf, readSnapshot } from '../compare-days.ts'
import { type MoveDeps, refused, tablesOf, withLocked } from './move-month.ts'

/** Attempts at the lock of a month that moves. */
const MONTH_TRIES = 10

/** Raised within a transaction that gives up. */
class Differs extends Error {
  readonly differences: readonly DayDifference[]

  constructor(differences: readonly DayDifference[]) {
    super('the month differs')
    this.differences = differences
  }
}

/**
 * @returns how many events left; undefined when the month is in the key index already.
 * @throws {AppError} `failed_precondition` when ClickHouse lacks events of it, or when readers and
 * writers of the month do not let go of it.
 */
export async function leavePostgres(deps: MoveDeps, month: string): Promise<number | undefined> {
  const { sql, clock } = deps
  if ((await listMovedMonths(sql)).includes(month)) return undefined
  await untilSame(deps, month)
  await sql.begin((tx) => copyKeys(tx, month))
  for (let tries = 1; ; tries++) {
    try {
      return await withLocked(sql, tablesOf(month).events, (tx) => leave(tx, deps, month))
    } catch (error) {
      const isPassing = error instanceof Differs || failureCode(error) === LOCK_NOT_AVAILABLE
      if (!isPassing) throw error
      if (tries === MONTH_TRIES) throw explained(error, month)
      await clock.sleep(COMPARE_AGAIN_MS)
    }
  }
}

/** Waits without any lock until ClickHouse has the month as Postgres has it. */
async function untilSame({ sql, store, clock }: MoveDeps, month: string): Promise<void> {
  for (let looks = 1; ; looks++) {
    const { differences } = await compareMonth(sql, store, month)
    if (differences.length === 0) return
    if (looks === COMPARISONS_MAX) throw explained(new Differs(differences), month)
    await clock.sleep(COMPARE_AGAIN_MS)
  }
}

/** Copies the keys of a month to a new table, in place of one that an interrupted move has left. */
async function copyKeys(tx: Db, month: string): Promise<void> {
  const { events, keys } = tablesOf(month)
  await tx`drop table if exists ${tx(keys)}`
  await makeKeyIndex(tx, partitionOfMonth(month))
  await tx`
    insert into ${tx(keys)} (project_id, day, uuid)
    select project_id, day, uuid from ${tx(events)} order by project_id, day, uuid`
  // Otherwise the planner takes it for empty, and looks up each of its rows.
  await tx`analyze ${tx(keys)}`
}

/** Moves the month while its writers are locked out. */
async function leave(tx: Db, { store }: MoveDeps, month: string): Promise<number> {
  const { events, keys } = tablesOf(month)
  await tx`
    delete from ${tx(keys)} l where not exists (
      select from ${tx(events)} e
      where e.project_id = l.project_id and e.day = l.day and e.uuid = l.uuid
    )`
  await tx`
    insert into ${tx(keys)} (project_id, day, uuid)
    select project_id, day, uuid from ${tx(events)} e where not exists (
      select from ${tx(keys)} l
      where l.project_id = e.project_id and l.day = e.day and l.uuid = e.uuid
    )`
  const { sums, snapshotBlock } = await readSnapshot(tx, month)
  const differences = differencesOf(sums, await sumDays(store, month, snapshotBlock))
  if (differences.length > 0) throw new Differs(differences)
  const [row] = await tx<{ count: number }[]>`select count(*)::float8 as count from ${tx(keys)}`
  await tx`truncate ${tx(events)}`
  await attachKeyIndex(tx, partitionOfMonth(month))
  return row?.count ?? 0
}

function explained(error: unknown, month: string): unknown {
  if (!(error instanceof Differs)) {
    return refused(`${month} is in use: its readers and writers did not let go of it. Try again.`)
  }
  const days = error.differences.length
  return refused(
    `ClickHouse does not have the events of ${month} as Postgres has them: ${days} days differ. ` +
      '"sluice events verify" shows them, "sluice events move" copies them.',
  )
}
