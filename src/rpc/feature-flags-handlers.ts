import type { FeatureFlagServiceDefinition } from '../../proto/gen/sluice/v1/FeatureFlagService.ts'
import { rowId } from '../admin/access.ts'
import { invalid, notFound } from '../admin/errors.ts'
import type { ProjectId } from '../core/ids.ts'
import { validateFlagFilters } from '../flags/validate.ts'
import type { ChangeTransaction, MutateProject } from '../project/ports.ts'
import type { Db } from '../store/db.ts'
import { violatedConstraint } from '../store/failures.ts'
import {
  countFlags,
  type FlagSettings,
  findFlag,
  insertFlag,
  listFlags,
  loadFlagsForProject,
  lockFlag,
  purgeDeletedFlags,
  type StoredFlag,
  touchFlag,
  updateFlag,
} from '../store/flag-store.ts'
import { FLAG_DEFAULTS, isEmptyChange, mergeFlag, toFeatureFlag } from './flag-message.ts'
import type { Management } from './management.ts'
import type { ServiceHandlers } from './service-handlers.ts'

const SERVICE = '/sluice.v1.FeatureFlagService'

export type FeatureFlagHandlersDeps = {
  readonly management: Management
  readonly db: Db
  readonly mutateProject: MutateProject
}

export function createFeatureFlagHandlers({
  management,
  db,
  mutateProject,
}: FeatureFlagHandlersDeps): ServiceHandlers<FeatureFlagServiceDefinition> {
  return {
    ListFeatureFlags: management.underProject(`${SERVICE}/ListFeatureFlags`, {
      async run({ request, access: { projectId } }) {
        const [count, flags] = await Promise.all([
          countFlags(db, projectId),
          listFlags(db, projectId, request),
        ])
        return { count, results: flags.map(toFeatureFlag) }
      },
    }),

    CreateFeatureFlag: management.underProject(`${SERVICE}/CreateFeatureFlag`, {
      async run({ request, access: { projectId }, principal }) {
        const settings = mergeFlag(FLAG_DEFAULTS, request)
        const flag = await mutateProject(projectId, async (tx) => {
          await purgeDeletedFlags(tx, projectId, settings.key)
          await requireValidFilters(tx, projectId, undefined, settings)
          const id = await refusingTakenKey(insertFlag(tx, projectId, principal.userId, settings))
          return await findFlag(tx, projectId, id)
        })
        return toFeatureFlag(found(flag))
      },
    }),

    GetFeatureFlag: management.underProject(`${SERVICE}/GetFeatureFlag`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      run: async (_call, flag) => toFeatureFlag(flag),
    }),

    UpdateFeatureFlag: management.underProject(`${SERVICE}/UpdateFeatureFlag`, {
      find: ({ request, access }) => flagOf(db, access.projectId, request.id),
      async run({ request, access: { projectId } }, { id }) {
        const { id: _id, project_id: _project, ...fields } = request
        const flag = await mutateProject(projectId, async (tx) => {
          const stored = found(await lockFlag(tx, projectId, id))
          if (isEmptyChange(fields)) await touchFlag(tx, id)
          else {
            const settings = mergeFlag(stored, fields)
            if ((fields.filters ?? null) !== null)
              await requireValidFilters(tx, projectId, id, settings)
            await refusingTakenKey(updateFlag(tx, id, settings))
          }
          return await findFlag(tx, projectId, id)
        })
        return toFeatureFlag(found(flag))
      },
    }),
  }
}

async function flagOf(db: Db, project: ProjectId, text: string): Promise<StoredFlag> {
  const id = rowId(text)
  return found(id === undefined ? undefined : await findFlag(db, project, id))
}

function found(flag: StoredFlag | undefined): StoredFlag {
  if (flag === undefined) throw notFound()
  return flag
}

/** Within the change, since filters may name cohorts and other flags. */
async function requireValidFilters(
  tx: ChangeTransaction,
  project: ProjectId,
  id: number | undefined,
  { key, filters }: FlagSettings,
): Promise<void> {
  const { flags, cohorts } = await loadFlagsForProject(tx, project)
  const checked = validateFlagFilters(filters, {
    id,
    key,
    cohorts: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
    otherFlags: flags,
  })
  if (checked.ok) return
  const { code, detail, attr } = checked.error
  throw invalid(detail, attr, code)
}

/** The index decides, not a look beforehand: it sees what other transactions do meanwhile. */
async function refusingTakenKey<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (violatedConstraint(error) !== 'feature_flags_key') throw error
    throw invalid('There is already a feature flag with this key.', 'key', 'unique')
  }
}
