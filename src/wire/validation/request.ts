/** Validation of requests by their method's annotations: which fields come from where. */
import { assert } from '../../core/code.ts'
import { ok } from '../../core/result.ts'
import { pageOf } from '../page.ts'
import type { ContractMethod, MessageObject } from '../proto/proto.ts'
import { asQueryField, type FieldPlan, type MessagePlan, messagePlan } from './plan.ts'
import { type Validated, validateMessage } from './validate.ts'

export type RequestPlan = {
  readonly method: ContractMethod
  /** Every field, with the fields of the path and the page taken out of the writable ones. */
  readonly plan: MessagePlan
  /** The body as a whole, or the one field that it is. */
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'message' }
    | { readonly kind: 'field'; readonly field: FieldPlan }
  /** Read from the query; empty when the body is the whole message. */
  readonly query: readonly FieldPlan[]
}

const PAGE_FIELDS: ReadonlySet<string> = new Set(['limit', 'offset'])

const plans = new WeakMap<ContractMethod, RequestPlan>()

/** @throws {InvariantError} when the contract is inconsistent: found at start. */
export function requestPlan(method: ContractMethod): RequestPlan {
  const known = plans.get(method)
  if (known !== undefined) return known
  const made = makePlan(method)
  plans.set(method, made)
  return made
}

/**
 * Validates the request of a call, from the gateway or from a gRPC client, and settles its page.
 * Call it after permissions and object lookup: that is the order of checks of the interface.
 */
export function validateRequest(method: ContractMethod, message: MessageObject): Validated {
  const read = validateMessage(requestPlan(method).plan, message)
  if (!read.ok || !method.rules.paginated) return read
  return ok({ ...read.value, ...pageOf(method.rules, message) })
}

/** Names in the path of a template such as `/api/projects/{id}/`. */
export function pathFields(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}

function makePlan(method: ContractMethod): RequestPlan {
  const whole = messagePlan(method.request)
  const bodyName = method.bindings.find((binding) => binding.body !== '')?.body
  const isWholeBody = bodyName === '*' || method.bindings.length === 0
  const inPath = new Set(method.bindings.flatMap((binding) => pathFields(binding.template)))
  const fields = whole.fields.map((field) =>
    isWholeBody || field.name === bodyName ? field : asQueryField(field),
  )
  const writable = fields.filter(
    ({ name, rules }) =>
      !rules.path_only && !inPath.has(name) && !(method.rules.paginated && PAGE_FIELDS.has(name)),
  )
  const bodyField = writable.find((field) => field.name === bodyName)
  const isKnown = isWholeBody || bodyName === undefined || bodyField !== undefined
  assert(isKnown, `${method.path}: no field ${bodyName} for the body`)
  return {
    method,
    plan: { ...whole, fields, writable },
    body: bodyOf(isWholeBody, bodyField),
    query: isWholeBody ? [] : writable.filter((field) => field !== bodyField),
  }
}

function bodyOf(isWhole: boolean, field: FieldPlan | undefined): RequestPlan['body'] {
  if (isWhole) return { kind: 'message' }
  return field === undefined ? { kind: 'none' } : { kind: 'field', field }
}
