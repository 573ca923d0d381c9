import { Client, credentials, Metadata } from '@grpc/grpc-js'
import type { ProjectNews__Output } from '../../proto/gen/sluice/v1/ProjectNews.ts'
import type { Clock } from '../../src/core/clock.ts'
import { projectId, revision } from '../../src/core/ids.ts'
import { REVISION_NEWS_STALE_MS } from '../../src/core/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { runLoop } from '../../src/core/loop.ts'
import type { ProjectNews } from '../../src/core/project-news.ts'
import { serviceDefinition } from '../../src/core/proto.ts'
import type { NewsFeed } from './project-news.ts'

const RECONNECT_MS = 200

/**
 * News of the workers over `DirectoryService.WatchProjects`, one stream a worker. Whatever changed
 * while a stream was down is unknown, so a stream that begins voids every cached key. Fresh only
 * while every worker has spoken within REVISION_NEWS_STALE_MS.
 */
export function createGrpcNewsFeed(deps: {
  addresses: readonly string[]
  memberToken: string
  clock: Clock
  log: Log
}): NewsFeed {
  const { clock, log } = deps
  const listeners = new Set<(news: ProjectNews) => void>()
  const heardAt = new Map<string, number>()
  const abort = new AbortController()

  const tell = (news: ProjectNews) => {
    for (const listener of listeners) listener(news)
  }
  const loops = deps.addresses.map((address) =>
    runLoop(
      { clock, log, random: Math.random },
      { name: `news of ${address}`, intervalMs: RECONNECT_MS, jitterMs: RECONNECT_MS },
      abort.signal,
      (signal) =>
        watch(address, deps.memberToken, signal, (message, isFirst) => {
          if (isFirst || message.keys_changed) tell({ kind: 'keys' })
          for (const change of message.changed) {
            tell({
              kind: 'revision',
              projectId: projectId(change.project_id),
              revision: revision(change.revision),
            })
          }
          heardAt.set(address, clock.monotonic())
        }),
    ),
  )

  return {
    fresh() {
      const since = clock.monotonic() - REVISION_NEWS_STALE_MS
      return deps.addresses.every((address) => (heardAt.get(address) ?? -Infinity) > since)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      abort.abort()
      await Promise.all(loops)
    },
  }
}

/** One stream from its beginning to its end. Resolves when it ends, fails or `signal` aborts. */
function watch(
  address: string,
  memberToken: string,
  signal: AbortSignal,
  onMessage: (message: ProjectNews__Output, isFirst: boolean) => void,
): Promise<void> {
  const client = new Client(address, credentials.createInsecure(), {
    'grpc.enable_channelz': 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
  })
  const method = serviceDefinition('sluice.v1.DirectoryService')['WatchProjects']
  if (method === undefined) return Promise.reject(new Error('no WatchProjects in the contract'))
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${memberToken}`)
  return new Promise((resolve) => {
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
      onMessage(message as ProjectNews__Output, isFirst) // Deserialized as that message.
      isFirst = false
    })
    // The end follows an error too; `fresh` is how the outage shows.
    stream.on('error', end)
    stream.on('end', end)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
  })
}
