/**
 * The fields of a request, from a body, a query or a message. A message has fields and a field may
 * hold a message: the two read each other, so that both are here.
 */

import { isObject, type Json, setOwn } from '../../core/json.ts'
import { exactDigits, parseExact } from '../../core/json-text/exact-numbers.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { MessageObject } from '../proto/proto.ts'
import { listOf } from '../proto/rules.ts'
import {
  checkCount,
  heldJson,
  notAList,
  notAnObject,
  nullOutcome,
  readJson,
  readJsonText,
} from './json-field.ts'
import {
  ABSENT,
  type FieldError,
  type FieldOutcome,
  fail,
  typeName,
  under,
  value,
} from './outcome.ts'
import { type FieldPlan, type MessagePlan, NULL_FIELDS } from './plan.ts'
import { readBoolean, readDouble, readInteger, readReference, readText } from './scalars.ts'

/** A body of JSON, a form or a query (lists of texts), or a message of a gRPC caller. */
export type Source = 'json' | 'form' | 'query' | 'message'

/**
 * Reads every writable field in declaration order and stops at the first that is wrong. The result
 * holds only given fields; fields set to null are named in `null_fields`.
 */
export function readMessage(
  plan: MessagePlan,
  given: (field: FieldPlan) => unknown,
  source: Source,
): Result<MessageObject, FieldError> {
  const message: Record<string, unknown> = {}
  const nulls: string[] = []
  for (const field of plan.writable) {
    const outcome = readField(field, given(field), source)
    switch (outcome.kind) {
      case 'error':
        return err(under(field.publicName, outcome.error))
      case 'value':
        setOwn(message, field.name, outcome.value)
        break
      case 'null':
        nulls.push(field.name)
        break
      case 'absent':
        break
      default:
        outcome satisfies never
    }
  }
  // A message has its list, be it empty; a body never had one.
  const isListed = nulls.length > 0 || source === 'message'
  if (plan.hasNullFields && isListed) message[NULL_FIELDS] = nulls
  return ok(message)
}

/** `undefined` is absent and `null` is null; forms and queries give lists of texts. */
export function readField(field: FieldPlan, given: unknown, source: Source): FieldOutcome {
  const outcome = given === undefined ? ABSENT : readGiven(field, given, source)
  if (outcome.kind !== 'absent' || !field.rules.required) return outcome
  return fail('required', 'This field is required.')
}

function readGiven(field: FieldPlan, given: unknown, source: Source): FieldOutcome {
  if (given === null) return nullOutcome(field.rules.nullable)
  if (field.kind === 'parts') return source === 'json' ? ABSENT : value(given)
  if (field.rules.form_only && source === 'json') return ABSENT
  if (source === 'form' || source === 'query') return readTexts(field, asTexts(given), source)
  if (field.repeated) return readRepeated(field, given, source)
  return readOne(field, given, source)
}

/** The last of repeated fields counts, as everywhere in the interface. */
function readTexts(
  field: FieldPlan,
  texts: readonly string[],
  source: 'form' | 'query',
): FieldOutcome {
  const last = texts.at(-1)
  if (last === undefined) return ABSENT
  if (last === '' && source === 'form' && texts.length === 1) {
    const empty = emptyOfForm(field)
    if (empty !== undefined) return empty
  }
  if (field.repeated && field.kind !== 'message') return readRepeated(field, texts, source)
  if (field.kind === 'json') return readJsonText(field, texts)
  if (field.kind !== 'message') return readOne(field, last, source)
  const json = parseText(last)
  if (json === undefined) return fail('invalid_input', 'Value must be valid JSON.')
  return readGiven(field, json, 'json')
}

/** In a form, only an empty field can mean null or absent. */
function emptyOfForm(field: FieldPlan): FieldOutcome | undefined {
  const { nullable, required, blank } = field.rules
  const isText = field.kind === 'text'
  if (isText && blank) return value('')
  if (nullable) return { kind: 'null' }
  return required ? undefined : ABSENT
}

function readRepeated(field: FieldPlan, given: unknown, source: Source): FieldOutcome {
  if (!Array.isArray(given)) return notAList(given)
  const problem = checkCount(field, given.length)
  if (problem !== undefined) return problem
  const items: unknown[] = []
  for (const [index, item] of given.entries()) {
    const outcome =
      item === null || item === undefined
        ? nullOutcome(false)
        : readOne({ ...field, rules: field.itemRules }, item, source)
    if (outcome.kind === 'error') return { ...outcome, error: under(`${index}`, outcome.error) }
    if (outcome.kind === 'value') items.push(outcome.value)
  }
  return value(items)
}

function readOne(field: FieldPlan, sent: unknown, source: Source): FieldOutcome {
  const { rules } = field
  // Fields of no JSON read numbers from their digits too.
  const isLong = source === 'json' && field.kind !== 'json' && typeof sent === 'string'
  const given = (isLong ? exactDigits(sent) : undefined) ?? sent
  switch (field.kind) {
    case 'text':
      return readText(given, rules)
    case 'boolean':
      return readBoolean(given, rules)
    case 'integer':
      return readInteger(given, rules)
    case 'double':
      return readDouble(given, rules)
    case 'reference':
      return given === '' ? nullOutcome(rules.nullable) : readReference(given)
    case 'json':
      return source === 'message' ? readHeld(field, given) : readJson(field, asJson(given))
    case 'message':
      return readNested(field, given, source)
    case 'parts':
      return fail('invalid_input', `Not expected here, received ${typeName(given)}.`)
    default:
      return field.kind satisfies never
  }
}

function readHeld(field: FieldPlan, given: unknown): FieldOutcome {
  const json = heldJson(field, given)
  return json === undefined ? ABSENT : readJson(field, json)
}

function readNested(field: FieldPlan, given: unknown, source: Source): FieldOutcome {
  if (!isObject(given)) return notAnObject(given)
  const nulls = new Set(source === 'message' ? listOf(given[NULL_FIELDS]) : [])
  const member = (each: FieldPlan) => (nulls.has(each.name) ? null : memberOf(each, given, source))
  const read = readMessage(field.message(), member, source)
  return read.ok ? value(read.value) : { kind: 'error', error: read.error }
}

/** Own members only: `__proto__` and `constructor` of a body are keys like any other. */
export function memberOf(
  field: FieldPlan,
  body: Readonly<Record<string, unknown>>,
  source: Source,
): unknown {
  if (source === 'message') return Object.hasOwn(body, field.name) ? body[field.name] : undefined
  if (Object.hasOwn(body, field.publicName)) return body[field.publicName]
  return Object.hasOwn(body, field.name) ? body[field.name] : undefined
}

function asTexts(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.map(String) : [String(given)]
}

/** Relies on the body being a result of `JSON.parse`. */
function asJson(given: unknown): Json {
  return given as Json
}

function parseText(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return undefined // No JSON text spells undefined: the caller says what is wrong.
  }
}
