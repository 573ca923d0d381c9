/** Handlers of `CohortService`. */
import type { CohortServiceDefinition } from '../../../proto/gen/sluice/v1/CohortService.ts'
import type { CohortUses } from '../../../proto/gen/sluice/v1/CohortUses.ts'
import type { ListPersonCohortsResponse } from '../../../proto/gen/sluice/v1/ListPersonCohortsResponse.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, found } from '../../access/errors.ts'
import { hasScope } from '../../access/key-limits.ts'
import type { Principal } from '../../access/principal.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { COHORTS_MAX, EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import type { FoundPerson } from '../../event-store/postgres/persons/find-person.ts'
import { cohortsHolding } from '../../event-store/postgres/persons/person-cohorts-store.ts'
import { withinBudget } from '../../event-store/postgres/reads/event-page.ts'
import type { Members } from '../../events/trees/members.ts'
import { readEvents } from '../../postgres/bounded-reads.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import type { MutateProject } from '../../project/ports.ts'
import { cohortIdsIn, readAskedCohorts } from '../../query/asked-cohorts.ts'
import { inTime, type ScanDeps } from '../../query/list/events-list.ts'
import type { QueryLimiter } from '../../query/query-limiter.ts'
import { createTimeBudget, type TimeBudget } from '../../query/time-budget.ts'
import {
  countCohorts,
  dashboardsThatMayName,
  insightsThatMayName,
  listCohorts,
  type StoredCohort,
} from '../../store/cohorts/cohort-store.ts'
import { loadFlagsForProject } from '../../store/projects/flag-store.ts'
import { findProject } from '../../store/projects/project-store.ts'
import type { CallContext } from '../../wire/call.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { countThatMeet } from '../flags/flag-reach.ts'
import type { Management } from '../management.ts'
import { anyNameOf, foundPerson } from '../persons/person-name.ts'
import { objectOf } from '../wire-value.ts'
import { wordsOf } from '../words-of-search.ts'
import {
  addCohort,
  changeCohort,
  removeCohort,
  requireConditions,
  type WrittenCohort,
} from './cohort-change.ts'
import { toCohort } from './cohort-message.ts'
import { cohortOf, countMembers, listCohortPersons } from './cohort-reads.ts'

/** Cohorts of one statement, which reads those within them too. */
const COHORTS_AT_ONCE = 25

/** Scope of each part of the answer. Cohorts need the one of the method itself. */
const SCOPES = {
  feature_flags: 'feature_flag:read',
  insights: 'insight:read',
  dashboards: 'dashboard:read',
  test_accounts: 'project:read',
  web_goals: 'project:read',
} as const

type Part = keyof typeof SCOPES

/** @throws {AppError} `not_found` when the project is gone. */
async function usesOfCohort(
  db: Db,
  project: ProjectId,
  cohort: number,
  { scopes }: Pick<Principal, 'scopes'>,
): Promise<CohortUses> {
  const mayRead = (part: Part) => hasScope(scopes, SCOPES[part])
  const names = (json: unknown) => cohortIdsIn(json).has(cohort)
  const [sources, insights, dashboards, { testAccountFilters, webGoals }] = await Promise.all([
    loadFlagsForProject(db, project),
    mayRead('insights') ? insightsThatMayName(db, project, cohort) : [],
    mayRead('dashboards') ? dashboardsThatMayName(db, project, cohort) : [],
    findProject(db, project).then(found),
  ])
  const flags = mayRead('feature_flags') ? sources.flags : []
  return {
    feature_flags: flags
      .filter(({ deleted, filters }) => !deleted && names(filters))
      .map(({ id, key, active }) => ({ id, key, active })),
    cohorts: sources.cohorts
      .filter((each) => !each.deleted && !each.isStatic && names(each.filters))
      .map(({ id, name }) => ({ id, name })),
    insights: insights
      .filter(({ query }) => names(query))
      .map(({ shortId, name }) => ({ short_id: shortId, name })),
    dashboards: dashboards
      .filter(({ filters }) => names(filters))
      .map(({ id, name }) => ({ id, name })),
    test_accounts: mayRead('test_accounts') && names(testAccountFilters),
    web_goals: mayRead('web_goals') && names(webGoals),
    unread: Object.keys(SCOPES).filter((part) => !mayRead(part as Part)),
  }
}

const SERVICE = '/sluice.v1.CohortService'

export type CohortHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  /** Connections for queries alone. */
  readonly scanSql: Sql
  readonly queryLimiter: QueryLimiter
  readonly mutateProject: MutateProject
  readonly clock: Clock
}

type Handlers = ServiceHandlers<CohortServiceDefinition>
type Reads = 'ListCohorts' | 'GetCohort' | 'CountCohort' | 'ListCohortUses' | PersonReads
type PersonReads = 'ListCohortPersons' | 'ListPersonCohorts'
type Asking = { readonly access: ProjectAccess; readonly context: CallContext }

export function createCohortHandlers(deps: CohortHandlersDeps): Handlers {
  return { ...readHandlers(deps), ...personHandlers(deps), ...changeHandlers(deps) }
}

function readHandlers(deps: CohortHandlersDeps): Pick<Handlers, Exclude<Reads, PersonReads>> {
  const { management, sql } = deps
  return {
    ListCohorts: management.underProject(`${SERVICE}/ListCohorts`, {
      async run({ request, access, context }) {
        const { projectId } = access
        const words = wordsOf(request.search)
        const [count, cohorts] = await Promise.all([
          countCohorts(sql, projectId, { hidden: false, words }),
          listCohorts(sql, projectId, { ...request, words }),
        ])
        const asked = request.basic === true ? [] : cohorts
        const counts = await counted(deps, { access, context }, asked)
        return { count, results: cohorts.map((each) => toCohort(each, { count: counts(each) })) }
      },
    }),

    GetCohort: management.underProject(`${SERVICE}/GetCohort`, {
      find: ({ request, access }) => cohortOf(sql, access.projectId, request.id),
      async run(asking, cohort) {
        const counts = await counted(deps, asking, [cohort])
        return toCohort(cohort, { count: counts(cohort) })
      },
    }),

    CountCohort: management.underProject(`${SERVICE}/CountCohort`, {
      async run({ request, access, context }) {
        const conditions = await requireConditions(objectOf(request.filters))
        const asked = { conditions, name: 'The cohort', attr: 'filters' }
        const scans = scanning(deps, access)
        const counted = await countThatMeet(scans, access.projectId, asked, context.signal)
        return counted === undefined ? {} : { count: counted.affected, total: counted.total }
      },
    }),

    ListCohortUses: management.underProject(`${SERVICE}/ListCohortUses`, {
      find: ({ request, access }) => cohortOf(sql, access.projectId, request.id),
      run: ({ access, principal }, { id }) => usesOfCohort(sql, access.projectId, id, principal),
    }),
  }
}

function personHandlers(deps: CohortHandlersDeps): Pick<Handlers, PersonReads> {
  const { management, sql } = deps
  return {
    ListCohortPersons: management.underProject(`${SERVICE}/ListCohortPersons`, {
      async find({ request, access }) {
        const cohort = await cohortOf(sql, access.projectId, request.id)
        return found(cohort.deleted ? undefined : cohort)
      },
      run({ request: { limit, offset }, access, context }, { id }) {
        const page = { id, limit, offset }
        return listCohortPersons(scanning(deps, access), access.projectId, page, context.signal)
      },
    }),

    ListPersonCohorts: management.underProject(`${SERVICE}/ListPersonCohorts`, {
      find: ({ request, access }) => foundPerson(sql, access.projectId, anyNameOf(request)),
      run({ access, context }, person) {
        const scans = scanning(deps, access)
        return cohortsOfPerson(scans, access.projectId, person, context.signal)
      },
    }),
  }
}

function changeHandlers(deps: CohortHandlersDeps): Omit<Handlers, Reads> {
  const { management, sql, mutateProject } = deps
  const answer = async (asking: Asking, { cohort, notFound }: WrittenCohort) => {
    const counts = await counted(deps, asking, [cohort])
    return toCohort(cohort, { count: counts(cohort), notFound })
  }
  return {
    CreateCohort: management.underProject(`${SERVICE}/CreateCohort`, {
      async run({ request, access, principal, context }) {
        const caller = { access, principal }
        const made = await mutateProject(access.projectId, (tx) => addCohort(tx, caller, request))
        return await answer({ access, context }, made)
      },
    }),

    UpdateCohort: management.underProject(`${SERVICE}/UpdateCohort`, {
      find: ({ request, access }) => cohortOf(sql, access.projectId, request.id),
      async run({ request, access, principal, context }, { id }) {
        const caller = { access, principal }
        const changed = await mutateProject(access.projectId, (tx) =>
          changeCohort(tx, caller, id, request),
        )
        return await answer({ access, context }, changed)
      },
    }),

    DeleteCohort: management.underProject(`${SERVICE}/DeleteCohort`, {
      find: ({ request, access }) => cohortOf(sql, access.projectId, request.id),
      async run({ access, principal }, { id }) {
        const caller = { access, principal }
        await mutateProject(access.projectId, (tx) => removeCohort(tx, caller, id))
        return {}
      },
    }),
  }
}

function scanning({ scanSql, queryLimiter, clock }: CohortHandlersDeps, access: ProjectAccess) {
  return { sql: scanSql, clock, scans: queryLimiter.of(access.organizationId) }
}

async function counted(
  deps: CohortHandlersDeps,
  { access, context }: Asking,
  cohorts: readonly StoredCohort[],
): Promise<(cohort: StoredCohort) => number | undefined> {
  const scans = scanning(deps, access)
  const counts = await countMembers(scans, access.projectId, cohorts, context.signal)
  return ({ id }) => counts.get(id)
}

/** Cohorts by whether they hold the person, newest first. Hidden ones are left out. */
type Sorted = {
  readonly results: StoredCohort[]
  readonly unknown: { readonly cohort: StoredCohort; readonly reason: string }[]
}

/** @throws {AppError} `invalid_argument` when it takes too long. */
async function cohortsOfPerson(
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

type PersonAsking = {
  readonly own: Sql
  readonly project: ProjectId
  readonly person: FoundPerson
  readonly budget: TimeBudget
  readonly nowMs: number
}

async function sortSome(
  { own, project, person, budget, nowMs }: PersonAsking,
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
