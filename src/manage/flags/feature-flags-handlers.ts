/** Handlers of `FeatureFlagService` for people: flags, their history, and one's own flags. */
import type { FeatureFlagServiceDefinition } from '../../../proto/gen/sluice/v1/FeatureFlagService.ts'
import type { RollbackFeatureFlagRequest__Output } from '../../../proto/gen/sluice/v1/RollbackFeatureFlagRequest.ts'
import { found, invalid } from '../../access/errors.ts'
import { hasScope } from '../../access/key-limits.ts'
import { PERSON_READ, requireScope } from '../../access/policy.ts'
import { objectOf } from '../../core/json.ts'
import type { MutateProject } from '../../project/ports.ts'
import { findFlagSnapshot } from '../../store/audit/audit-read-store.ts'
import { FLAG_DEFAULTS, lockFlag, type StoredFlag } from '../../store/projects/flag-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { pageOfActivity } from '../activity-page.ts'
import { evaluateFlags, triesDraftOnStored } from './evaluate-flags.ts'
import {
  activityOf,
  addFlag,
  changeFlag,
  type FlagCaller,
  keepFlag,
  requireVersion,
} from './flag-change.ts'
import { type FlagEvaluationDeps, flagsOfUser } from './flag-evaluation.ts'
import { createFlagLibraryHandlers } from './flag-library-handlers.ts'
import { fromFlagSnapshot, isEmptyChange, mergeFlag, toFeatureFlag } from './flag-message.ts'
import { flagOf, pageOfFlags, shareFlags } from './flag-reads.ts'
import { createFlagTeamHandlers, type FlagTeamHandlersDeps } from './flag-team-handlers.ts'

const ACTIVITY = 'rolled_back'

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

/**
 * Gives a flag the settings of one of its versions, as its next version. They are checked as those
 * of an update, because objects that they name may be gone. A rollback to the current version
 * changes nothing.
 * @throws {AppError} `invalid_argument` of `version` for an unknown one, of `key` or `filters` when
 * the settings are not valid any more; `not_found` when the flag is gone.
 */
async function rollBackFlag(
  mutateProject: MutateProject,
  caller: FlagCaller,
  id: number,
  { version = 0 }: Pick<RollbackFeatureFlagRequest__Output, 'version'>,
): Promise<StoredFlag> {
  const { projectId } = caller.access
  return await mutateProject(projectId, async (tx) => {
    const stored = found(await lockFlag(tx, projectId, id))
    if (version === stored.version) return await keepFlag(tx, caller, stored, ACTIVITY)
    const snapshot = await findFlagSnapshot(tx, projectId, id, version)
    if (snapshot === undefined) {
      throw invalid(`Version ${version} does not exist.`, 'version', 'does_not_exist')
    }
    const settings = fromFlagSnapshot(snapshot, stored)
    return await changeFlag(tx, caller, stored, {
      settings,
      activity: ACTIVITY,
      filters: 'stored',
    })
  })
}
