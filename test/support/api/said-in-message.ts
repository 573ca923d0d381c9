/**
 * A REST request as a gRPC client sends it: field by field and unchecked, so that the worker has to
 * judge it. Values that no message can hold, such as a text for a number, are undefined.
 */
import type { Endpoint } from '../../../gateway/rest/rest-router.ts'
import { isObject, type Json, type JsonObject, setOwn } from '../../../src/core/json.ts'
import type { MessageObject } from '../../../src/wire/proto/proto.ts'
import { toListValue, toStruct, toValue } from '../../../src/wire/proto/value.ts'
import { memberOf } from '../../../src/wire/validation/fields.ts'
import type { FieldPlan, MessagePlan } from '../../../src/wire/validation/plan.ts'

class Unsayable extends Error {}

/** @param body what `JSON.parse` gave; an empty object when there was none. */
export function saidInMessage(
  endpoint: Endpoint,
  path: MessageObject,
  query: URLSearchParams,
  body: unknown,
): MessageObject | undefined {
  // Half a surrogate pair is a text in JSON and in no message.
  if (/\\ud[89a-f][0-9a-f]{2}/.test(JSON.stringify(body))) return undefined
  try {
    return { ...ofQuery(endpoint, query), ...ofBody(endpoint, body), ...path }
  } catch (error) {
    if (error instanceof Unsayable) return undefined
    throw error
  }
}

function ofBody({ plan, method }: Endpoint, body: unknown): MessageObject {
  switch (plan.body.kind) {
    case 'none':
      return {}
    case 'message':
      return ofObject(plan.plan, body)
    case 'field': {
      const { field } = plan.body
      const given = method.rules.single_item && !Array.isArray(body) ? [body] : body
      return { [field.name]: ofField(field, given) }
    }
    default:
      return plan.body satisfies never
  }
}

function ofObject(plan: MessagePlan, body: unknown): MessageObject {
  if (!isObject(body)) throw new Unsayable()
  const message: Record<string, unknown> = {}
  const nulls: string[] = []
  for (const field of plan.writable) {
    const given = memberOf(field, body, 'json')
    if (given === undefined || field.kind === 'parts' || field.rules.form_only) continue
    if (given !== null || field.kind === 'json') setOwn(message, field.name, ofField(field, given))
    else if (plan.hasNullFields) nulls.push(field.name)
    else throw new Unsayable()
  }
  return nulls.length === 0 ? message : { ...message, null_fields: nulls }
}

function ofField(field: FieldPlan, given: unknown): unknown {
  if (!field.repeated) return ofOne(field, given, field.hasPresence)
  if (!Array.isArray(given)) throw new Unsayable()
  return given.map((each) => ofOne(field, each, true))
}

/** @param tellsZero an unset field and its zero value are two things. */
function ofOne(field: FieldPlan, given: unknown, tellsZero: boolean): unknown {
  const isZero = given === '' || given === 0 || given === false
  if (isZero && !tellsZero) throw new Unsayable()
  switch (field.kind) {
    case 'text':
      if (typeof given === 'string') return given
      break
    case 'integer':
    case 'reference':
      if (typeof given === 'number' && given === Math.trunc(given) && given === (given | 0)) {
        return given
      }
      break
    case 'double':
      if (typeof given === 'number') return given
      break
    case 'boolean':
      if (typeof given === 'boolean') return given
      break
    case 'message':
      return ofObject(field.message(), given)
    case 'json':
      return ofJson(field, given as Json) // It came out of `JSON.parse`.
    case 'parts':
      break
    default:
      field.kind satisfies never
  }
  throw new Unsayable()
}

function ofJson({ holder }: FieldPlan, json: Json): unknown {
  if (holder === 'Value') return toValue(json)
  if (holder === 'ListValue' && Array.isArray(json)) return toListValue(json)
  if (holder === 'Struct' && isJsonObject(json)) return toStruct(json)
  throw new Unsayable()
}

function isJsonObject(json: Json): json is JsonObject {
  return isObject(json)
}

function ofQuery({ plan, method }: Endpoint, query: URLSearchParams): MessageObject {
  const message: Record<string, unknown> = {}
  for (const field of plan.query) {
    const texts = [query.getAll(field.publicName), query.getAll(field.name)].find(
      (each) => each.length > 0,
    )
    if (texts !== undefined) message[field.name] = ofTexts(field, texts)
  }
  if (!method.rules.paginated) return message
  for (const name of ['limit', 'offset']) {
    const text = query.getAll(name).at(-1)
    if (text !== undefined) message[name] = wholeNumber(text)
  }
  return message
}

function ofTexts(field: FieldPlan, texts: readonly string[]): unknown {
  const last = texts.at(-1) ?? ''
  if (field.kind === 'text') return field.repeated ? texts : last
  if (field.kind === 'integer') return wholeNumber(last)
  if (field.kind !== 'json') throw new Unsayable()
  try {
    return ofJson(field, JSON.parse(last))
  } catch {
    throw new Unsayable() // No JSON at all, which a message cannot hold.
  }
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!/^-?\d+$/.test(text) || number !== (number | 0)) throw new Unsayable()
  return number
}
