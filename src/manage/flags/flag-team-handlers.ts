/** Handlers for teams that manage flags: reach, links, and changes of many flags. */

import type { ChangeFeatureFlagsRequest__Output } from '../../../proto/gen/sluice/v1/ChangeFeatureFlagsRequest.ts'
import type { ChangeFeatureFlagsResponse } from '../../../proto/gen/sluice/v1/ChangeFeatureFlagsResponse.ts'
import type { FeatureFlagServiceDefinition } from '../../../proto/gen/sluice/v1/FeatureFlagService.ts'
import type { FlagDependencies } from '../../../proto/gen/sluice/v1/FlagDependencies.ts'
import type { FlagLink } from '../../../proto/gen/sluice/v1/FlagLink.ts'
import { invalid, unknownObject } from '../../access/errors.ts'
import { PERSON_READ, requireScope } from '../../access/policy.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { workInTurns } from '../../core/work/turns.ts'
import { compilingSnapshot } from '../../flags/compile.ts'
import type { FlagDefinition } from '../../flags/definition.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import type { MutateProject } from '../../project/ports.ts'
import type { QueryLimiter } from '../../query/query-limiter.ts'
import {
  type FlagSettings,
  loadFlagsForProject,
  lockFlag,
} from '../../store/projects/flag-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import type { Management } from '../management.ts'
import { tagsOf } from '../merge.ts'
import { activityOf, changeFlag, type FlagCaller } from './flag-change.ts'
import { flagPropagation, type PropagationReads } from './flag-propagation.ts'
import { flagReach, hasConditions } from './flag-reach.ts'
import { flagOf } from './flag-reads.ts'
import { pageOfFlagUsage, usageOfFlag } from './flag-usage.ts'

const SERVICE = '/sluice.v1.FeatureFlagService'

export type FlagTeamHandlersDeps = {
  readonly management: Management
  readonly db: Db
  /** Connections for queries alone. */
  readonly scanSql: Sql
  readonly queryLimiter: QueryLimiter
  readonly clock: Clock
  readonly mutateProject: MutateProject
  /** Keys that seal payloads. */
  readonly secrets: KeyRing
  readonly propagation: PropagationReads
}

const USAGE_DAYS = 30

type Handlers = Pick<
  ServiceHandlers<FeatureFlagServiceDefinition>,
  | 'GetFlagReach'
  | 'ChangeFeatureFlags'
  | 'GetFlagDependencies'
  | 'GetPropagation'
  | 'ListFlagUsage'
  | 'GetFlagUsage'
>

export function createFlagTeamHandlers(deps: FlagTeamHandlersDeps): Handlers {
  const { management, db, scanSql, queryLimiter, clock, mutateProject, secrets } = deps
  return {
    GetFlagReach: management.underProject(`${SERVICE}/GetFlagReach`, {
      async run({ request, access, principal, context }) {
        // Counts of 0 and 1 reveal any property of a person, one condition at a time.
        if (hasConditions(request)) requireScope(principal, PERSON_READ)
        const scans = queryLimiter.of(access.organizationId)
        return await flagReach(
          { sql: scanSql, clock, scans },
          access.projectId,
          request,
          context.signal,
        )
      },
    }),

    ChangeFeatureFlags: management.underProject(`${SERVICE}/ChangeFeatureFlags`, {
      run: ({ request, access, principal }) =>
        changeFlags(mutateProject, { access, principal, secrets }, request),
    }),

    GetFlagDependencies: management.underProject(`${SERVICE}/GetFlagDependencies`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      run: ({ access }, { id }) => flagLinks(db, access.projectId, id),
    }),

    ListFlagUsage: management.underProject(`${SERVICE}/ListFlagUsage`, {
      run: ({ request, access }) => pageOfFlagUsage(db, access.projectId, request, clock.now()),
    }),

    GetFlagUsage: management.underProject(`${SERVICE}/GetFlagUsage`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      run: ({ request, access }, flag) => {
        const asked = { days: request.days ?? USAGE_DAYS, nowMs: clock.now() }
        return usageOfFlag(db, access.projectId, flag, asked)
      },
    }),

    GetPropagation: management.underProject(`${SERVICE}/GetPropagation`, {
      run: ({ request, access, context }) =>
        flagPropagation(deps.propagation, access.projectId, request, context.signal),
    }),
  }
}

/** Reads links as evaluation does: deleted flags depend on nothing. */
async function flagLinks(db: Db, project: ProjectId, id: number): Promise<FlagDependencies> {
  const sources = await loadFlagsForProject(db, project)
  const { flags } = await workInTurns(compilingSnapshot(sources))
  const byId = new Map(sources.flags.map((flag) => [flag.id, flag]))
  const flag = flags.find((each) => each.id === id)
  const shown = (ids: readonly number[]): FlagLink[] =>
    ids.flatMap((each) => toLink(byId.get(each)))
  const filters = flag?.sets.flatMap((set) => set.filters) ?? []
  const cohortIds = filters.map((each) => (each.kind === 'cohort' ? each.cohort.id : undefined))
  return {
    depends_on: shown(flag?.dependencies.flatMap((at) => flags[at]?.id ?? []) ?? []),
    dependents: shown(
      flags
        .filter((each) => flag !== undefined && each.dependencies.includes(flag.position))
        .map((each) => each.id),
    ),
    cohorts: sources.cohorts
      .filter((cohort) => cohortIds.includes(cohort.id))
      .map((cohort) => ({ id: cohort.id, name: cohort.name })),
  }
}

function toLink(flag: FlagDefinition | undefined): FlagLink[] {
  if (flag === undefined || flag.deleted) return []
  return [{ id: flag.id, key: flag.key, active: flag.active }]
}

/**
 * Changes flags in the order of ids, so that two such changes never deadlock.
 * @throws {AppError} `invalid_argument` of `ids` when it is empty, or one is not of the project;
 * nothing is changed then.
 */
async function changeFlags(
  mutateProject: MutateProject,
  caller: FlagCaller,
  request: ChangeFeatureFlagsRequest__Output,
): Promise<ChangeFeatureFlagsResponse> {
  const { projectId } = caller.access
  const ids = [...new Set(request.ids)].sort((a, b) => a - b)
  if (ids.length === 0) throw invalid('This field is required.', 'ids', 'required')
  return await mutateProject(projectId, async (tx) => {
    const changed: number[] = []
    const unchanged: number[] = []
    for (const id of ids) {
      const stored = await lockFlag(tx, projectId, id)
      if (stored === undefined) throw unknownObject(id, 'ids')
      const settings = changedSettings(stored, request)
      if (settings === undefined) {
        unchanged.push(id)
        continue
      }
      const activity = activityOf(stored, settings)
      await changeFlag(tx, caller, stored, { settings, activity, filters: 'kept' })
      changed.push(id)
    }
    return { changed, unchanged }
  })
}

/** Undefined when the flag is so already. */
function changedSettings(
  stored: FlagSettings,
  { active, deleted, add_tags: added, remove_tags: removed }: ChangeFeatureFlagsRequest__Output,
): FlagSettings | undefined {
  const gone = new Set(tagsOf(removed))
  const tags = (tagsOf([...stored.tags, ...added]) ?? []).filter((tag) => !gone.has(tag))
  const settings: FlagSettings = {
    ...stored,
    active: active ?? stored.active,
    deleted: deleted ?? stored.deleted,
    tags,
    performedRollback: active === true ? false : stored.performedRollback,
  }
  const isSame =
    settings.active === stored.active &&
    settings.deleted === stored.deleted &&
    tags.join('\n') === stored.tags.join('\n')
  return isSame ? undefined : settings
}
