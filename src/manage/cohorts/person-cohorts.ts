/** Cohorts that a person is in. */
import type { ListPersonCohortsResponse } from '../../../proto/gen/sluice/v1/ListPersonCohortsResponse.ts'
import { accepted } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import { COHORTS_MAX, EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { FoundPerson } from '../../event-store/postgres/persons/find-person.ts'
import { cohortsHolding } from '../../event-store/postgres/persons/person-cohorts-store.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import type { Members } from '../../events/trees/members.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import { readAskedCohorts } from '../../query/asked-cohorts.ts'
import { inTime, type ScanDeps } from '../../query/list/events-list.ts'
import { createTimeBudget, type TimeBudget } from '../../query/time-budget.ts'
import { listCohorts, type StoredCohort } from '../../store/cohorts/cohort-store.ts'

/** Cohorts of one statement, which reads those within them too. */
const COHORTS_AT_ONCE = 25

/** Cohorts by whether they hold the person, newest first. Hidden ones are left out. */
type Sorted = {
  readonly results: StoredCohort[]
  readonly unknown: { readonly cohort: StoredCohort; readonly reason: string }[]
}

/** @throws {AppError} `invalid_argument` when it takes too long. */
export async function cohortsOfPerson(
  { sql, clock, scans }: ScanDeps,
  project: ProjectId,
  person: FoundPerson,
  signal: AbortSignal,
): Promise<ListPersonCohortsResponse> {
  const own = sql.withSignal(signal)
  const budget = createTimeBudget(clock, EVENT_QUERY_TIMEOUT_MS)
  const read = async () => {
    const sorted: Sorted = { results: [], unknown: [] }
    const cohorts = await listCohorts(own, project, { limit: COHORTS_MAX, offset: 0 })
    for (let at = 0; at < cohorts.length; at += COHORTS_AT_ONCE) {
      const some = cohorts.slice(at, at + COHORTS_AT_ONCE)
      await sortSome({ own, project, person, budget, nowMs: clock.now() }, some, sorted)
    }
    return sorted
  }
  const { results, unknown } = accepted(await inTime(scans.run(signal, read, () => 0)))
  return {
    results: results.map(({ id, name, isStatic }) => ({ id, name, is_static: isStatic })),
    unknown: unknown.map(({ cohort: { id, name }, reason }) => ({ id, name, reason })),
  }
}

type Asking = {
  readonly own: Sql
  readonly project: ProjectId
  readonly person: FoundPerson
  readonly budget: TimeBudget
  readonly nowMs: number
}

async function sortSome(
  { own, project, person, budget, nowMs }: Asking,
  cohorts: readonly StoredCohort[],
  { results, unknown }: Sorted,
): Promise<void> {
  const asked = cohorts.map(({ id }) => ({ type: 'cohort', value: id }))
  const membersOf = await readAskedCohorts(own, project, asked, nowMs)
  const readable: { id: number; members: Members }[] = []
  for (const cohort of cohorts) {
    const members = membersOf(cohort.id, 'The cohort')
    if (members.ok) readable.push({ id: cohort.id, members: members.value })
    else unknown.push({ cohort, reason: members.error })
  }
  const holding = await readEvents(own, async (tx) => {
    const ask = () => cohortsHolding(tx, project, person.id, readable)
    return { value: await withinBudget(tx, budget, ask) }
  })
  results.push(...cohorts.filter(({ id }) => holding.has(id)))
}
