/** Lists the parts of the contract that other processes and clients rely on, one line each. */
import { join } from 'node:path'
import protobuf from 'protobufjs'
import { packageRoot } from '../../src/core/package-root.ts'
import { contract } from '../../src/wire/proto/proto.ts'

/** The file with the recorded lines. Lines are only added. */
export const CONTRACT_RECORD = join(packageRoot, 'test', 'fixtures', 'contract-released.txt')

/** Numbers and types of fields, values of enums, types of calls of our own package, sorted. */
export function contractLines(): string[] {
  const own = contract().root.lookup('sluice.v1')
  if (!(own instanceof protobuf.Namespace)) throw new Error('no package sluice.v1')
  return linesOf(own).sort()
}

export function linesOf(parent: protobuf.NamespaceBase): string[] {
  return parent.nestedArray.flatMap((nested) => {
    const name = nested.fullName.slice(1)
    if (!(nested instanceof protobuf.Namespace) && !(nested instanceof protobuf.Enum)) return []
    if (nested instanceof protobuf.Enum) {
      return Object.entries(nested.values).map(([value, number]) => `${name} ${number} ${value}`)
    }
    const inner = linesOf(nested)
    if (nested instanceof protobuf.Type) return [...nested.fieldsArray.map(lineOfField), ...inner]
    if (nested instanceof protobuf.Service)
      return [...nested.methodsArray.map(lineOfMethod), ...inner]
    return inner
  })
}

/** The name counts too, because JSON and the libraries use it. */
function lineOfField(field: protobuf.Field): string {
  const type = field.resolvedType?.fullName.slice(1) ?? field.type
  const key = field instanceof protobuf.MapField ? `map of ${field.keyType} to ` : ''
  const many = field.repeated ? 'repeated ' : ''
  return `${field.parent?.fullName.slice(1)} ${field.id} ${field.name}: ${key}${many}${type}`
}

function lineOfMethod(method: protobuf.Method): string {
  const asked = `${method.requestStream ? 'stream ' : ''}${method.resolvedRequestType?.fullName}`
  const answer = `${method.responseStream ? 'stream ' : ''}${method.resolvedResponseType?.fullName}`
  return `${method.parent?.fullName.slice(1)} ${method.name}: ${asked} -> ${answer}`
}
