/** A version of a flag as its entry in the audit log keeps it: a stored format, only ever added to. */

import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { FlagSettings } from '../../store/projects/flag-store.ts'
import { bucketingOf, FLAG_DEFAULTS, runtimeOf, textsOf } from './flag-message.ts'

/**
 * All fields that clients may write, under the names of the contract. `performed_rollback` is not
 * one of them: it is a state of the current flag, switched off by its own conditions.
 */
export function toSnapshot(settings: FlagSettings): JsonObject {
  return {
    key: settings.key,
    name: settings.name,
    filters: settings.filters,
    active: settings.active,
    deleted: settings.deleted,
    ensure_experience_continuity: settings.ensureExperienceContinuity,
    bucketing_identifier: settings.bucketingIdentifier,
    evaluation_runtime: settings.evaluationRuntime,
    evaluation_contexts: settings.evaluationContexts,
    has_encrypted_payloads: settings.hasEncryptedPayloads,
    rollback_conditions: settings.rollbackConditions,
    tags: settings.tags,
  }
}

/** The settings of a version; fields that it did not know yet have their defaults. */
export function fromSnapshot(
  snapshot: unknown,
  { performedRollback }: Pick<FlagSettings, 'performedRollback'>,
): FlagSettings {
  // It was JSON when it was written.
  const kept = (isObject(snapshot) ? snapshot : {}) as { readonly [name: string]: Json | undefined }
  const text = (name: string) => {
    const value = kept[name]
    return typeof value === 'string' ? value : undefined
  }
  const boolean = (name: string, otherwise: boolean) => {
    const value = kept[name]
    return typeof value === 'boolean' ? value : otherwise
  }
  const json = (name: string, otherwise: Json) => {
    const value = kept[name]
    return value === undefined ? otherwise : value
  }
  const d = FLAG_DEFAULTS
  const active = boolean('active', d.active)
  return {
    key: text('key') ?? d.key,
    name: text('name') ?? d.name,
    filters: json('filters', d.filters),
    active,
    deleted: boolean('deleted', d.deleted),
    ensureExperienceContinuity: boolean(
      'ensure_experience_continuity',
      d.ensureExperienceContinuity,
    ),
    bucketingIdentifier: bucketingOf(text('bucketing_identifier')) ?? d.bucketingIdentifier,
    evaluationRuntime: runtimeOf(text('evaluation_runtime')) ?? d.evaluationRuntime,
    evaluationContexts: textsOf(json('evaluation_contexts', null)) ?? d.evaluationContexts,
    hasEncryptedPayloads: boolean('has_encrypted_payloads', d.hasEncryptedPayloads),
    rollbackConditions: json('rollback_conditions', d.rollbackConditions),
    // As with an update, switching a flag on by hand ends the automatic switch-off.
    performedRollback: active ? false : performedRollback,
    tags: textsOf(json('tags', null)) ?? d.tags,
  }
}
