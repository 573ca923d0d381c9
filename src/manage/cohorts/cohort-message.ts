/** Cohorts as messages: reads, merges and renders their fields. */
import type { Cohort } from '../../../proto/gen/sluice/v1/Cohort.ts'
import type { UpdateCohortRequest__Output } from '../../../proto/gen/sluice/v1/UpdateCohortRequest.ts'
import { cleanText } from '../../core/clean-text.ts'
import type { CohortSettings, StoredCohort } from '../../store/cohorts/cohort-store.ts'
import { merger } from '../merge.ts'
import { toUserSummary } from '../people/user-message.ts'
import { toWireValue } from '../wire-value.ts'

/** Full name of the message, as the audit log takes it. */
export const COHORT_TYPE = 'sluice.v1.Cohort'

/** Settings of a new cohort unless its request sets them. */
export const COHORT_DEFAULTS: CohortSettings = {
  name: '',
  description: '',
  filters: {},
  deleted: false,
}

/** The writable fields, which the messages of a create and an update share. */
export type CohortFields = Partial<
  Pick<UpdateCohortRequest__Output, 'name' | 'description' | 'filters' | 'deleted'>
>

/** The settings that `base` and the given fields make together. */
export function mergeCohort(base: CohortSettings, request: CohortFields): CohortSettings {
  const { json, orKept } = merger([])
  return {
    name: orKept(request.name, base.name),
    description: orKept(request.description, base.description),
    filters: json('filters', request.filters, base.filters),
    deleted: orKept(request.deleted, base.deleted),
  }
}

export type MemberFields = { readonly distinct_ids?: readonly string[]; readonly csv?: string }

/**
 * The distinct ids that a request names, each once; undefined when it brings none. A line of CSV
 * holds one, in quotes or without, and blank lines hold none.
 */
export function memberIds({ distinct_ids: listed = [], csv }: MemberFields): string[] | undefined {
  if (listed.length === 0 && csv === undefined) return undefined
  return [...new Set([...listed, ...cellsOf(csv ?? '')].map(cleanText))]
}

const HEADING = 'distinct_id'

function cellsOf(csv: string): string[] {
  const lines = csv.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  const cells = lines.map(cellOf).filter((cell) => cell !== '')
  return cells[0] === HEADING ? cells.slice(1) : cells
}

function cellOf(line: string): string {
  const quoted = /^"((?:[^"]|"")*)"$/.exec(line)
  return quoted?.[1] === undefined ? line : quoted[1].replaceAll('""', '"')
}

/** What a request has found out besides what is stored. */
export type CohortNumbers = {
  readonly count?: number | undefined
  readonly notFound?: number | undefined
}

export function toCohort(stored: StoredCohort, { count, notFound }: CohortNumbers = {}): Cohort {
  return {
    id: stored.id,
    name: stored.name,
    description: stored.description,
    filters: toWireValue(stored.filters),
    is_static: stored.isStatic,
    deleted: stored.deleted,
    ...(count === undefined ? {} : { count }),
    ...(notFound === undefined ? {} : { not_found: notFound }),
    created_at: stored.createdAt,
    ...(stored.createdBy === null ? {} : { created_by: toUserSummary(stored.createdBy) }),
    updated_at: stored.updatedAt,
  }
}
