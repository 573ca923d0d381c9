/**
 * The validator that REST and gRPC share: a request is read by the rules of its message type, and
 * the first field that is wrong, in declaration order, is the answer.
 */
import type { ErrorDetail } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { validationDetail } from '../details.ts'
import type { MessageObject } from '../proto/proto.ts'
import { listOf } from '../proto/rules.ts'
import { memberOf, readField, readMessage } from './fields.ts'
import { notAnObject } from './json-field.ts'
import { type FieldError, typeName } from './outcome.ts'
import { type FieldPlan, type MessagePlan, NULL_FIELDS } from './plan.ts'

/** An uploaded file of a form. */
export type FormFile = {
  readonly name: string
  readonly contentType: string
  readonly contents: Uint8Array
}

export type Form = {
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, FormFile>
}

export type BodyInput =
  /** `body` is a result of `JSON.parse`. */
  { readonly kind: 'json'; readonly body: unknown } | { readonly kind: 'form'; readonly form: Form }

export type Validated = Result<MessageObject, ErrorDetail>

/** Reads a whole body; unknown and read-only members of it are ignored. */
export function readBody(plan: MessagePlan, input: BodyInput): Validated {
  if (input.kind === 'form') {
    return answer(readMessage(plan, (field) => formField(field, input.form), 'form'))
  }
  const { body } = input
  if (!isObject(body)) return err(notAnObjectDetail(body))
  return answer(readMessage(plan, (field) => memberOf(field, body, 'json'), 'json'))
}

/** Reads a body that is the value of one field: paths of errors do not begin with its name. */
export function readBodyField(field: FieldPlan, input: BodyInput): Validated {
  const body = input.kind === 'json' ? input.body : formObject(input.form)
  const outcome = readField(field, body, 'json')
  switch (outcome.kind) {
    case 'error': {
      const whole = outcome.error.path.length === 0
      if (whole && outcome.error.code === 'not_a_list') return err(notAnObjectDetail(body))
      return err(detailOf(outcome.error))
    }
    case 'value':
      return ok({ [field.name]: outcome.value })
    case 'null':
    case 'absent':
      return ok({})
    default:
      return outcome satisfies never
  }
}

/** Reads query parameters by name; of a repeated one that takes one value, the last counts. */
export function readQuery(fields: readonly FieldPlan[], query: URLSearchParams): Validated {
  const plan = { name: '', fields, writable: fields, hasNullFields: false }
  return answer(readMessage(plan, (field) => queryField(field, query), 'query'))
}

/**
 * Checks and normalises a message by the same rules for every sender: a REST body that the gateway
 * has normalised passes unchanged. Fields that are not writable are kept as they are.
 */
export function validateMessage(plan: MessagePlan, message: MessageObject): Validated {
  const nulls = new Set(listOf(message[NULL_FIELDS]))
  const read = readMessage(
    plan,
    (field) => (nulls.has(field.name) ? null : setMember(field, message)),
    'message',
  )
  if (!read.ok) return err(detailOf(read.error))
  const kept: Record<string, unknown> = {}
  for (const field of plan.fields) {
    if (!plan.writable.includes(field)) kept[field.name] = message[field.name]
  }
  return ok({ ...kept, ...read.value })
}

/** Undefined for a zero value that the message cannot distinguish from an unset field. */
function setMember(field: FieldPlan, message: MessageObject): unknown {
  const member = message[field.name] ?? undefined
  const isZero = member === '' || member === 0 || member === false
  return isZero && !field.hasPresence ? undefined : member
}

/** Nested names are joined by two underscores. */
function detailOf(error: FieldError): ErrorDetail {
  const attr = error.path.length === 0 ? null : error.path.join('__')
  return validationDetail(error.code, error.detail, attr)
}

function notAnObjectDetail(body: unknown): ErrorDetail {
  const outcome = notAnObject(body)
  const detail = outcome.kind === 'error' ? outcome.error.detail : typeName(body)
  return validationDetail('invalid_input', detail, null)
}

function answer(read: Result<MessageObject, FieldError>): Validated {
  return read.ok ? read : err(detailOf(read.error))
}

function formField(field: FieldPlan, form: Form): unknown {
  if (field.kind === 'parts') return formParts(field, form)
  return (
    form.fields.get(field.publicName) ?? form.fields.get(field.name) ?? uploadedText(field, form)
  )
}

/** A file may bring a text, as UTF-8 like the texts of a form. */
function uploadedText(field: FieldPlan, form: Form): readonly string[] | undefined {
  if (field.kind !== 'text' || field.repeated) return undefined
  const file = form.files.get(field.publicName)
  return file && [Buffer.from(file.contents).toString('utf8')]
}

/** `add_attachment[key]` and the like: files for a list of messages, keys for a list of texts. */
function formParts(field: FieldPlan, form: Form): unknown {
  const prefix = `${field.rules.form_parts}[`
  const keyOf = (name: string) =>
    name.startsWith(prefix) && name.endsWith(']') ? name.slice(prefix.length, -1) : undefined
  const files = [...form.files].flatMap(([name, file]) => {
    const key = keyOf(name)
    const { name: file_name, contentType: content_type, contents } = file
    return key === undefined ? [] : [{ key, file_name, content_type, contents }]
  })
  const keys = [...form.fields.keys()].flatMap((name) => keyOf(name) ?? [])
  const found = field.holdsFiles ? files : keys
  return found.length === 0 ? undefined : found
}

function queryField(field: FieldPlan, query: URLSearchParams): unknown {
  const texts = query.getAll(field.publicName)
  if (texts.length > 0) return texts
  const named = query.getAll(field.name)
  return named.length > 0 ? named : undefined
}

function formObject(form: Form): unknown {
  return Object.fromEntries([...form.fields].map(([name, texts]) => [name, texts.at(-1)]))
}
