/** Checks the jobs that people start. */
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { echo } from '../../wire/details.ts'

export type AskedJob = {
  /** Empty when the request names none. */
  readonly type: string
  readonly payload: JsonObject
}

/**
 * Why a job cannot be started; undefined when it can. The plugin itself checks the types of the
 * payload.
 * @param publicJobs the jobs that a plugin lets people start: name to `{payload: {key: field}}`.
 */
export function jobProblem(
  publicJobs: Json,
  { type, payload }: AskedJob,
  isStaff: boolean,
): string | undefined {
  if (type === '') return 'A job type is required.'
  if (!isObject(publicJobs) || Object.keys(publicJobs).length === 0) {
    return 'The plugin has no public jobs.'
  }
  const job = Object.hasOwn(publicJobs, type) ? publicJobs[type] : undefined
  if (job === undefined) return `The plugin has no public job "${echo(type)}".`
  const fields = isObject(job) && isObject(job['payload']) ? job['payload'] : {}
  return payloadProblem(Object.entries(fields).map(fieldOf), payload, isStaff)
}

type Field = {
  readonly key: string
  readonly isRequired: boolean
  readonly isStaffOnly: boolean
  readonly preset: unknown
}

function fieldOf([key, declared]: [string, unknown]): Field {
  const field = isObject(declared) ? declared : {}
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

/** Compares deeply. The order of members does not matter. */
function same(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, at) => same(item, other[at]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
  )
}
