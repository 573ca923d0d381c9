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

/** Names that a version of the server's reflection lists. */
export async function reflectedServices(
  address: string,
  version: 'v1' | 'v1alpha',
): Promise<string[]> {
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
      stream.on('data', (answer: { list_services_response?: { service: { name: string }[] } }) => {
        resolve(answer.list_services_response?.service.map(({ name }) => name) ?? [])
        stream.end()
      })
      stream.write({ list_services: '' })
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
