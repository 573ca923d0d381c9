/**
 * Renders answers as JSON by their message types: every declared field is present, unset ones as
 * null.
 */
import protobuf from 'protobufjs'
import { assert } from '../../core/code.ts'
import { setOwn } from '../../core/json.ts'
import { JsonText } from './json-text.ts'
import { type ContractMethod, fieldRules, messageType } from './proto.ts'
import { type HttpBinding, isRecord } from './rules.ts'
import { fromListValue, fromStruct, fromValue } from './value.ts'

export type JsonBody = Record<string, unknown>

/** Makes the body of a success; `undefined` is an answer without a body. */
export type BodyRenderer = (response: object) => unknown

type Render = (value: unknown) => unknown

const KNOWN: Readonly<Record<string, Render>> = {
  '.google.protobuf.Value': fromValue,
  '.google.protobuf.Struct': (value) => (isUnset(value) ? null : fromStruct(value)),
  '.google.protobuf.ListValue': (value) => (isUnset(value) ? null : fromListValue(value)),
}
const EMPTY = '.google.protobuf.Empty'

export function isEmptyType(type: protobuf.Type): boolean {
  return type.fullName === EMPTY
}

/** @throws {InvariantError} when the rules or the binding name no field of the answer. */
export function bodyRenderer(method: ContractMethod, binding: HttpBinding): BodyRenderer {
  if (isEmptyType(method.response)) return () => undefined
  const { alternatives, optional_fields, paginated } = method.rules
  const optional = new Set(optional_fields)
  const others = alternatives.map((name) => memberRenderer(method, name, optional))
  const usual =
    binding.responseBody === ''
      ? messageRenderer(method.response, optional, {
          hidden: alternatives,
          itemOptional: paginated ? optional : undefined,
        })
      : memberRenderer(method, binding.responseBody, optional).render
  return (response) => {
    const other = others.find(({ field }) => isGiven(memberOf(response, field.name)))
    return (other?.render ?? usual)(response)
  }
}

/** Renders one field of the answer as the whole body. */
function memberRenderer(
  method: ContractMethod,
  name: string,
  optional: ReadonlySet<string>,
): { field: protobuf.Field; render: BodyRenderer } {
  const field = method.response.fields[name]
  assert(field !== undefined, `${method.path}: no ${name} in its answer`)
  const render = fieldRenderer(field, optional)
  return { field, render: (response) => render(memberOf(response, field.name)) }
}

/** Unset texts and lists are empty in an answer over a socket. */
function isGiven(value: unknown): boolean {
  return !isUnset(value) && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/**
 * Renders a message as REST shows it.
 * @param type its full name: `sluice.v1.Project`.
 */
export function publicBody(type: string, message: object): JsonBody {
  const known = publicRenderers.get(type)
  const render = known ?? messageRenderer(messageType(type), new Set())
  if (known === undefined) publicRenderers.set(type, render)
  // A message renderer makes an object of any message.
  return render(message) as JsonBody
}

const publicRenderers = new Map<string, BodyRenderer>()
const messageRenderers = new WeakMap<protobuf.Type, Render>()

type Rendering = {
  /** Fields that are never shown. */
  readonly hidden?: readonly string[]
  /** The optional fields of directly contained messages, as those of a page. */
  readonly itemOptional?: ReadonlySet<string> | undefined
}

function messageRenderer(
  type: protobuf.Type,
  optional: ReadonlySet<string>,
  { hidden = [], itemOptional }: Rendering = {},
): BodyRenderer {
  const fields = type.fieldsArray
    .filter(({ name }) => !hidden.includes(name))
    .sort((one, other) => one.id - other.id)
    .map((field) => ({
      name: field.name,
      key: publicName(field),
      render: fieldRenderer(field, itemOptional),
      isOptional: optional.has(field.name),
    }))
  return (message) => {
    const body: JsonBody = {}
    for (const { name, key, render, isOptional } of fields) {
      const value = memberOf(message, name)
      if (isOptional && isUnset(value)) continue
      body[key] = render(value)
    }
    return body
  }
}

/** Made on first use and remembered, since messages may contain themselves. */
function nestedRenderer(type: protobuf.Type, optional?: ReadonlySet<string>): Render {
  if (optional !== undefined && optional.size > 0) {
    const render = messageRenderer(type, optional)
    return (value) => (typeof value === 'object' && value !== null ? render(value) : null)
  }
  return (value) => {
    if (typeof value !== 'object' || value === null) return null
    let render = messageRenderers.get(type)
    if (render === undefined) {
      const made = messageRenderer(type, new Set())
      render = (each) => (typeof each === 'object' && each !== null ? made(each) : null)
      messageRenderers.set(type, render)
    }
    return render(value)
  }
}

/** @param optional fields of directly contained messages. */
function fieldRenderer(field: protobuf.Field, optional?: ReadonlySet<string>): Render {
  field.resolve()
  const single = singleRenderer(field, optional)
  if (field.map) return (value) => (isRecord(value) ? mapValues(value, single) : {})
  if (!field.repeated) return single
  return (value) => (Array.isArray(value) ? value.map(single) : [])
}

function singleRenderer(field: protobuf.Field, optional?: ReadonlySet<string>): Render {
  const { resolvedType } = field
  if (resolvedType instanceof protobuf.Type) {
    return KNOWN[resolvedType.fullName] ?? nestedRenderer(resolvedType, optional)
  }
  if (fieldRules(field).json_text) return jsonText
  const zero = zeroOf(field)
  if (field.type === 'bytes') return (value) => (isUnset(value) ? zero : base64(value))
  if (isNumber(field)) return (value) => (isUnset(value) ? zero : numberOrNull(value))
  return (value) => value ?? zero
}

function jsonText(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? new JsonText(value) : null
}

function isNumber({ type, resolvedType }: protobuf.Field): boolean {
  return resolvedType === null && !['string', 'bytes', 'bool'].includes(type)
}

/** Value of an unset field: null where the message can express it, else the zero of its type. */
function zeroOf(field: protobuf.Field): unknown {
  if (field.partOf !== null) return null
  if (field.resolvedType instanceof protobuf.Enum) return field.resolvedType.valuesById[0] ?? null
  switch (field.type) {
    case 'string':
    case 'bytes':
      return ''
    case 'bool':
      return false
    default:
      return 0
  }
}

/** Reads 64-bit numbers from objects and texts; null for numbers that JSON cannot hold. */
function numberOrNull(value: unknown): number | null {
  const number = typeof value === 'number' ? value : Number(String(value))
  return Number.isFinite(number) ? number : null
}

function mapValues(map: Readonly<Record<string, unknown>>, render: Render): JsonBody {
  const body: JsonBody = {}
  for (const [key, value] of Object.entries(map)) setOwn(body, key, render(value))
  return body
}

function memberOf(message: object, name: string): unknown {
  return isRecord(message) ? message[name] : undefined
}

function publicName(field: protobuf.Field): string {
  const jsonName: unknown = field.options?.['json_name']
  return typeof jsonName === 'string' ? jsonName : field.name
}

function base64(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : ''
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null
}
