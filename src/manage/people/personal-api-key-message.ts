/** Personal keys as messages: reads, merges and renders their fields. */
import type { PersonalApiKey } from '../../../proto/gen/sluice/v1/PersonalApiKey.ts'
import type { UpdatePersonalApiKeyRequest__Output } from '../../../proto/gen/sluice/v1/UpdatePersonalApiKeyRequest.ts'
import { invalid } from '../../access/errors.ts'
import { EVERY_SCOPE } from '../../access/key-limits.ts'
import { type OrganizationId, organizationId } from '../../core/ids.ts'
import { type Json, textsIn } from '../../core/json.ts'
import type { KeySettings, PersonalKey } from '../../store/people/personal-key-store.ts'
import { readReference } from '../../wire/validation/scalars.ts'
import { merger } from '../merge.ts'
import { momentOf } from '../moment.ts'

/** The writable fields, which the messages of a create and an update share. */
export type KeyFields = Omit<UpdatePersonalApiKeyRequest__Output, 'id'>

/** Settings of a new key unless its request sets them. */
export const KEY_DEFAULTS: KeySettings = {
  label: '',
  scopes: [EVERY_SCOPE],
  scopedProjects: [],
  scopedOrganizations: [],
  expiresAt: null,
}

/**
 * The settings that `base` and the given fields make together; each item of a list once.
 * @throws {AppError} `invalid_argument` when a list of projects holds an impossible id, or the
 * expiry is not a time.
 */
export function mergeKey(base: KeySettings, request: KeyFields): KeySettings {
  const { json, orKept, orNull } = merger(request.null_fields)
  const { scopes, scoped_teams: projects, scoped_organizations: organizations } = request
  return {
    label: orKept(request.label, base.label),
    expiresAt: expiryOf(orNull('expires_at', request.expires_at, base.expiresAt)),
    scopes: unique(textsIn(json('scopes', scopes, base.scopes))),
    scopedProjects: unique(projectIds(json('scoped_teams', projects, base.scopedProjects))),
    scopedOrganizations: unique(
      organizationIds(json('scoped_organizations', organizations, base.scopedOrganizations)),
    ),
  }
}

/** True when the request gives the field, null included. */
export function isGiven(
  request: KeyFields,
  field: 'scopes' | 'scoped_teams' | 'scoped_organizations' | 'expires_at',
): boolean {
  return (request[field] ?? null) !== null || request.null_fields.includes(field)
}

/** True when the request changes nothing, whatever the stored key. */
export function isEmptyChange(request: KeyFields): boolean {
  const { label, scopes, scoped_teams: projects, scoped_organizations: organizations } = request
  const given = [label, scopes, projects, organizations, request.expires_at]
  return given.every((each) => (each ?? null) === null) && request.null_fields.length === 0
}

/** @param value only where the key has just been given it. */
export function toPersonalApiKey(key: PersonalKey, value?: string): PersonalApiKey {
  return {
    id: key.id,
    label: key.label,
    created_at: key.createdAt,
    ...(key.lastUsedAt === null ? {} : { last_used_at: key.lastUsedAt }),
    user_id: key.userId,
    scopes: [...key.scopes],
    scoped_teams: [...key.scopedProjects],
    scoped_organizations: [...key.scopedOrganizations],
    mask_value: key.mask,
    ...(key.lastRolledAt === null ? {} : { last_rolled_at: key.lastRolledAt }),
    ...(key.expiresAt === null ? {} : { expires_at: key.expiresAt }),
    ...(value === undefined ? {} : { value }),
  }
}

/**
 * The moment at which a key ends, as it is stored; null of one that never does.
 * @throws {AppError} `invalid_argument` of `expires_at`.
 */
export function expiryOf(text: string | null): string | null {
  return text === null ? null : momentOf(text, 'expires_at')
}

function projectIds(json: Json): number[] {
  return itemsOf(json).map((item) => {
    const read = readReference(item)
    if (read.kind === 'value') return Number(read.value)
    const { code, detail } = read.kind === 'error' ? read.error : NOT_AN_ID
    throw invalid(detail, 'scoped_teams', code)
  })
}

const NOT_AN_ID = { code: 'incorrect_type', detail: 'Incorrect type. Expected pk value.' }

function organizationIds(json: Json): OrganizationId[] {
  return textsIn(json).map(organizationId)
}

function itemsOf(json: Json): readonly Json[] {
  return Array.isArray(json) ? json : []
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)]
}
