/** gRPC's reflection services. They are rarely used, so the first call builds their data. */
import type {
  handleBidiStreamingCall,
  MethodDefinition,
  Server,
  ServiceDefinition,
  UntypedHandleCall,
} from '@grpc/grpc-js'
import type { EnumTypeDefinition } from '@grpc/proto-loader'
import { ReflectionService } from '@grpc/reflection'
import { assert } from '../../core/code.ts'
import { isObject } from '../../core/json.ts'

const METHOD = 'ServerReflectionInfo'
/** Format of enum definitions, the one kind that needs nothing but its files. */
const FORMAT = 'Protocol Buffer 3 EnumDescriptorProto'
const PATHS = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/${METHOD}`,
)

type Served = {
  readonly method: MethodDefinition<unknown, unknown>
  readonly handler: handleBidiStreamingCall<unknown, unknown>
}

/**
 * Adds both versions of the service; `files`, serialized FileDescriptorProtos, is called once, at
 * the first request.
 */
export function addReflection(
  server: Pick<Server, 'addService'>,
  files: () => readonly Buffer[],
): void {
  let made: ReadonlyMap<string, Served> | undefined
  for (const path of PATHS) {
    const served = () => {
      made ??= servedFrom(files())
      const found = made.get(path)
      assert(found !== undefined, `no reflection at ${path}`)
      return found
    }
    const method: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (value) => served().method.requestSerialize(value),
      requestDeserialize: (bytes) => served().method.requestDeserialize(bytes),
      responseSerialize: (value) => served().method.responseSerialize(withoutRepeats(value)),
      responseDeserialize: (bytes) => served().method.responseDeserialize(bytes),
    }
    const handler: Served['handler'] = (stream) => served().handler(stream)
    server.addService({ [METHOD]: method }, { [METHOD]: handler })
  }
}

/**
 * An answer that names each file once. The library repeats the requested one where files refer to
 * each other.
 */
function withoutRepeats(answer: unknown): unknown {
  const found = isObject(answer) ? answer['fileDescriptorResponse'] : undefined
  const files: unknown = isObject(found) ? found['fileDescriptorProto'] : undefined
  if (!isObject(answer) || !Array.isArray(files)) return answer
  return { ...answer, fileDescriptorResponse: { fileDescriptorProto: [...new Set(files)] } }
}

/** Services by path. The library adds its services to any object with `addService`. */
function servedFrom(files: readonly Buffer[]): ReadonlyMap<string, Served> {
  const made = new Map<string, Served>()
  const addService = (definition: ServiceDefinition, implementation: object) => {
    const method = definition[METHOD]
    const handlers: Readonly<Record<string, UntypedHandleCall>> = { ...implementation }
    const handler = handlers[METHOD]
    assert(method !== undefined && handler !== undefined, `reflection has no ${METHOD}`)
    // Both versions of the service have this one method, a stream both ways.
    made.set(method.path, { method, handler: handler as Served['handler'] })
  }
  // It reads nothing else of a package.
  const contract: EnumTypeDefinition = {
    format: FORMAT,
    type: {},
    fileDescriptorProtos: [...files],
  }
  new ReflectionService({ contract }).addToServer({ addService })
  return made
}
