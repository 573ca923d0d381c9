/**
 * Descriptors of the contract's files, as gRPC's reflection shows them: one for each file, which
 * names the files that it needs. Proto-loader has one for each package, which names none, so that
 * clients which resolve imports refuse them. Options are left out: `proto/` has them.
 */
import { join, sep } from 'node:path'
import protobuf from 'protobufjs'
import descriptor from 'protobufjs/ext/descriptor/index.js'
import { assert } from '../../core/code.ts'
import { packageRoot } from '../../core/package-root.ts'
import { contract } from './proto.ts'

/** Files of the types that protobufjs brings along without a file. */
const COMMON_FILES: Readonly<Record<string, string>> = {
  Any: 'google/protobuf/any.proto',
  Empty: 'google/protobuf/empty.proto',
  ListValue: 'google/protobuf/struct.proto',
  NullValue: 'google/protobuf/struct.proto',
  Struct: 'google/protobuf/struct.proto',
  Value: 'google/protobuf/struct.proto',
}

type Declared = protobuf.Type | protobuf.Enum | protobuf.Service

/** Serialized FileDescriptorProtos of all services, and of the files that they need. */
export function fileDescriptors(): readonly Buffer[] {
  const byFile = new Map<string, Declared[]>()
  for (const each of declaredBelow(contract().root)) {
    const file = fileOf(each)
    if (file !== undefined) byFile.set(file, [...(byFile.get(file) ?? []), each])
  }
  const needed = new Set<string>()
  const need = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    for (const other of needsOf(file, byFile.get(file) ?? [])) need(other)
  }
  for (const [file, declared] of byFile) {
    if (declared.some((each) => each instanceof protobuf.Service)) need(file)
  }
  return [...needed].map((file) => encodeFile(file, byFile.get(file) ?? []))
}

/** Declarations at the top of a file. */
function declaredBelow(namespace: protobuf.NamespaceBase): readonly Declared[] {
  return namespace.nestedArray.flatMap((each) => {
    const isDeclared =
      each instanceof protobuf.Type ||
      each instanceof protobuf.Enum ||
      each instanceof protobuf.Service
    if (isDeclared) return [each]
    return each instanceof protobuf.Namespace ? declaredBelow(each) : []
  })
}

/** Name by which files import the type; undefined for one that our contract does not use. */
function fileOf(declared: protobuf.ReflectionObject): string | undefined {
  let top = declared
  while (top.parent instanceof protobuf.Type) top = top.parent
  const folder = `${join(packageRoot, 'proto')}${sep}`
  const { filename } = top
  if (filename?.startsWith(folder)) return filename.slice(folder.length).replaceAll(sep, '/')
  return packageOf(top) === 'google.protobuf' ? COMMON_FILES[top.name] : undefined
}

function packageOf({ parent }: protobuf.ReflectionObject): string {
  return parent?.fullName.replace(/^\./, '') ?? ''
}

function needsOf(file: string, declared: readonly Declared[]): ReadonlySet<string> {
  const files = declared.flatMap(referencesOf).map((each) => {
    const found = fileOf(each)
    assert(found !== undefined, `${each.fullName} is of no file`)
    return found
  })
  return new Set(files.filter((each) => each !== file))
}

function referencesOf(declared: protobuf.ReflectionObject): readonly protobuf.ReflectionObject[] {
  if (declared instanceof protobuf.Service) {
    return declared.methodsArray.flatMap((method) =>
      [method.resolvedRequestType, method.resolvedResponseType].filter((each) => each !== null),
    )
  }
  if (!(declared instanceof protobuf.Type)) return []
  const own = declared.fieldsArray.flatMap(({ resolvedType }) => resolvedType ?? [])
  return [...own, ...declared.nestedArray.flatMap(referencesOf)]
}

function encodeFile(name: string, declared: readonly Declared[]): Buffer {
  const [first] = declared
  assert(first !== undefined, `${name} declares nothing`)
  const of = <T extends Declared>(kind: new (...args: never[]) => T) =>
    declared.filter((each): each is T => each instanceof kind)
  const file = descriptor.FileDescriptorProto.fromObject(
    withoutOptions({
      name,
      package: packageOf(first),
      dependency: [...needsOf(name, declared)],
      messageType: of(protobuf.Type).map((each) => described(each)),
      enumType: of(protobuf.Enum).map((each) => described(each)),
      service: of(protobuf.Service).map((each) => described(each)),
      syntax: 'proto3',
    }),
  )
  // On Node the library writes into buffers.
  return descriptor.FileDescriptorProto.encode(file).finish() as Buffer
}

/** Method that an extension of protobufjs adds; its types leave services out. */
type Describable = { toDescriptor(edition: string): protobuf.Message<object> }

function described(declared: Declared): Record<string, unknown> {
  const message = (declared as object as Describable).toDescriptor('proto3')
  return message.$type.toObject(message)
}

function withoutOptions(value: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([name]) => name !== 'options')
  return Object.fromEntries(kept.map(([name, each]) => [name, cleaned(each)]))
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned)
  const isRecord = typeof value === 'object' && value !== null
  return isRecord ? withoutOptions({ ...value }) : value
}
