/** Answers as JSON, by their message types: every declared field is there, unset ones as null. */
import protobuf from 'protobufjs'
import { assert } from '../../src/core/code.ts'
import { type HttpBinding, isRecord } from '../../src/core/proto/rules.ts'
import { fromListValue, fromStruct, fromValue, put } from '../../src/core/proto/value.ts'
import type { ContractMethod } from '../../src/core/proto.ts'

export type JsonBody = Record<string, unknown>

/** What the body of a success is made by; `undefined` is no body at all. */
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

/** @throws {InvariantError} when `response_body` names no field of the answer. */
export function bodyRenderer(method: ContractMethod, binding: HttpBinding): BodyRenderer {
  if (isEmptyType(method.response)) return () => undefined
  if (binding.responseBody === '') {
    const optional = new Set(method.rules.optional_fields)
    return messageRenderer(method.response, optional)
  }
  const field = method.response.fields[binding.responseBody]
  assert(field !== undefined, `${method.path}: no ${binding.responseBody} in its answer`)
  const render = fieldRenderer(field)
  return (response) => render(memberOf(response, field.name))
}

const messageRenderers = new WeakMap<protobuf.Type, Render>()

function messageRenderer(type: protobuf.Type, optional: ReadonlySet<string>): BodyRenderer {
  const fields = [...type.fieldsArray]
    .sort((one, other) => one.id - other.id)
    .map((field) => ({
      name: field.name,
      key: publicName(field),
      render: fieldRenderer(field),
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

/** Late and remembered, since messages may hold themselves. */
function nestedRenderer(type: protobuf.Type): Render {
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

function fieldRenderer(field: protobuf.Field): Render {
  field.resolve()
  const single = singleRenderer(field)
  if (field.map) return (value) => (isRecord(value) ? mapValues(value, single) : {})
  if (!field.repeated) return single
  return (value) => (Array.isArray(value) ? value.map(single) : [])
}

function singleRenderer(field: protobuf.Field): Render {
  const { resolvedType } = field
  if (resolvedType instanceof protobuf.Type) {
    return KNOWN[resolvedType.fullName] ?? nestedRenderer(resolvedType)
  }
  const zero = zeroOf(field)
  if (field.type === 'bytes') return (value) => (isUnset(value) ? zero : base64(value))
  if (isNumber(field)) return (value) => (isUnset(value) ? zero : numberOrNull(value))
  return (value) => value ?? zero
}

function isNumber({ type, resolvedType }: protobuf.Field): boolean {
  return resolvedType === null && !['string', 'bytes', 'bool'].includes(type)
}

/** What an unset field shows: null where the message can tell, else the zero of its type. */
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

/** 64-bit numbers may come as objects or texts; what JSON cannot hold is null. */
function numberOrNull(value: unknown): number | null {
  const number = typeof value === 'number' ? value : Number(String(value))
  return Number.isFinite(number) ? number : null
}

function mapValues(map: Readonly<Record<string, unknown>>, render: Render): JsonBody {
  const body: JsonBody = {}
  for (const [key, value] of Object.entries(map)) put(body, key, render(value))
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
