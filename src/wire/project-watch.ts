import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { assert } from '../core/code.ts'
import { serviceDefinition } from './proto/proto.ts'

/** `sluice.v1.ProjectNews` as it is received. */
export type ProjectNewsMessage = {
  readonly changed: { project_id: number; revision: number }[]
  readonly keys_changed: boolean
  /** With the first message, else empty. */
  readonly member_id: string
  /** With the first message and when they change, else empty: see `decodeShards`. */
  readonly owned_shards: Buffer
  /** With the first message and when it changes, else empty. */
  readonly cache_generation: string
}

/** A peer that does not answer a ping of the connection for so long is frozen or cut off. */
const KEEPALIVE_MS = 1_000
const KEEPALIVE_TIMEOUT_MS = 1_000

/**
 * One stream of `DirectoryService.WatchProjects` from its beginning to its end. Whatever changed
 * before its first message is unknown to who reads it. Resolves when the stream ends, fails, is cut
 * off or `signal` aborts: the silence is how an outage shows.
 * @throws what `onMessage` throws, which ends the stream.
 */
export function watchProjects(
  address: string,
  memberToken: string,
  signal: AbortSignal,
  onMessage: (message: ProjectNewsMessage, isFirst: boolean) => void,
): Promise<void> {
  const method = serviceDefinition('sluice.v1.DirectoryService')['WatchProjects']
  assert(method !== undefined, 'the contract has WatchProjects')
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.enable_channelz': 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  })
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${memberToken}`)
  return new Promise((resolve, reject) => {
    let isFirst = true
    const stream = client.makeServerStreamRequest<object, object>(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      {},
      metadata,
    )
    const cancel = () => stream.cancel()
    const end = () => {
      signal.removeEventListener('abort', cancel)
      client.close()
      resolve()
    }
    stream.on('data', (message: object) => {
      if (signal.aborted) return
      try {
        onMessage(message as ProjectNewsMessage, isFirst) // Deserialized as that message.
        isFirst = false
      } catch (error) {
        reject(error)
        cancel()
      }
    })
    stream.on('error', end)
    stream.on('end', end)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
  })
}
