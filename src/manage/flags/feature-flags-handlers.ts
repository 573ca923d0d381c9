/** Handlers of `FeatureFlagService` for people: flags, their history, and one's own flags. */
import type { FeatureFlagServiceDefinition } from '../../../proto/gen/sluice/v1/FeatureFlagService.ts'
import { found } from '../../access/errors.ts'
import { objectOf } from '../../core/json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import type { MutateProject } from '../../project/ports.ts'
import { lockFlag } from '../../store/projects/flag-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { pageOfActivity } from '../activity-page.ts'
import type { Management } from '../management.ts'
import { activityOf, addFlag, changeFlag, keepFlag } from './flag-change.ts'
import { type FlagEvaluationDeps, flagsOfUser } from './flag-evaluation.ts'
import { createFlagLibraryHandlers } from './flag-library-handlers.ts'
import { FLAG_DEFAULTS, isEmptyChange, mergeFlag, toFeatureFlag } from './flag-message.ts'
import { flagOf, pageOfFlags } from './flag-reads.ts'
import { rollBackFlag } from './flag-rollback.ts'

const SERVICE = '/sluice.v1.FeatureFlagService'

export type FeatureFlagHandlersDeps = FlagEvaluationDeps & {
  readonly management: Management
  readonly mutateProject: MutateProject
  /** What seals payloads. */
  readonly secrets: KeyRing
}

type Handlers = ServiceHandlers<FeatureFlagServiceDefinition>

export function createFeatureFlagHandlers(deps: FeatureFlagHandlersDeps): Handlers {
  return {
    ...resourceHandlers(deps),
    ...historyHandlers(deps),
    ...evaluationHandlers(deps),
    ...createFlagLibraryHandlers(deps),
  }
}

function resourceHandlers({
  management,
  db,
  mutateProject,
  secrets,
}: FeatureFlagHandlersDeps): Pick<
  Handlers,
  'ListFeatureFlags' | 'CreateFeatureFlag' | 'GetFeatureFlag' | 'UpdateFeatureFlag'
> {
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
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      run: async (_call, flag) => toFeatureFlag(flag),
    }),

    UpdateFeatureFlag: management.underProject(`${SERVICE}/UpdateFeatureFlag`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const { id: _id, project_id: _project, ...fields } = request
        const caller = { principal, access, secrets }
        const flag = await mutateProject(access.projectId, async (tx) => {
          const stored = found(await lockFlag(tx, access.projectId, id))
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

function evaluationHandlers(deps: FeatureFlagHandlersDeps): Pick<Handlers, 'GetMyFlags'> {
  const { management } = deps
  return {
    GetMyFlags: management.underProject(`${SERVICE}/GetMyFlags`, {
      async run({ request, access: { projectId }, principal }) {
        const groups = objectOf(fromValue(request.groups))
        return { results: await flagsOfUser(deps, projectId, principal.userId, groups) }
      },
    }),
  }
}
