import type { ServerWritableStream } from '@grpc/grpc-js'
import type { ProjectNews as WireNews } from '../../proto/gen/sluice/v1/ProjectNews.ts'
import type { WatchProjectsRequest__Output } from '../../proto/gen/sluice/v1/WatchProjectsRequest.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import { fromGrpcMetadata } from './call.ts'
import type { MemberAuth } from './member-auth.ts'
import { toServiceError } from './status.ts'

/** Pause between two messages that say nothing but "still here"; a quarter of the staleness bound. */
export const NEWS_HEARTBEAT_MS = 500

/** Changes that one slow watcher may be behind; past it the stream ends and the gateway asks anew. */
const BACKLOG_MAX = 10_000

export type WatchCall = ServerWritableStream<WatchProjectsRequest__Output, WireNews>

/** Streams the news of this worker to a gateway: one message at once, then changes and heartbeats. */
export function createWatchProjects(deps: {
  memberAuth: MemberAuth
  hub: NewsHub
  clock: Clock
  log: Log
}): (call: WatchCall) => void {
  return (call) => {
    try {
      deps.memberAuth({
        metadata: fromGrpcMetadata(call.metadata),
        signal: new AbortController().signal,
        timeoutMs: 0,
      })
    } catch (error) {
      call.emit('error', toServiceError(error, deps.log, call.getPath()))
      return
    }
    watch(call, deps)
  }
}

function watch(call: WatchCall, { hub, clock }: { hub: NewsHub; clock: Clock }): void {
  let ended = false
  let cancelBeat: () => void = () => undefined
  const end = () => {
    if (ended) return
    ended = true
    cancelBeat()
    unsubscribe()
    call.end()
  }
  const send = (news: WireNews) => {
    if (ended) return
    call.write(news)
    if (call.writableLength > BACKLOG_MAX) end()
  }
  const beat = () => {
    send({ changed: [], keys_changed: false })
    cancelBeat = clock.after(NEWS_HEARTBEAT_MS, beat)
  }
  const unsubscribe = hub.subscribe((news) =>
    send(
      news.kind === 'keys'
        ? { changed: [], keys_changed: true }
        : {
            changed: [{ project_id: news.projectId, revision: news.revision }],
            keys_changed: false,
          },
    ),
  )
  call.on('cancelled', end)
  call.on('error', end)
  call.on('close', end)
  beat()
}
