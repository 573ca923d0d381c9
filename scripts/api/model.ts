/**
 * The model of the contract that the generators use: one operation for each method that REST
 * serves.
 */
import protobuf from 'protobufjs'
import { wholeTextOf } from '../../src/wire/proto/page-pieces.ts'
import { type ContractMethod, fieldRules, methods } from '../../src/wire/proto/proto.ts'
import { isEmptyType } from '../../src/wire/proto/render.ts'
import type { HttpBinding } from '../../src/wire/proto/rules.ts'
import type { FieldPlan } from '../../src/wire/validation/plan.ts'
import { pathFields, requestPlan } from '../../src/wire/validation/request.ts'

export type Operation = {
  readonly method: ContractMethod
  readonly binding: HttpBinding
  /** Such as `listProjects`. */
  readonly name: string
  /** `Feature flags`, from `FeatureFlagService`. */
  readonly tag: string
  /** The comment above the service. */
  readonly service: string
  readonly path: readonly string[]
  /** In the order of their numbers, without those of the page. */
  readonly query: readonly FieldPlan[]
  readonly isPaginated: boolean
  /** The members of the body, or the one field that is the body. */
  readonly body:
    | { readonly kind: 'none' }
    | { readonly kind: 'members'; readonly fields: readonly FieldPlan[] }
    | { readonly kind: 'field'; readonly field: FieldPlan }
  readonly answer: Answer
}

/** The fields of an answer that may be the body; `undefined` is the message itself. */
export type Answer =
  | { readonly kind: 'empty' }
  | { readonly kind: 'file' }
  | { readonly kind: 'whole'; readonly type: protobuf.Type; readonly others: readonly Member[] }
  | { readonly kind: 'member'; readonly member: Member; readonly others: readonly Member[] }

export type Member = protobuf.Field

export function operations(): readonly Operation[] {
  return methods().flatMap((method) => {
    const [binding] = method.bindings
    return binding === undefined ? [] : [operationOf(method, binding)]
  })
}

function operationOf(method: ContractMethod, binding: HttpBinding): Operation {
  const plan = requestPlan(method)
  return {
    method,
    binding,
    name: lowerFirst(method.name),
    tag: titleOf(shortName(method.service).replace(/Service$/, '')),
    service: sentence(method.request.root.lookupService(method.service).comment),
    path: pathFields(binding.template),
    query: binding.body === '*' || takesNoQuery(binding) ? [] : plan.query,
    isPaginated: method.rules.paginated,
    body: bodyOf(method, binding),
    answer: answerOf(method, binding),
  }
}

/** A write with a body reads only that and its path. */
function takesNoQuery({ verb }: HttpBinding): boolean {
  return verb !== 'GET' && verb !== 'DELETE'
}

function bodyOf(method: ContractMethod, binding: HttpBinding): Operation['body'] {
  const { body, plan } = requestPlan(method)
  if (binding.verb === 'GET' || binding.body === '' || body.kind === 'none') return { kind: 'none' }
  if (body.kind === 'field') return { kind: 'field', field: body.field }
  return { kind: 'members', fields: plan.writable }
}

function answerOf(method: ContractMethod, binding: HttpBinding): Answer {
  if (isEmptyType(method.response)) return { kind: 'empty' }
  if (method.rules.file) return { kind: 'file' }
  const others = method.rules.alternatives
    .filter((name) => name !== wholeTextOf(method)) // It is the usual body.
    .map((name) => memberOf(method.response, name))
  if (binding.responseBody === '') return { kind: 'whole', type: method.response, others }
  return { kind: 'member', member: memberOf(method.response, binding.responseBody), others }
}

function memberOf(type: protobuf.Type, name: string): Member {
  const field = type.fields[name]
  if (field === undefined) throw new Error(`${type.fullName} has no ${name}`)
  return field
}

/** Every message type in answers, by short name, in alphabetical order. */
export function answerTypes(all: readonly Operation[]): readonly protobuf.Type[] {
  const found = new Map<string, protobuf.Type>()
  const add = (type: protobuf.Type) => {
    if (isKnown(type) || found.has(type.name)) return
    found.set(type.name, type)
    for (const field of type.fieldsArray) addField(field)
  }
  const addField = (field: protobuf.Field) => {
    field.resolve()
    if (field.resolvedType instanceof protobuf.Type) add(field.resolvedType)
  }
  for (const { answer } of all) {
    if (answer.kind === 'empty' || answer.kind === 'file') continue
    if (answer.kind === 'whole') add(answer.type)
    else addField(answer.member)
    for (const other of answer.others) addField(other)
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name))
}

/** Fields of an answer as REST shows them. */
export function shownFields(type: protobuf.Type, hidden: ReadonlySet<string>): readonly Member[] {
  return [...type.fieldsArray]
    .sort((one, other) => one.id - other.id)
    .filter(({ name }) => !hidden.has(name))
}

/** Fields that only the gateway reads, or that replace the whole body. */
export function hiddenFields(all: readonly Operation[], type: protobuf.Type): ReadonlySet<string> {
  const alternatives = all.flatMap(({ method }) =>
    method.response === type ? method.rules.alternatives : [],
  )
  return new Set(['pinned_before', ...alternatives])
}

export function optionalFields(
  all: readonly Operation[],
  type: protobuf.Type,
): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ method }) => (holds(method.response, type) ? method.rules.optional_fields : [])),
  )
}

function holds(response: protobuf.Type, type: protobuf.Type): boolean {
  return response === type || response.fieldsArray.some(({ resolvedType }) => resolvedType === type)
}

export function publicName(field: Member): string {
  const jsonName: unknown = field.options?.['json_name']
  return typeof jsonName === 'string' ? jsonName : field.name
}

export function isJsonText(field: Member): boolean {
  return fieldRules(field).json_text
}

/** A field whose presence the message knows may be null in REST. */
export function isNullable(field: Member): boolean {
  return field.partOf !== null || field.resolvedType instanceof protobuf.Type
}

function isKnown(type: protobuf.Type): boolean {
  return type.fullName.startsWith('.google.protobuf.')
}

/** The members of a message within a body, such as one invite of many. */
export function bodyMembers(field: FieldPlan): readonly FieldPlan[] {
  return field.message().writable
}

/** The text of a comment without line breaks. */
export function sentence(comment: string | null | undefined): string {
  return (comment ?? '').replace(/\s+/g, ' ').trim()
}

/** Titles that are no plural. */
const TITLES: Readonly<Record<string, string>> = {
  Activity: 'Activity',
  Live: 'Live events',
  Login: 'Sign-in',
  Signup: 'Sign-up',
}

/** `EventDefinition` as `Event definitions`. */
function titleOf(resource: string): string {
  const words = resource.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  const title = upperFirst(words).replace(/\bapi\b/, 'API')
  return TITLES[title] ?? `${title}s`
}

function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
