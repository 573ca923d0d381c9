import { Client, type ClientUnaryCall, Metadata } from '@grpc/grpc-js'
import { assert } from '../core/code.ts'
import { type Dial, plaintextDial } from './dial.ts'
import { serviceDefinition } from './proto/proto.ts'

/** A received `sluice.v1.ProjectChange`. */
export type ProjectNewsMessage = {
  readonly changed: { project_id: number; revision: number }[]
  readonly keys_changed: boolean
  /** Set in the first message, else empty. */
  readonly member_id: string
  /** Set in the first message and when the shards change, else empty: see `decodeShards`. */
  readonly owned_shards: Buffer
  /** Set in the first message and when it changes, else empty. */
  readonly cache_generation: string
  /** Number of changes from the worker; 0 from one of an older release. */
  readonly told: number
}

/** A `sluice.v1.ConfirmNewsRequest`. */
export type ChangeConfirmation = {
  readonly to: string
  readonly member_id: string
  readonly told: number
}

/**
 * Sends a confirmation to the worker; given up when the stream ends.
 * @returns whether the worker has taken it. Never rejects.
 */
export type ConfirmNews = (confirmation: ChangeConfirmation) => Promise<boolean>

/** A peer that does not answer a ping of the connection for this long counts as away. */
const KEEPALIVE_MS = 1_000
const KEEPALIVE_TIMEOUT_MS = 1_000

/**
 * Reads one stream of `DirectoryService.WatchProjects` to its end. Changes before its first message
 * are unknown to the reader. Resolves when the stream ends, fails, is cut off or `signal` aborts.
 * @throws errors of `onMessage`, which end the stream.
 */
export function watchProjects(
  address: string,
  memberToken: string,
  signal: AbortSignal,
  onMessage: (message: ProjectNewsMessage, isFirst: boolean, confirm: ConfirmNews) => void,
  { credentials, options }: Dial = plaintextDial(),
): Promise<void> {
  const { WatchProjects: method, ConfirmNews } = serviceDefinition('sluice.v1.DirectoryService')
  assert(method !== undefined && ConfirmNews !== undefined, 'the contract has both')
  const client = new Client(address, credentials, {
    ...options,
    'grpc.enable_channelz': 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
  })
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${memberToken}`)
  const confirming = new Set<ClientUnaryCall>()
  const confirm: ConfirmNews = (confirmation) =>
    new Promise((resolve) => {
      const call = client.makeUnaryRequest(
        ConfirmNews.path,
        ConfirmNews.requestSerialize,
        ConfirmNews.responseDeserialize,
        confirmation,
        metadata,
        (error) => {
          confirming.delete(call)
          resolve(error === null)
        },
      )
      confirming.add(call)
    })
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
      for (const call of [...confirming]) call.cancel()
      client.close()
      resolve()
    }
    stream.on('data', (message: object) => {
      if (signal.aborted) return
      try {
        onMessage(message as ProjectNewsMessage, isFirst, confirm) // Deserialized as that message.
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
