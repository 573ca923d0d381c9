/** Brings a flag back to one of its versions. */
import type { RollbackFeatureFlagRequest__Output } from '../../../proto/gen/sluice/v1/RollbackFeatureFlagRequest.ts'
import { found, invalid } from '../../access/errors.ts'
import type { MutateProject } from '../../project/ports.ts'
import { findFlagSnapshot } from '../../store/audit/audit-read-store.ts'
import { lockFlag, type StoredFlag } from '../../store/projects/flag-store.ts'
import { changeFlag, type FlagCaller, keepFlag } from './flag-change.ts'
import { fromFlagSnapshot } from './flag-snapshot.ts'

const ACTIVITY = 'rolled_back'

/**
 * Gives a flag the settings of one of its versions, as its next version. They are checked as those
 * of an update, because objects that they name may be gone. A rollback to the current version
 * changes nothing.
 * @throws {AppError} `invalid_argument` of `version` for an unknown one, of `key` or `filters` when
 * the settings are not valid any more; `not_found` when the flag is gone.
 */
export async function rollBackFlag(
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
