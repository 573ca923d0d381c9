/** Objects of a project whose conditions name a cohort. */
import type { CohortUses } from '../../../proto/gen/sluice/v1/CohortUses.ts'
import { found } from '../../access/errors.ts'
import { hasScope } from '../../access/key-limits.ts'
import type { Principal } from '../../access/principal.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import { cohortIdsIn } from '../../query/asked-cohorts.ts'
import {
  dashboardsThatMayName,
  insightsThatMayName,
} from '../../store/cohorts/cohort-uses-store.ts'
import { loadFlagsForProject } from '../../store/projects/flag-store.ts'
import { findProject } from '../../store/projects/project-store.ts'

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
export async function usesOfCohort(
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
