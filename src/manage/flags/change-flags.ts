/** Changes many flags in one transaction, each as if it were changed alone. */
import type { ChangeFeatureFlagsRequest__Output } from '../../../proto/gen/sluice/v1/ChangeFeatureFlagsRequest.ts'
import type { ChangeFeatureFlagsResponse } from '../../../proto/gen/sluice/v1/ChangeFeatureFlagsResponse.ts'
import { invalid, unknownObject } from '../../access/errors.ts'
import type { MutateProject } from '../../project/ports.ts'
import { type FlagSettings, lockFlag } from '../../store/projects/flag-store.ts'
import { tagsOf } from '../merge.ts'
import { activityOf, changeFlag, type FlagCaller } from './flag-change.ts'

/**
 * Changes flags in the order of ids, so that two such changes never deadlock.
 * @throws {AppError} `invalid_argument` of `ids` when it is empty, or one is not of the project;
 * nothing is changed then.
 */
export async function changeFlags(
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
