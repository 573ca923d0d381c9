/** Writing a flag within the transaction of its project: checked, and entered in the audit log. */
import { isDeepStrictEqual } from 'node:util'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, invalid, refuseTaken } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import { learnPatterns } from '../../conditions/patterns/learn-patterns.ts'
import { AppError } from '../../core/code.ts'
import { objectOf, own } from '../../core/json.ts'
import { parseJson } from '../../core/json-text/parse-json.ts'
import type { KeyRing } from '../../core/secrets/key-ring.ts'
import { workInTurns } from '../../core/work/turns.ts'
import { judgeSum } from '../../flags/checks/project-conditions.ts'
import { validateFlagFilters } from '../../flags/checks/validate.ts'
import type { ChangeTransaction } from '../../project/ports.ts'
import {
  type FlagSettings,
  findFlag,
  insertFlag,
  newFlagId,
  purgeDeletedFlags,
  type StoredFlag,
  touchFlag,
  updateFlag,
} from '../../store/projects/flag-store.ts'
import {
  type PayloadsOwner,
  redactChanged,
  redactPayloads,
  sealPayloads,
} from '../../store/secrets/flag-payloads.ts'
import { sealFlagHistory } from '../../store/secrets/seal-flags.ts'
import { changedMeanwhileDetail } from '../../wire/details.ts'
import { auditorOf } from '../audit.ts'
import { toWireValue } from '../wire-value.ts'
import { refusingWithoutKey } from '../without-key.ts'
import { toFeatureFlag, toFlagSnapshot } from './flag-message.ts'
import { refuseUnknownMasks, sealedSettings } from './flag-secrets.ts'

/** Filters of a request, or such as the flag has or had. */
type JudgedAs = 'given' | 'stored'

/** Author and place of a flag change, and the keys that seal its payloads. */
export type FlagCaller = {
  readonly principal: Principal
  readonly access: ProjectAccess
  readonly secrets: KeyRing
}

/**
 * Makes a flag and removes deleted flags of the same key for good. A wrong key is reported before
 * wrong filters, in the order of the fields. So the row is written before the filters are judged,
 * and the transaction takes it back when they are wrong.
 * @throws {AppError} `invalid_argument` of `key` or `filters`, and without a key for its secrets.
 */
export async function addFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  wanted: FlagSettings,
): Promise<StoredFlag | undefined> {
  const { projectId } = caller.access
  await purgeDeletedFlags(tx, projectId, wanted.key)
  const id = await newFlagId(tx)
  const settings = sealedSettings(caller.secrets, { projectId, flagId: id }, wanted, undefined)
  await refuseTakenKey(insertFlag(tx, { id, projectId, author: caller.principal.userId }, settings))
  refuseUnknownMasks(wanted, undefined)
  await requireValidFilters(tx, id, settings, 'given')
  const flag = await findFlag(tx, projectId, id)
  if (flag !== undefined) await auditFlag(tx, caller, { before: null, after: shown(flag) })
  return flag
}

/**
 * Gives a flag new settings, as its next version. The caller has locked its row.
 * @throws {AppError} `invalid_argument` of `key` or, when they are checked, `filters`.
 */
export async function changeFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  stored: StoredFlag,
  change: {
    readonly settings: FlagSettings
    readonly activity: string
    /** Whether the filters are checked, and as which kind. */
    readonly filters: 'kept' | JudgedAs
  },
): Promise<StoredFlag> {
  const { secrets, access } = caller
  const owner = { projectId: access.projectId, flagId: stored.id }
  const turnsSecret = change.settings.hasEncryptedPayloads && !stored.hasEncryptedPayloads
  const kept = turnsSecret ? sealedBefore(secrets, owner, stored) : stored
  const settings = sealedSettings(secrets, owner, change.settings, kept)
  const { activity } = change
  const version = await refuseTakenKey(updateFlag(tx, stored.id, settings))
  refuseUnknownMasks(change.settings, stored)
  if (change.filters !== 'kept') {
    const isSame = isDeepStrictEqual(settings.filters, kept.filters)
    await requireValidFilters(tx, stored.id, settings, isSame ? 'stored' : change.filters)
  }
  const flag = { ...stored, ...settings, version }
  const before = { flag: kept, hides: kept.hasEncryptedPayloads || turnsSecret }
  await auditFlag(tx, caller, { activity, before, after: shown(flag) })
  // Payloads that were public until now become secret, also in the flag's history.
  if (turnsSecret) await sealFlagHistory(tx, secrets, owner, true)
  return flag
}

/** The stored flag with sealed payloads, so that kept payloads do not count as changes. */
function sealedBefore(secrets: KeyRing, owner: PayloadsOwner, stored: StoredFlag): StoredFlag {
  const { filters } = stored
  const seal = () => sealPayloads(secrets, owner, { filters, before: null })
  return { ...stored, filters: refusingWithoutKey(secrets, seal) }
}

/** @throws {AppError} `failed_precondition` when the flag has another version by now. */
export function requireVersion(stored: StoredFlag, version: number | undefined): void {
  if (version === undefined || version === stored.version) return
  const detail = changedMeanwhileDetail(
    `The change was made from version ${version}, and the flag has version ${stored.version} by now.`,
  )
  throw new AppError('failed_precondition', 'another version of the flag', { detail })
}

/** Logs a change that changes nothing. It makes no version. */
export async function keepFlag(
  tx: ChangeTransaction,
  caller: FlagCaller,
  stored: StoredFlag,
  activity: string,
): Promise<StoredFlag> {
  const entry = { activity, before: shown(stored), after: shown(stored) }
  await Promise.all([touchFlag(tx, stored.id), auditFlag(tx, caller, entry)])
  return stored
}

/** Activity of the log for an update. */
export function activityOf(stored: StoredFlag, settings: FlagSettings): string {
  if (stored.deleted === settings.deleted) return 'updated'
  return settings.deleted ? 'deleted' : 'restored'
}

/** A flag for the log, and whether its payloads are masked there. */
type AuditedFlag = { readonly flag: StoredFlag; readonly hides: boolean }

function shown(flag: StoredFlag): AuditedFlag {
  return { flag, hides: flag.hasEncryptedPayloads }
}

const auditFlag = auditorOf<AuditedFlag>({
  scope: 'FeatureFlag',
  type: 'sluice.v1.FeatureFlag',
  idOf: ({ flag }) => flag.id,
  nameOf: ({ flag }) => flag.key,
  show({ flag, hides }, before) {
    if (!hides) return toFeatureFlag(flag)
    const { filters } = flag
    const masked =
      before === undefined ? redactPayloads(filters) : redactChanged(before.flag.filters, filters)
    return { ...toFeatureFlag(flag), filters: toWireValue(masked) }
  },
  derived: ['version', 'is_simple_flag', 'rollout_percentage', 'can_edit', 'warnings'],
  versionOf: ({ flag }, before) =>
    before?.flag.version === flag.version
      ? {}
      : { version: flag.version, snapshot: toFlagSnapshot(flag) },
})

/** Filters may name cohorts and other flags, so they are judged with all that the change leaves. */
async function requireValidFilters(
  tx: ChangeTransaction,
  id: number,
  { key, filters }: FlagSettings,
  as: JudgedAs,
): Promise<void> {
  await workInTurns(learnPatterns(filters))
  tx.judgeFlags(({ flags, cohorts }) => {
    const context = {
      id,
      key,
      cohorts: new Map(cohorts.map((cohort) => [cohort.id, cohort])),
      otherFlags: flags,
      isStored: as === 'stored',
    }
    accepted(validateFlagFilters(filters, context))
    if (as === 'stored') return
    requireJsonPayloads(filters)
    accepted(judgeSum({ flags, cohorts }))
  })
}

function refuseTakenKey<T>(write: Promise<T>): Promise<T> {
  const detail = 'There is already a feature flag with this key.'
  return refuseTaken(write, 'feature_flags_key', () => invalid(detail, 'key', 'unique'))
}

/** @throws {AppError} 400 of `filters` for a text that is not JSON. Values of other types pass. */
function requireJsonPayloads(filters: unknown): void {
  for (const [key, payload] of Object.entries(objectOf(own(objectOf(filters), 'payloads')))) {
    if (typeof payload !== 'string' || isJson(payload)) continue
    const detail = `The payload of ${JSON.stringify(key)} is no JSON. A text needs quotes: "text".`
    throw invalid(detail, 'filters', 'invalid_input')
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false // The caller answers 400.
  }
}
