/** Clients of gRPC's standard services: health and reflection. */
import { join } from 'node:path'
import { Client, credentials } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { packageRoot } from '../../../src/core/package-root.ts'

/** Standard services of gRPC, as their public clients call them. */

const MODULES = join(packageRoot, 'node_modules')
const HEALTH = join(MODULES, 'grpc-health-check/proto/health/v1/health.proto')
const REFLECTION = join(MODULES, '@grpc/reflection/build/proto/grpc/reflection')

/** Answer of `grpc.health.v1.Health/Check`, enums as names. */
export async function healthOf(address: string, service: string): Promise<unknown> {
  const method = methodOf(HEALTH, 'grpc.health.v1.Health', 'Check')
  const client = new Client(address, credentials.createInsecure())
  try {
    return await new Promise((resolve) => {
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        { service },
        (error, value) => resolve(error ?? value),
      )
    })
  } finally {
    client.close()
  }
}

type Reflected = {
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] }
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] }
}

/** Names that a version of the server's reflection lists. */
export async function reflectedServices(
  address: string,
  version: 'v1' | 'v1alpha',
): Promise<string[]> {
  const { list_services_response: found } = await reflect(address, version, { list_services: '' })
  return found?.service.map(({ name }) => name) ?? []
}

/** The files that a version of the server's reflection answers for a symbol, the symbol's first. */
export async function reflectedFiles(
  address: string,
  version: 'v1' | 'v1alpha',
  symbol: string,
): Promise<readonly Buffer[]> {
  const answer = await reflect(address, version, { file_containing_symbol: symbol })
  return answer.file_descriptor_response?.file_descriptor_proto ?? []
}

/** The answer to one request. */
async function reflect(
  address: string,
  version: 'v1' | 'v1alpha',
  asked: Readonly<Record<string, string>>,
): Promise<Reflected> {
  const service = `grpc.reflection.${version}.ServerReflection`
  const proto = join(REFLECTION, version, 'reflection.proto')
  const method = methodOf(proto, service, 'ServerReflectionInfo')
  const client = new Client(address, credentials.createInsecure())
  try {
    return await new Promise((resolve, reject) => {
      const stream = client.makeBidiStreamRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
      )
      stream.on('error', reject)
      stream.on('data', (answer: Reflected) => {
        resolve(answer)
        stream.end()
      })
      stream.write(asked)
    })
  } finally {
    client.close()
  }
}

function methodOf(proto: string, service: string, name: string): MethodDefinition<object, object> {
  const loaded = loadSync(proto, { keepCase: true, enums: String, oneofs: true })
  const definition = loaded[service]
  if (definition === undefined || 'format' in definition) throw new Error(`no ${service}`)
  const method = definition[name]
  if (method === undefined) throw new Error(`no ${service}/${name}`)
  return method
}
