/**
 * The wire contract, read from `proto/sluice/v1/*.proto` on first use: services for grpc-js,
 * message types, and the annotations that gateway, validator and generators use.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js'
// Makes the files of google.protobuf known that the contract imports.
import '@grpc/proto-loader'
import protobuf from 'protobufjs'
import { assert } from '../../core/code.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import { packageRoot } from '../../core/package-root.ts'
import {
  bindingsOf,
  type FieldRules,
  type HttpBinding,
  isRecord,
  listOf,
  type MethodRules,
  optionOf,
} from './rules.ts'
import { writeValuesAtOnce } from './value-bytes.ts'

/** A message as handlers and clients exchange it: field names as in the contract. */
export type MessageObject = Readonly<Record<string, unknown>>

/** One method of a service, with the values of its annotations. */
export type ContractMethod = {
  /** Full name of the service: `sluice.v1.ProjectService`. */
  readonly service: string
  readonly name: string
  /** Path of the gRPC call: `/sluice.v1.ProjectService/ListProjects`. */
  readonly path: string
  readonly request: protobuf.Type
  readonly response: protobuf.Type
  readonly streaming: boolean
  /** Empty for methods that REST does not serve. */
  readonly bindings: readonly HttpBinding[]
  readonly rules: MethodRules
  /** The comment above the method, for generated documents. */
  readonly comment: string
}

export type Contract = {
  readonly root: protobuf.Root
  readonly methods: readonly ContractMethod[]
  readonly byPath: ReadonlyMap<string, ContractMethod>
}

/**
 * A level of JSON is two messages (a Value and its Struct or list), and protobufjs refuses more
 * than 100 by itself: a body of the allowed depth must survive the wire, with its envelope.
 */
const MESSAGE_DEPTH_MAX = 4 * JSON_DEPTH_MAX

/** It has the details of failures. */
const ERROR_FILE = 'sluice/v1/common.proto'

/** The options with which `scripts/gen.mjs` generates the types of `proto/gen`. */
const LOAD_OPTIONS = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: false }

let loaded: Contract | undefined
/** Service and failures of a process that loads no more; see `loadOnly`. */
let part: Contract | undefined

/** @throws at start when a proto file is missing or wrong: the installation is broken. */
export function contract(): Contract {
  loaded ??= loadContract(join(packageRoot, 'proto'))
  return loaded
}

/**
 * Lets a process that calls one service and serves none do with a part of the contract: its files
 * take most of the time of a short command. All of it is loaded for what the part lacks.
 *
 * @param file of the service: `sluice/v1/admin.proto`.
 */
export function loadOnly(file: string): void {
  if (loaded !== undefined || part !== undefined) return
  part = loadContract(join(packageRoot, 'proto'), [], [file, ERROR_FILE])
}

/** The part, or all where the part has no such name. */
function contractWith(name: string): Contract {
  if (loaded !== undefined || !part?.root.lookup(name)) return contract()
  return part
}

/** Definition for `Server.addService` and `makeGenericClientConstructor`. */
export function serviceDefinition(name: string): ServiceDefinition {
  const { root, methods: all } = contractWith(name)
  const service = root.lookup(name)
  assert(service instanceof protobuf.Service, `no service ${name}`)
  const known = all.filter((method) => method.service === name)
  return Object.fromEntries(known.map((method) => [method.name, methodDefinition(service, method)]))
}

/** @throws when no message has this full name. */
export function messageType(name: string): protobuf.Type {
  return contractWith(name).root.lookupType(name)
}

/** Every method of every service, in file order. */
export function methods(): readonly ContractMethod[] {
  return contract().methods
}

export function methodByPath(path: string): ContractMethod | undefined {
  const { byPath } = loaded ?? contractWith(path.split('/')[1] ?? '')
  return byPath.get(path)
}

const fieldRulesCache = new WeakMap<protobuf.Field, FieldRules>()

/** Rules of a field; defaults when it has no annotation. */
export function fieldRules(field: protobuf.Field): FieldRules {
  const known = fieldRulesCache.get(field)
  if (known !== undefined) return known
  const option = optionOf(field.parsedOptions, ['(rules)', '(sluice.v1.rules)'])
  const rules = readRules<FieldRules>(field.root, 'sluice.v1.FieldRules', option)
  fieldRulesCache.set(field, rules)
  return rules
}

/**
 * Loads a contract apart from the one that is shared.
 *
 * @param imports folders where its imports are looked for, after the folder itself.
 * @param files below the folder; every file of `sluice/v1` by default.
 */
export function loadContract(
  folder: string,
  imports: readonly string[] = [],
  files: readonly string[] = filesIn(folder),
): Contract {
  allowDepth()
  const folders = [folder, ...imports]
  const root = new protobuf.Root()
  root.resolvePath = (_origin, target) =>
    folders.map((each) => join(each, target)).find((path) => existsSync(path)) ?? target
  // No service names this type, but failures use it.
  const parseOptions = { keepCase: true, alternateCommentMode: true }
  root.loadSync([...files, 'google/rpc/status.proto'], parseOptions)
  root.resolveAll()
  writeValuesAtOnce(root)
  const known = methodsBelow(root)
  return { root, methods: known, byPath: new Map(known.map((method) => [method.path, method])) }
}

function filesIn(folder: string): string[] {
  return readdirSync(join(folder, 'sluice', 'v1'))
    .filter((name) => name.endsWith('.proto'))
    .sort()
    .map((name) => join('sluice', 'v1', name))
}

function methodDefinition(
  service: protobuf.Service,
  { name, path, request, response }: ContractMethod,
): MethodDefinition<object, object> {
  const method = service.methods[name]
  // On Node the library writes into buffers.
  const encoder = (type: protobuf.Type) => (value: object) =>
    type.encode(type.fromObject(value)).finish() as Buffer
  const decoder = (type: protobuf.Type) => (bytes: Buffer) =>
    type.toObject(type.decode(bytes), LOAD_OPTIONS)
  return {
    path,
    requestStream: method?.requestStream === true,
    responseStream: method?.responseStream === true,
    requestSerialize: encoder(request),
    requestDeserialize: decoder(request),
    responseSerialize: encoder(response),
    responseDeserialize: decoder(response),
  }
}

function allowDepth(): void {
  protobuf.util.recursionLimit = Math.max(protobuf.util.recursionLimit, MESSAGE_DEPTH_MAX)
  protobuf.Reader.recursionLimit = protobuf.util.recursionLimit
}

function methodsBelow(namespace: protobuf.NamespaceBase): readonly ContractMethod[] {
  if (namespace instanceof protobuf.Service) {
    return namespace.methodsArray.map((method) => methodOf(namespace, method))
  }
  return namespace.nestedArray.flatMap((each) =>
    each instanceof protobuf.Namespace ? methodsBelow(each) : [],
  )
}

function methodOf(service: protobuf.Service, method: protobuf.Method): ContractMethod {
  const { resolvedRequestType: request, resolvedResponseType: response } = method
  const name = service.fullName.replace(/^\./, '')
  assert(request !== null && response !== null, `${name}.${method.name} has unknown types`)
  const http = optionOf(method.parsedOptions, ['(google.api.http)'])
  const rules = optionOf(method.parsedOptions, ['(sluice.v1.method)', '(method)'])
  return {
    service: name,
    name: method.name,
    path: `/${name}/${method.name}`,
    request,
    response,
    streaming: method.requestStream === true || method.responseStream === true,
    bindings: bindingsOf(http),
    rules: readRules<MethodRules>(service.root, 'sluice.v1.MethodRules', rules),
    comment: method.comment ?? '',
  }
}

/** Fills in the defaults of a parsed option by its message type. */
function readRules<Rules>(root: protobuf.Root, typeName: string, option: unknown): Rules {
  const type = root.lookupType(typeName)
  const given: Record<string, unknown> = isRecord(option) ? { ...option } : {}
  for (const name of Object.keys(given)) {
    const field = type.fields[name]
    assert(field !== undefined, `${typeName} has no ${name}`)
    if (field.repeated) given[name] = listOf(given[name])
  }
  const { longs, enums, defaults } = LOAD_OPTIONS
  // The type's own fields are the members of `Rules`.
  return type.toObject(type.fromObject(given), { longs, enums, defaults }) as Rules
}
