/** Flags as messages: reads, merges and renders their fields. */

import type { FeatureFlag } from '../../../proto/gen/sluice/v1/FeatureFlag.ts'
import type { UpdateFeatureFlagRequest__Output } from '../../../proto/gen/sluice/v1/UpdateFeatureFlagRequest.ts'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { flagWarnings } from '../../flags/checks/flag-warnings.ts'
import {
  FLAG_COLUMNS,
  FLAG_FIELDS,
  type FlagSettings,
  type StoredFlag,
} from '../../store/projects/flag-store.ts'
import { redactPayloads } from '../../store/secrets/flag-payloads.ts'
import { toUserSummary } from '../people/user-message.ts'
import { fromSnapshot, mergeFields, toFields, toSnapshot } from '../settings-messages.ts'
import { refuseSealed } from './flag-secrets.ts'

/** The writable fields, which the messages of a create and an update share. */
export type FlagFields = Omit<UpdateFeatureFlagRequest__Output, 'id' | 'project_id' | 'version'>

/**
 * The settings that `base` and the given fields make together.
 * @throws {AppError} `invalid_argument` of `filters` that only the store could have made.
 */
export function mergeFlag(base: FlagSettings, request: FlagFields): FlagSettings {
  const merged = mergeFields(FLAG_FIELDS, base, request)
  const { filters } = merged
  return {
    ...merged,
    filters: filters === base.filters ? filters : refuseSealed(filters),
    // Switching a flag on by hand ends the automatic switch-off.
    performedRollback: request.active === true ? false : base.performedRollback,
  }
}

/** True when the request changes nothing, whatever the stored flag. */
export function isEmptyChange(request: FlagFields): boolean {
  const { null_fields: nulls, ...fields } = request
  return (
    nulls.length === 0 && Object.values(fields).every((each) => each === undefined || each === null)
  )
}

/** Secret payloads are masked. */
export function toFeatureFlag(flag: StoredFlag): FeatureFlag {
  const author = flag.createdBy
  const shown = flag.hasEncryptedPayloads ? redactPayloads(flag.filters) : flag.filters
  const isSimple = isSimpleFlag(flag.filters)
  const rollout = isSimple ? simpleRollout(flag.filters) : undefined
  return {
    ...toFields(FLAG_COLUMNS, { ...flag, filters: shown }),
    id: flag.id,
    ...(author === null ? {} : { created_by: toUserSummary(author) }),
    created_at: flag.createdAt,
    is_simple_flag: isSimple,
    ...(rollout === undefined ? {} : { rollout_percentage: rollout }),
    experiment_set: [],
    can_edit: true,
    version: flag.version,
    warnings: [...flagWarnings(flag.filters)],
  }
}

/** Exactly one group of conditions, without properties, not by group type. */
function isSimpleFlag(filters: Json): boolean {
  if (!isObject(filters)) return false
  const { groups, aggregation_group_type_index: index } = filters
  if (!Array.isArray(groups) || groups.length !== 1 || (index ?? null) !== null) return false
  const group: unknown = groups[0]
  if (!isObject(group) || (group['aggregation_group_type_index'] ?? null) !== null) return false
  const properties = group['properties'] ?? []
  return Array.isArray(properties) && properties.length === 0
}

/** Percentage of the only group; undefined when it has none. */
function simpleRollout(filters: Json): number | undefined {
  const groups = isObject(filters) ? filters['groups'] : undefined
  const group: unknown = Array.isArray(groups) ? groups[0] : undefined
  const rollout = isObject(group) ? group['rollout_percentage'] : undefined
  return typeof rollout === 'number' ? rollout : undefined
}

/**
 * All fields that clients may write, under the names of the contract. `performed_rollback` is not
 * one of them: it is a state of the current flag, switched off by its own conditions.
 */
export function toFlagSnapshot(settings: FlagSettings): JsonObject {
  return toSnapshot(FLAG_FIELDS, settings)
}

/** The settings of a version; fields that it did not know yet have their defaults. */
export function fromFlagSnapshot(
  snapshot: unknown,
  { performedRollback }: Pick<FlagSettings, 'performedRollback'>,
): FlagSettings {
  const settings = fromSnapshot(FLAG_FIELDS, snapshot)
  // As with an update, switching a flag on by hand ends the automatic switch-off.
  return { ...settings, performedRollback: settings.active ? false : performedRollback }
}
