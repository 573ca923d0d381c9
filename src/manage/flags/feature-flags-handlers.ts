/** Handlers of `FeatureFlagService` for people: flags, their history, and one's own flags. */
import type { FeatureFlagServiceDefinition } from '../../../proto/gen/sluice/v1/FeatureFlagService.ts'
import { found } from '../../access/errors.ts'
import { hasScope } from '../../access/key-limits.ts'
import { PERSON_READ, requireScope } from '../../access/policy.ts'
import { objectOf } from '../../core/json.ts'
import { FLAG_DEFAULTS, lockFlag } from '../../store/projects/flag-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { pageOfActivity } from '../activity-page.ts'
import { evaluateFlags, triesDraftOnStored } from './evaluate-flags.ts'
import { activityOf, addFlag, changeFlag, keepFlag, requireVersion } from './flag-change.ts'
import { type FlagEvaluationDeps, flagsOfUser } from './flag-evaluation.ts'
import { createFlagLibraryHandlers } from './flag-library-handlers.ts'
import { isEmptyChange, mergeFlag, toFeatureFlag } from './flag-message.ts'
import { flagOf, pageOfFlags, shareFlags } from './flag-reads.ts'
import { rollBackFlag } from './flag-rollback.ts'
import { createFlagTeamHandlers, type FlagTeamHandlersDeps } from './flag-team-handlers.ts'

const SERVICE = '/sluice.v1.FeatureFlagService'

export type FeatureFlagHandlersDeps = FlagEvaluationDeps & FlagTeamHandlersDeps

type Handlers = ServiceHandlers<FeatureFlagServiceDefinition>

export function createFeatureFlagHandlers(deps: FeatureFlagHandlersDeps): Handlers {
  return {
    ...resourceHandlers(deps),
    ...historyHandlers(deps),
    ...evaluationHandlers(deps),
    ...createFlagLibraryHandlers(deps),
    ...createFlagTeamHandlers(deps),
  }
}

function resourceHandlers({
  management,
  db,
  mutateProject,
  secrets,
  clock,
}: FeatureFlagHandlersDeps): Pick<
  Handlers,
  'ListFeatureFlags' | 'CreateFeatureFlag' | 'GetFeatureFlag' | 'UpdateFeatureFlag'
> {
  const sharedFlags = shareFlags(db, clock)
  return {
    ListFeatureFlags: management.underProject(`${SERVICE}/ListFeatureFlags`, {
      run: ({ request, access }) => pageOfFlags(db, access.projectId, request),
    }),

    CreateFeatureFlag: management.underProject(`${SERVICE}/CreateFeatureFlag`, {
      async run({ request, access, principal }) {
        const settings = mergeFlag(FLAG_DEFAULTS, request)
        const flag = await mutateProject(access.projectId, (tx) =>
          addFlag(tx, { principal, access, secrets }, settings),
        )
        return toFeatureFlag(found(flag))
      },
    }),

    GetFeatureFlag: management.underProject(`${SERVICE}/GetFeatureFlag`, {
      find: ({ request, access }) => sharedFlags(access.projectId, request.id),
      run: async (_call, flag) => toFeatureFlag(flag),
    }),

    UpdateFeatureFlag: management.underProject(`${SERVICE}/UpdateFeatureFlag`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const { id: _id, project_id: _project, version, ...fields } = request
        const caller = { principal, access, secrets }
        const flag = await mutateProject(access.projectId, async (tx) => {
          const stored = found(await lockFlag(tx, access.projectId, id))
          requireVersion(stored, version)
          if (isEmptyChange(fields)) return await keepFlag(tx, caller, stored, 'updated')
          const settings = mergeFlag(stored, fields)
          const activity = activityOf(stored, settings)
          const filters = (fields.filters ?? null) === null ? 'kept' : 'given'
          return await changeFlag(tx, caller, stored, { settings, activity, filters })
        })
        return toFeatureFlag(flag)
      },
    }),
  }
}

function historyHandlers({
  management,
  db,
  mutateProject,
  secrets,
}: FeatureFlagHandlersDeps): Pick<Handlers, 'ListFeatureFlagActivity' | 'RollbackFeatureFlag'> {
  return {
    ListFeatureFlagActivity: management.underProject(`${SERVICE}/ListFeatureFlagActivity`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      run({ request, access: { projectId } }, { id }) {
        const selection = { place: { projectId }, scope: 'FeatureFlag', itemId: String(id) }
        return pageOfActivity(db, selection, request)
      },
    }),

    RollbackFeatureFlag: management.underProject(`${SERVICE}/RollbackFeatureFlag`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const caller = { principal, access, secrets }
        return toFeatureFlag(await rollBackFlag(mutateProject, caller, id, request))
      },
    }),
  }
}

function evaluationHandlers(
  deps: FeatureFlagHandlersDeps,
): Pick<Handlers, 'GetMyFlags' | 'EvaluateFlags'> {
  const { management } = deps
  return {
    EvaluateFlags: management.underProject(`${SERVICE}/EvaluateFlags`, {
      async run({ request, access: { projectId }, principal }) {
        if (triesDraftOnStored(request)) requireScope(principal, PERSON_READ)
        const showsProperties = hasScope(principal.scopes, PERSON_READ.scope)
        return await evaluateFlags(deps, projectId, request, showsProperties)
      },
    }),

    GetMyFlags: management.underProject(`${SERVICE}/GetMyFlags`, {
      async run({ request, access: { projectId }, principal }) {
        const groups = objectOf(fromValue(request.groups))
        return { results: await flagsOfUser(deps, projectId, principal.userId, groups) }
      },
    }),
  }
}
