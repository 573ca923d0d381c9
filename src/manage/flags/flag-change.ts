/** Writing a flag within the transaction of its project: checked, and entered in the audit log. */
import type { ProjectAccess } from '../../access/access.ts'
import { invalid } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { ProjectId } from '../../core/ids.ts'
import { validateFlagFilters } from '../../flags/checks/validate.ts'
import type { ChangeTransaction } from '../../project/ports.ts'
import { violatedConstraint } from '../../store/failures.ts'
import {
  type FlagSettings,
  findFlag,
  insertFlag,
  loadFlagsForProject,
  purgeDeletedFlags,
  type StoredFlag,
  touchFlag,
  updateFlag,
} from '../../store/projects/flag-store.ts'
import { audit } from '../audit.ts'
import { toFeatureFlag } from './flag-message.ts'
import { toSnapshot } from './flag-snapshot.ts'

/** Who changes a flag, and where. */
export type FlagCaller = { readonly principal: Principal; readonly access: ProjectAccess }

/**
 * Makes a flag; its deleted namesakes go for good. Of several faults that of the key comes first,
 * as its field does: so the row is written, and taken back, before its filters are judged.
 * @throws {AppError} `invalid_argument` of `key` or `filters`.
 */
export async function addFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  settings: FlagSettings,
): Promise<StoredFlag | undefined> {
  const { projectId } = caller.access
  await purgeDeletedFlags(tx, projectId, settings.key)
  const id = await refusingTakenKey(insertFlag(tx, projectId, caller.principal.userId, settings))
  const [flag] = await Promise.all([
    findFlag(tx, projectId, id),
    requireValidFilters(tx, projectId, id, settings),
  ])
  if (flag !== undefined) await auditFlag(tx, caller, 'created', null, flag)
  return flag
}

/**
 * Gives a flag whose row the caller has locked other settings, as its next version.
 * @throws {AppError} `invalid_argument` of `key` or, when they are judged, `filters`.
 */
export async function changeFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  stored: StoredFlag,
  change: {
    readonly settings: FlagSettings
    readonly activity: string
    readonly judgesFilters: boolean
  },
): Promise<StoredFlag> {
  const { settings, activity } = change
  const version = await refusingTakenKey(updateFlag(tx, stored.id, settings))
  if (change.judgesFilters) {
    await requireValidFilters(tx, caller.access.projectId, stored.id, settings)
  }
  const flag = { ...stored, ...settings, version }
  await auditFlag(tx, caller, activity, stored, flag)
  return flag
}

/** A change that changes nothing: it makes no version, and is known all the same. */
export async function keepFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  stored: StoredFlag,
  activity: string,
): Promise<StoredFlag> {
  await Promise.all([touchFlag(tx, stored.id), auditFlag(tx, caller, activity, stored, stored)])
  return stored
}

/** What an update does by the word that the log has for it. */
export function activityOf(stored: StoredFlag, settings: FlagSettings): string {
  if (stored.deleted === settings.deleted) return 'updated'
  return settings.deleted ? 'deleted' : 'restored'
}

async function auditFlag(
  tx: ChangeTransaction,
  { principal, access }: FlagCaller,
  activity: string,
  before: StoredFlag | null,
  after: StoredFlag,
): Promise<void> {
  const isNewVersion = before?.version !== after.version
  await audit(tx, principal, access, {
    scope: 'FeatureFlag',
    activity,
    itemId: after.id,
    itemName: after.key,
    type: 'sluice.v1.FeatureFlag',
    before: before === null ? null : toFeatureFlag(before),
    after: toFeatureFlag(after),
    derived: ['version', 'is_simple_flag', 'rollout_percentage', 'can_edit'],
    ...(isNewVersion ? { version: after.version, snapshot: toSnapshot(after) } : {}),
  })
}

/** Within the change, since filters may name cohorts and other flags. */
async function requireValidFilters(
  tx: ChangeTransaction,
  project: ProjectId,
  id: number,
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
