/** Fields that hold JSON: rule `json`, and the lists of texts within. */

import { cleanJson, cleanText } from '../../core/clean-text.ts'
import { isDeeperThan, isList, isObject, type Json, setOwn } from '../../core/json.ts'
import { cleanExact, exactDigits, parseExact } from '../../core/json-text/exact-numbers.ts'
import { jsonbNumber } from '../../core/json-text/jsonb-number.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import {
  fromListValue,
  fromStruct,
  fromValue,
  toListValue,
  toStruct,
  toValue,
} from '../proto/value.ts'
import { type FieldOutcome, fail, NULL, typeName, under, value } from './outcome.ts'
import type { FieldPlan } from './plan.ts'
import { readText } from './scalars.ts'

/** Characters of JSON within a field of a form or a query, which are parsed on the event loop. */
const FORM_JSON_CHARS_MAX = 131_072

export function readJson(field: FieldPlan, json: Json): FieldOutcome {
  if (json === null) return nullOutcome(field.rules.nullable)
  if (isDeeperThan(json, JSON_DEPTH_MAX)) {
    return fail('invalid_input', `The value nests more than ${JSON_DEPTH_MAX} levels.`)
  }
  const problem = checkForm(field, json)
  if (problem !== undefined) return problem
  if (field.rules.json === 'string_list' && Array.isArray(json)) return readTextList(field, json)
  return value(hold(field, field.rules.exact_numbers ? cleanJson(json, cleanExact) : plain(json)))
}

/** Members that are compared with properties: by their text. */
const COMPARED: ReadonlySet<string> = new Set(['value', 'breakdown'])

/** A clean copy without exact numbers. A long number in a condition must not become another one. */
function plain(json: Json, name = ''): Json {
  if (typeof json === 'string') {
    const digits = exactDigits(json)
    if (digits === undefined) return cleanText(json)
    const double = Number(digits)
    const isSame = jsonbNumber(String(double)) === digits
    return COMPARED.has(name) && !isSame ? digits : double
  }
  if (isList(json)) return json.map((item) => plain(item, name))
  if (!isObject(json)) return json
  const copy: Record<string, Json> = {}
  for (const [key, member] of Object.entries(json)) {
    setOwn(copy, cleanText(key), plain(member, key))
  }
  return copy
}

/** JSON of a form or a query; a list of texts may also be the field repeated. */
export function readJsonText(field: FieldPlan, texts: readonly string[]): FieldOutcome {
  const text = texts.at(-1) ?? ''
  if (text.length > FORM_JSON_CHARS_MAX) {
    return fail(
      'max_length',
      `Ensure this field has no more than ${FORM_JSON_CHARS_MAX} characters.`,
    )
  }
  const parsed = parse(text)
  if (field.rules.json === 'string_list' && !(texts.length === 1 && Array.isArray(parsed))) {
    return readJson(field, texts)
  }
  if (parsed === undefined) return fail('invalid_input', 'Value must be valid JSON.')
  return readJson(field, parsed)
}

/** JSON of a message's field; an unset one is null, which gives undefined. */
export function heldJson(field: FieldPlan, held: unknown): Json | undefined {
  if (held === null || held === undefined) return undefined
  if (field.holder === 'Struct') return fromStruct(held)
  if (field.holder === 'ListValue') return fromListValue(held)
  return fromValue(held)
}

export function nullOutcome(nullable: boolean): FieldOutcome {
  return nullable ? NULL : fail('null', 'This field may not be null.')
}

function checkForm(field: FieldPlan, json: Json): FieldOutcome | undefined {
  const isList = Array.isArray(json)
  switch (field.rules.json) {
    case '':
      return undefined
    case 'object':
      return isObject(json) ? undefined : notAnObject(json)
    case 'object_or_list':
      return isList || isObject(json)
        ? undefined
        : fail('invalid_input', `Expected an object or a list, but got ${typeName(json)}.`)
    default: // list and string_list
      return isList ? checkCount(field, json.length) : notAList(json)
  }
}

export function notAnObject(given: unknown): FieldOutcome {
  const detail = `Invalid data. Expected a dictionary, but got ${typeName(given)}.`
  return fail('invalid_input', detail)
}

export function notAList(given: unknown): FieldOutcome {
  return fail('not_a_list', `Expected a list of items but got type "${typeName(given)}".`)
}

export function checkCount(field: FieldPlan, count: number): FieldOutcome | undefined {
  const max = field.rules.max_items
  if (max === 0 || count <= max) return undefined
  return fail('max_length', `Ensure this field has no more than ${max} elements.`)
}

function readTextList(field: FieldPlan, list: readonly Json[]): FieldOutcome {
  const texts: Json[] = []
  for (const [index, item] of list.entries()) {
    const outcome =
      item === null ? nullOutcome(field.itemRules.nullable) : readText(item, field.itemRules)
    if (outcome.kind === 'error') return { ...outcome, error: under(`${index}`, outcome.error) }
    texts.push(outcome.kind === 'value' ? String(outcome.value) : null)
  }
  return value(hold(field, texts))
}

function hold(field: FieldPlan, json: Json): unknown {
  if (field.holder === 'ListValue' && Array.isArray(json)) return toListValue(json)
  if (field.holder === 'Struct' && isObject(json)) return toStruct(json)
  return toValue(json)
}

function parse(text: string): Json | undefined {
  try {
    return parseExact(text)
  } catch {
    return undefined // No JSON text spells undefined: the caller says what is wrong.
  }
}
