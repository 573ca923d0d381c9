import descriptor, {
  type IDescriptorProto,
  type IFileDescriptorProto,
} from 'protobufjs/ext/descriptor/index.js'
import t from 'tap'
import { fileDescriptors } from '../../../../src/wire/proto/file-descriptors.ts'
import { methods } from '../../../../src/wire/proto/proto.ts'

const files = fileDescriptors().map((bytes): IFileDescriptorProto => {
  return descriptor.FileDescriptorProto.decode(bytes).toJSON()
})
const named = new Map(files.map((file) => [file.name ?? '', file]))

/** Full names of messages and enums, with the file of each. */
const places = new Map(
  files.flatMap((file) =>
    namesIn(file.package ?? '', file).map((name) => [name, file.name ?? ''] as const),
  ),
)

type Scope = Pick<IFileDescriptorProto, 'messageType' | 'enumType'>

function namesIn(scope: string, { messageType, enumType }: Scope): string[] {
  const below = (messageType ?? []).flatMap((message) => {
    const name = `${scope}.${message.name}`
    return [name, ...namesIn(name, scopeOf(message))]
  })
  return [...below, ...(enumType ?? []).map(({ name }) => `${scope}.${name}`)]
}

function scopeOf({ nestedType, enumType }: IDescriptorProto): Scope {
  return { ...(nestedType && { messageType: nestedType }), ...(enumType && { enumType }) }
}

/** The file of a name, found as a reader of descriptors does: from the inside to the outside. */
function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith('.')) return places.get(name.slice(1))
  for (let scope = from; ; scope = scope.slice(0, scope.lastIndexOf('.'))) {
    const found = places.get(`${scope}.${name}`)
    if (found !== undefined || !scope.includes('.')) return found ?? places.get(name)
  }
}

function referencesIn(scope: string, messages: readonly IDescriptorProto[]): string[][] {
  return messages.flatMap((message) => {
    const name = `${scope}.${message.name}`
    const own = (message.field ?? []).flatMap(({ typeName }) =>
      typeName ? [[typeName, name]] : [],
    )
    return [...own, ...referencesIn(name, message.nestedType ?? [])]
  })
}

t.test('each file names those that it needs, and no more', async (t) => {
  t.ok(files.length > 10)
  t.equal(named.size, files.length, 'each is there once')
  for (const { name, package: scope = '', messageType, service, dependency } of files) {
    const calls = (service ?? []).flatMap(({ method }) => method ?? [])
    const asked = calls.flatMap(({ inputType = '', outputType = '' }) => [inputType, outputType])
    const needed = [
      ...referencesIn(scope, messageType ?? []),
      ...asked.map((type) => [type, scope]),
    ].map(([type = '', from = '']) => fileOf(type, from))
    const others = new Set(needed.filter((file) => file !== name))
    t.strictSame([...(dependency ?? [])].sort(), [...others].sort(), name ?? '')
    for (const file of dependency ?? []) t.ok(named.has(file), file)
  }
})

t.test('files do not need each other in a circle', async (t) => {
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) t.fail(`${[...path, file].join(' -> ')}`)
    else for (const each of named.get(file)?.dependency ?? []) visit(each, [...path, file])
  }
  for (const file of named.keys()) visit(file, [])
})

t.test('every call is in one of them', async (t) => {
  const calls = files.flatMap(({ package: scope, service }) =>
    (service ?? []).flatMap(({ name, method }) =>
      (method ?? []).map((call) => `/${scope}.${name}/${call.name}`),
    ),
  )
  for (const { path } of methods()) t.ok(calls.includes(path), path)
})
