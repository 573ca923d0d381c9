/** Persons in cohorts: their count, and pages of them. */
import type { Person } from '../../../proto/gen/sluice/v1/Person.ts'
import { rowId } from '../../access/access.ts'
import { found, invalid } from '../../access/errors.ts'
import { AppError } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { COHORT_COUNTS_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { Result } from '../../core/result.ts'
import {
  countPersons,
  type PersonSelection,
} from '../../event-store/postgres/persons/person-list-store.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { readAskedCohorts } from '../../query/asked-cohorts.ts'
import type { ScanDeps } from '../../query/list/events-list.ts'
import { createTimeBudget, isOutOfTime, type TimeBudget } from '../../query/time-budget.ts'
import { findCohort, type StoredCohort } from '../../store/cohorts/cohort-store.ts'
import type { Page } from '../../wire/page.ts'
import { readPersonPage } from '../persons/person-reads.ts'

/** @throws {AppError} `not_found`. */
export async function cohortOf(db: Db, project: ProjectId, text: string): Promise<StoredCohort> {
  const id = rowId(text)
  return found(id === undefined ? undefined : await findCohort(db, project, id))
}

/** Persons in a cohort; the error is the reason why it has no SQL form. */
async function membersOf(
  { own, nowMs }: { readonly own: Sql; readonly nowMs: number },
  project: ProjectId,
  id: number,
): Promise<Result<PersonSelection, string>> {
  const read = await readAskedCohorts(own, project, { type: 'cohort', value: id }, nowMs)
  const members = read(id)
  if (!members.ok) return members
  const where = { kind: 'cohort', members: members.value, negated: false } as const
  return { ok: true, value: { project, where } }
}

/**
 * Counts the persons in each cohort, within one time limit for all of them. A cohort that is
 * hidden, has no SQL form, or was not reached in time has no count: the answer is right without it.
 */
export async function countMembers(
  { sql, clock, scans }: ScanDeps,
  project: ProjectId,
  cohorts: readonly StoredCohort[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  const shown = cohorts.filter(({ deleted }) => !deleted)
  if (shown.length === 0) return counts
  const own = sql.withSignal(signal)
  const read = async () => {
    const budget = createTimeBudget(clock, COHORT_COUNTS_TIMEOUT_MS)
    const reading = { own, nowMs: clock.now() }
    for (const { id } of shown) {
      const selection = await membersOf(reading, project, id)
      if (selection.ok) counts.set(id, await countWithin(own, selection.value, budget))
    }
  }
  try {
    await scans.run(signal, read)
  } catch (error) {
    if (!isOutOfTime(error) && !isRefused(error)) throw error
  }
  return counts
}

function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'resource_exhausted'
}

async function countWithin(own: Sql, who: PersonSelection, budget: TimeBudget): Promise<number> {
  return await readEvents(own, async (tx) => {
    return { value: await withinBudget(tx, budget, () => countPersons(tx, who)) }
  })
}

/** @throws {AppError} `invalid_argument` for a cohort without a SQL form, or too large a page. */
export async function listCohortPersons(
  deps: ScanDeps,
  project: ProjectId,
  { id, ...page }: Page & { readonly id: number },
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly results: Person[] }> {
  const select = async (own: Sql) => {
    const members = await membersOf({ own, nowMs: deps.clock.now() }, project, id)
    if (!members.ok) throw invalid(members.error, null)
    return members.value
  }
  return await readPersonPage(deps, page, signal, select)
}
