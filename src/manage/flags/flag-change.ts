/** Writing a flag within the transaction of its project: checked, and entered in the audit log. */
import { isDeepStrictEqual } from 'node:util'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, invalid, refuseTaken } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { validateFlagFilters } from '../../flags/checks/validate.ts'
import type { ChangeTransaction } from '../../project/ports.ts'
import {
  type FlagSettings,
  findFlag,
  insertFlag,
  purgeDeletedFlags,
  type StoredFlag,
  touchFlag,
  updateFlag,
} from '../../store/projects/flag-store.ts'
import { auditorOf } from '../audit.ts'
import { toFeatureFlag } from './flag-message.ts'
import { toSnapshot } from './flag-snapshot.ts'

/** Filters of a request, or such as the flag has or had. */
type JudgedAs = 'given' | 'stored'

/** Who changes a flag, and where. */
export type FlagCaller = { readonly principal: Principal; readonly access: ProjectAccess }

/**
 * Makes a flag and removes deleted flags of the same key for good. A wrong key is reported before
 * wrong filters, in the order of the fields. So the row is written before the filters are judged,
 * and the transaction takes it back when they are wrong.
 * @throws {AppError} `invalid_argument` of `key` or `filters`.
 */
export async function addFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  settings: FlagSettings,
): Promise<StoredFlag | undefined> {
  const { projectId } = caller.access
  await purgeDeletedFlags(tx, projectId, settings.key)
  const id = await refuseTakenKey(insertFlag(tx, projectId, caller.principal.userId, settings))
  requireValidFilters(tx, id, settings, 'given')
  const flag = await findFlag(tx, projectId, id)
  if (flag !== undefined) await auditFlag(tx, caller, { before: null, after: flag })
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
    /** Whether they are to be judged, and as what. */
    readonly filters: 'kept' | JudgedAs
  },
): Promise<StoredFlag> {
  const { settings, activity } = change
  const version = await refuseTakenKey(updateFlag(tx, stored.id, settings))
  if (change.filters !== 'kept') {
    const isSame = isDeepStrictEqual(settings.filters, stored.filters)
    requireValidFilters(tx, stored.id, settings, isSame ? 'stored' : change.filters)
  }
  const flag = { ...stored, ...settings, version }
  await auditFlag(tx, caller, { activity, before: stored, after: flag })
  return flag
}

/** Logs a change that changes nothing. It makes no version. */
export async function keepFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  stored: StoredFlag,
  activity: string,
): Promise<StoredFlag> {
  const entry = { activity, before: stored, after: stored }
  await Promise.all([touchFlag(tx, stored.id), auditFlag(tx, caller, entry)])
  return stored
}

/** The log's word for what an update does. */
export function activityOf(stored: StoredFlag, settings: FlagSettings): string {
  if (stored.deleted === settings.deleted) return 'updated'
  return settings.deleted ? 'deleted' : 'restored'
}

const auditFlag = auditorOf<StoredFlag>({
  scope: 'FeatureFlag',
  type: 'sluice.v1.FeatureFlag',
  idOf: ({ id }) => id,
  nameOf: ({ key }) => key,
  show: (flag) => toFeatureFlag(flag),
  derived: ['version', 'is_simple_flag', 'rollout_percentage', 'can_edit'],
  versionOf: (after, before) =>
    before?.version === after.version
      ? {}
      : { version: after.version, snapshot: toSnapshot(after) },
})

/** Filters may name cohorts and other flags, so they are judged with all that the change leaves. */
function requireValidFilters(
  tx: ChangeTransaction,
  id: number,
  { key, filters }: FlagSettings,
  as: JudgedAs,
): void {
  tx.judgeFlags(({ flags, cohorts }) => {
    const context = {
      id,
      key,
      cohorts: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
      otherFlags: flags,
      isStored: as === 'stored',
    }
    accepted(validateFlagFilters(filters, context))
  })
}

function refuseTakenKey<T>(write: Promise<T>): Promise<T> {
  const detail = 'There is already a feature flag with this key.'
  return refuseTaken(write, 'feature_flags_key', () => invalid(detail, 'key', 'unique'))
}
