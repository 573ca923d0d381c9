/** Cohorts as messages: reads, merges and renders their fields. */
import type { Cohort } from '../../../proto/gen/sluice/v1/Cohort.ts'
import type { UpdateCohortRequest__Output } from '../../../proto/gen/sluice/v1/UpdateCohortRequest.ts'
import { cleanText } from '../../core/clean-text.ts'
import { ok, type Result } from '../../core/result.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  COHORT_FIELDS,
  type CohortSettings,
  type StoredCohort,
} from '../../store/cohorts/cohort-store.ts'
import { toUserSummary } from '../people/user-message.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { readIdList } from './id-list.ts'

/** Full name of the message, as the audit log takes it. */
export const COHORT_TYPE = 'sluice.v1.Cohort'

/** Settings of a new cohort unless its request sets them. */
export const COHORT_DEFAULTS: CohortSettings = defaultsOf(COHORT_FIELDS)

/** The writable fields, which the messages of a create and an update share. */
export type CohortFields = Partial<
  Pick<UpdateCohortRequest__Output, 'name' | 'description' | 'filters' | 'deleted'>
>

/** The settings that `base` and the given fields make together. */
export function mergeCohort(base: CohortSettings, request: CohortFields): CohortSettings {
  return mergeFields(COHORT_FIELDS, base, request)
}

export type MemberFields = { readonly distinct_ids?: readonly string[]; readonly csv?: string }

/** Members that a request names, each once. */
export type NamedMembers = {
  readonly distinctIds: readonly string[]
  /** Texts that should be uuids of persons. */
  readonly personIds: readonly string[]
}

/** @returns undefined when it names none, and an error text when its CSV cannot be read. */
export function namedMembers({
  distinct_ids: listed = [],
  csv,
}: MemberFields): Result<NamedMembers | undefined, string> {
  if (listed.length === 0 && csv === undefined) return ok(undefined)
  const list = readIdList(csv ?? '')
  if (!list.ok) return list
  const { column, ids } = list.value
  const isOfPersons = column === 'person_id'
  return ok({
    distinctIds: eachOnce(isOfPersons ? listed : [...listed, ...ids]),
    personIds: isOfPersons ? eachOnce(ids.map((id) => id.toLowerCase())) : [],
  })
}

function eachOnce(texts: readonly string[]): string[] {
  return [...new Set(texts.map(cleanText))]
}

/** Numbers that a request has found out besides the stored fields. */
export type CohortNumbers = {
  readonly count?: number | undefined
  readonly notFound?: number | undefined
}

export function toCohort(stored: StoredCohort, { count, notFound }: CohortNumbers = {}): Cohort {
  return {
    id: stored.id,
    ...toFields(COHORT_FIELDS, stored),
    is_static: stored.isStatic,
    ...(count === undefined ? {} : { count }),
    ...(notFound === undefined ? {} : { not_found: notFound }),
    created_at: stored.createdAt,
    ...(stored.createdBy === null ? {} : { created_by: toUserSummary(stored.createdBy) }),
    updated_at: stored.updatedAt,
  }
}
