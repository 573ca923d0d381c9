/** Flags as messages: reads, merges and renders their fields. */

import type { FeatureFlag } from '../../../proto/gen/sluice/v1/FeatureFlag.ts'
import type { UpdateFeatureFlagRequest__Output } from '../../../proto/gen/sluice/v1/UpdateFeatureFlagRequest.ts'
import { isList, isObject, type Json, textsIn } from '../../core/json.ts'
import { flagWarnings } from '../../flags/checks/flag-warnings.ts'
import type { BucketingIdentifier, EvaluationRuntime } from '../../flags/definition.ts'
import type { FlagSettings, StoredFlag } from '../../store/projects/flag-store.ts'
import { redactPayloads } from '../../store/secrets/flag-payloads.ts'
import { merger, tagsOf } from '../merge.ts'
import { toUserSummary } from '../people/user-message.ts'
import { toWireValue } from '../wire-value.ts'
import { refuseSealed } from './flag-secrets.ts'

/** The writable fields, which the messages of a create and an update share. */
export type FlagFields = Omit<UpdateFeatureFlagRequest__Output, 'id' | 'project_id' | 'version'>

/** Settings of a new flag unless its request sets them. */
export const FLAG_DEFAULTS: FlagSettings = {
  key: '',
  name: '',
  filters: { groups: [{ properties: [], rollout_percentage: null }] },
  active: true,
  deleted: false,
  ensureExperienceContinuity: false,
  bucketingIdentifier: 'distinct_id',
  evaluationRuntime: 'all',
  evaluationContexts: [],
  hasEncryptedPayloads: false,
  rollbackConditions: [],
  performedRollback: false,
  tags: [],
}

/**
 * The settings that `base` and the given fields make together.
 * @throws {AppError} `invalid_argument` of `filters` that only the store could have made.
 */
export function mergeFlag(base: FlagSettings, request: FlagFields): FlagSettings {
  const { json, orNull, orKept } = merger(request.null_fields)
  const { active, tags, evaluation_contexts: contexts } = request
  const given = json('filters', request.filters, base.filters)
  return {
    key: orKept(request.key, base.key),
    name: orKept(request.name, base.name),
    filters: given === base.filters ? given : refuseSealed(given),
    active: orKept(active, base.active),
    deleted: orKept(request.deleted, base.deleted),
    ensureExperienceContinuity:
      orNull(
        'ensure_experience_continuity',
        request.ensure_experience_continuity,
        base.ensureExperienceContinuity,
      ) ?? false,
    bucketingIdentifier: bucketingOf(request.bucketing_identifier) ?? base.bucketingIdentifier,
    evaluationRuntime: runtimeOf(request.evaluation_runtime) ?? base.evaluationRuntime,
    evaluationContexts: textsOf(json('', contexts, null)) ?? base.evaluationContexts,
    hasEncryptedPayloads: orKept(request.has_encrypted_payloads, base.hasEncryptedPayloads),
    rollbackConditions: json(
      'rollback_conditions',
      request.rollback_conditions,
      base.rollbackConditions,
    ),
    // Switching a flag on by hand ends the automatic switch-off.
    performedRollback: active === true ? false : base.performedRollback,
    tags: tagsOf(textsOf(json('', tags, null))) ?? base.tags,
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
    id: flag.id,
    name: flag.name,
    key: flag.key,
    filters: toWireValue(shown),
    deleted: flag.deleted,
    active: flag.active,
    ...(author === null ? {} : { created_by: toUserSummary(author) }),
    created_at: flag.createdAt,
    is_simple_flag: isSimple,
    ...(rollout === undefined ? {} : { rollout_percentage: rollout }),
    ensure_experience_continuity: flag.ensureExperienceContinuity,
    experiment_set: [],
    rollback_conditions: toWireValue(flag.rollbackConditions),
    performed_rollback: flag.performedRollback,
    can_edit: true,
    tags: [...flag.tags],
    version: flag.version,
    bucketing_identifier: flag.bucketingIdentifier,
    evaluation_runtime: flag.evaluationRuntime,
    evaluation_contexts: [...flag.evaluationContexts],
    has_encrypted_payloads: flag.hasEncryptedPayloads,
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

export function textsOf(json: Json): string[] | undefined {
  return isList(json) ? textsIn(json) : undefined
}

export function bucketingOf(text: string | undefined): BucketingIdentifier | undefined {
  return text === 'distinct_id' || text === 'device_id' ? text : undefined
}

export function runtimeOf(text: string | undefined): EvaluationRuntime | undefined {
  return text === 'all' || text === 'server' || text === 'client' ? text : undefined
}
