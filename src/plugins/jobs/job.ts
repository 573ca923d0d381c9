import { echo } from '../../wire/details.ts'
import { isRecord } from '../../wire/proto/rules.ts'
import type { Json, JsonObject } from '../../wire/proto/value.ts'

export type AskedJob = {
  /** Empty when none was named. */
  readonly type: string
  readonly payload: JsonObject
}

/**
 * What stands against starting a job; undefined when nothing does. Whether the values of the
 * payload have the declared types is the plugin's own business.
 *
 * @param publicJobs the jobs that a plugin lets people start: name to `{payload: {key: field}}`.
 */
export function jobProblem(
  publicJobs: Json,
  { type, payload }: AskedJob,
  isStaff: boolean,
): string | undefined {
  if (type === '') return 'A job type is required.'
  if (!isRecord(publicJobs) || Object.keys(publicJobs).length === 0) {
    return 'The plugin has no public jobs.'
  }
  const job = Object.hasOwn(publicJobs, type) ? publicJobs[type] : undefined
  if (job === undefined) return `The plugin has no public job "${echo(type)}".`
  const fields = isRecord(job) && isRecord(job['payload']) ? job['payload'] : {}
  return payloadProblem(Object.entries(fields).map(fieldOf), payload, isStaff)
}

type Field = {
  readonly key: string
  readonly isRequired: boolean
  readonly isStaffOnly: boolean
  readonly preset: unknown
}

function fieldOf([key, declared]: [string, unknown]): Field {
  const field = isRecord(declared) ? declared : {}
  return {
    key,
    isRequired: Boolean(field['required']),
    isStaffOnly: Boolean(field['staff_only']),
    preset: field['default'],
  }
}

function payloadProblem(
  fields: readonly Field[],
  payload: JsonObject,
  isStaff: boolean,
): string | undefined {
  const isGiven = ({ key }: Field) => Object.hasOwn(payload, key)
  const missing = fields.find((field) => field.isRequired && !isGiven(field))
  if (missing !== undefined) return `The payload lacks the required field "${echo(missing.key)}".`
  const forbidden = fields.find(
    (field) =>
      field.isStaffOnly && !isStaff && isGiven(field) && !same(payload[field.key], field.preset),
  )
  if (forbidden !== undefined) return `Only staff may set the field "${echo(forbidden.key)}".`
  const declared = new Set(fields.map(({ key }) => key))
  const unknown = Object.keys(payload).find((key) => !declared.has(key))
  return unknown === undefined ? undefined : `The job has no field "${echo(unknown)}".`
}

/** Deeply, whatever the order of members. */
function same(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, at) => same(item, other[at]))
  }
  if (!isRecord(one) || !isRecord(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  )
}
