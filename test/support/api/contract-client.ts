/** A gRPC client for tests of the public contract. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client, credentials, Metadata, type ServiceError, type StatusObject } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { packageRoot } from '../../../src/core/package-root.ts'

/**
 * A gRPC client made of nothing but the contract's files, as other services make one:
 * failures are read by `google.rpc.Status` and `sluice.v1.ErrorDetail` alone.
 */
export type ContractClient = {
  /** Resolves with every answer, failures too. */
  call(path: string, request: object, options?: CallOptions): Promise<Answer>
  /** A request of these bytes, whatever they hold. */
  callRaw(path: string, request: Buffer, options?: CallOptions): Promise<Answer>
  /** The bytes of a request. */
  encode(path: string, request: object): Buffer
  close(): void
}

export type CallOptions = {
  readonly metadata?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type Answer =
  | { readonly kind: 'message'; readonly message: object }
  | {
      readonly kind: 'failure'
      /** Name of the `grpc-status`: `NOT_FOUND` for 5. */
      readonly status: number
      readonly text: string
      /** Undefined when the failure carries none, as those of the transport itself. */
      readonly detail: Detail | undefined
    }

/** `sluice.v1.ErrorDetail`; `attr` is absent where the message has none. */
export type Detail = {
  readonly type: string
  readonly code: string
  readonly detail: string
  readonly attr?: string
  readonly attr_absent: boolean
  readonly http_status: number
  readonly retry_after_s: number
}

const FOLDER = join(packageRoot, 'proto')
const TYPE_URL = 'type.googleapis.com/sluice.v1.ErrorDetail'
const DEADLINE_MS = 20_000

type Bytes = { readonly deserialize: (bytes: Buffer) => Record<string, unknown> }

export function createContractClient(address: string): ContractClient {
  const files = readdirSync(join(FOLDER, 'sluice', 'v1')).map((name) => join('sluice', 'v1', name))
  const loaded = loadSync([...files, 'google/rpc/status.proto'], {
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    includeDirs: [FOLDER],
  })
  const client = new Client(address, credentials.createInsecure(), {
    // Large requests are for the server to refuse.
    'grpc.max_send_message_length': -1,
    'grpc.max_receive_message_length': -1,
    'grpc.use_local_subchannel_pool': 1,
  })
  const methodOf = (path: string): MethodDefinition<object, object> => {
    const [, service = '', name = ''] = path.split('/')
    const definition = loaded[service]
    const method = definition === undefined || 'format' in definition ? undefined : definition[name]
    if (method === undefined) throw new Error(`no ${path}`)
    return method
  }
  const typeOf = (name: string): Bytes => {
    const type = loaded[name]
    if (type === undefined || !('format' in type)) throw new Error(`no ${name}`)
    return type as unknown as Bytes // A message type: of those the loader makes both directions.
  }
  const detailOf = (error: ServiceError): Detail | undefined => {
    const [trailer] = error.metadata.get('grpc-status-details-bin')
    if (!Buffer.isBuffer(trailer)) return undefined
    const { details } = typeOf('google.rpc.Status').deserialize(trailer)
    const packed = Array.isArray(details) ? details : []
    const found = packed.find(({ type_url }) => type_url === TYPE_URL)
    if (found === undefined) return undefined
    return typeOf('sluice.v1.ErrorDetail').deserialize(found.value) as unknown as Detail
  }
  const send = (
    path: string,
    bytes: Buffer,
    deserialize: (bytes: Buffer) => object,
    { metadata = {}, signal }: CallOptions,
  ): Promise<Answer> =>
    new Promise((resolve) => {
      const call = client.makeUnaryRequest(
        path,
        (request: Buffer) => request,
        deserialize,
        bytes,
        metadataOf(metadata),
        { deadline: Date.now() + DEADLINE_MS },
        (error, message) => {
          if (error === null) return resolve({ kind: 'message', message: message ?? {} })
          const { code: status, details: text }: StatusObject = error
          resolve({ kind: 'failure', status, text, detail: detailOf(error) })
        },
      )
      signal?.addEventListener('abort', () => call.cancel(), { once: true })
    })
  return {
    call: (path, request, options = {}) => {
      const { requestSerialize, responseDeserialize } = methodOf(path)
      return send(path, requestSerialize(request), responseDeserialize, options)
    },
    callRaw: (path, request, options = {}) => send(path, request, (bytes) => bytes, options),
    encode: (path, request) => methodOf(path).requestSerialize(request),
    close: () => client.close(),
  }
}

function metadataOf(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(values)) metadata.set(name, value)
  return metadata
}
