import type { ServerWritableStream } from '@grpc/grpc-js'
import { encodeShards } from '../../../cluster/shards/shard-bits.ts'
import type { Shards } from '../../../cluster/shards/shards-port.ts'
import type { ProjectNews as WireChange } from '../../../proto/gen/sluice/v1/ProjectNews.ts'
import type { WatchProjectsRequest__Output } from '../../../proto/gen/sluice/v1/WatchProjectsRequest.ts'
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import { NEWS_BEAT_MS } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import type { CacheGeneration } from '../../project/cache-generation.ts'
import { fromGrpcMetadata } from '../../wire/call.ts'
import type { MemberAuth } from '../server/member-auth.ts'
import { toServiceError } from '../server/status.ts'

/**
 * How many changes a slow watcher may be behind. Past it the stream ends, and the watcher opens
 * another.
 */
const BACKLOG_MAX = 10_000

/** A heartbeat: the worker is there and nothing has changed. */
const QUIET: WireChange = { changed: [], keys_changed: false }

export type WatchCall = ServerWritableStream<WatchProjectsRequest__Output, WireChange>

export type WatchDeps = {
  readonly memberAuth: MemberAuth
  /** Id of this member. */
  readonly self: string
  readonly hub: Pick<ChangeFeed, 'subscribe' | 'told'>
  readonly shards: Pick<Shards, 'held' | 'subscribe'>
  readonly cacheGeneration: Pick<CacheGeneration, 'current' | 'subscribe'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * Streams the changes of this worker to gateways and other workers: first its id and its shards,
 * then changes and heartbeats. Changes from other workers are left out, because those send them.
 */
export function createWatchProjects(deps: WatchDeps): (call: WatchCall) => void {
  return (call) => {
    try {
      deps.memberAuth({ metadata: fromGrpcMetadata(call.metadata) })
    } catch (error) {
      call.emit('error', toServiceError(error, deps.log, call.getPath()))
      return
    }
    watch(call, deps)
  }
}

function watch(call: WatchCall, { self, hub, shards, cacheGeneration, clock }: WatchDeps): void {
  let ended = false
  let cancelBeat: () => void = () => undefined
  const unsubscribes: (() => void)[] = []
  const end = () => {
    if (ended) return
    ended = true
    cancelBeat()
    for (const unsubscribe of unsubscribes) unsubscribe()
    call.end()
  }
  const send = (change: WireChange) => {
    if (ended) return
    call.write({ ...change, told: hub.told() })
    if (call.writableLength > BACKLOG_MAX) end()
  }
  const beat = () => {
    cancelBeat = clock.after(NEWS_BEAT_MS, () => {
      send(QUIET)
      if (!ended) beat()
    })
  }
  const owned = () => encodeShards(shards.held().keys())
  call.on('cancelled', end)
  call.on('error', end)
  call.on('close', end)
  unsubscribes.push(
    hub.subscribe((change, origin) => {
      if (origin !== 'own') return
      send(
        change.kind === 'keys'
          ? { ...QUIET, keys_changed: true }
          : { ...QUIET, changed: [{ project_id: change.projectId, revision: change.revision }] },
      )
    }),
    shards.subscribe(() => send({ ...QUIET, owned_shards: owned() })),
    cacheGeneration.subscribe(() => {
      send({ ...QUIET, cache_generation: cacheGeneration.current() })
    }),
  )
  // Sent in the same tick as the subscriptions, so that no change is missed between them.
  send({
    ...QUIET,
    member_id: self,
    owned_shards: owned(),
    cache_generation: cacheGeneration.current(),
  })
  beat()
}
