import type { MemberStore } from '../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../cluster/members/view.ts'
import { decodeShards } from '../../cluster/shards/shard-bits.ts'
import type { ProjectNews__Output } from '../../proto/gen/sluice/v1/ProjectNews.ts'
import type { Clock } from '../../src/core/clock.ts'
import { projectId, revision } from '../../src/core/ids.ts'
import { REVISION_NEWS_STALE_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { runLoop } from '../../src/core/loop.ts'
import type { ProjectNews } from '../../src/core/project-news.ts'
import { watchProjects } from '../../src/wire/project-watch.ts'
import { createDirectory } from './directory.ts'
import { createGenerations } from './generations.ts'
import type { LocalNews, NewsFeed } from './news-hub.ts'

const RECONNECT_MS = 100

/** The stream of one worker: closed -> up with its first message -> closed when it ends. */
type Source = {
  readonly abort: AbortController
  up: boolean
  /** Monotonic milliseconds; -Infinity before its first word. */
  heardAt: number
}

export type NewsFeedDeps = {
  readonly members: Pick<MemberStore, 'view' | 'subscribe' | 'connected'>
  readonly memberToken: () => string
  readonly clock: Clock
  readonly log: Log
  /** The worker of this process, when it has one: it needs no stream. */
  readonly local?: LocalNews
  /** Tests bring their own streams. */
  readonly watch?: typeof watchProjects
}

/**
 * News of every worker of the view over `DirectoryService.WatchProjects`, a stream each, opened
 * when it joins and closed when it leaves. What changed while a stream was down is unknown, and so
 * is what a worker that left did not say any more: a stream that begins and a worker that leaves
 * void every cached key. Fresh only while each stream is up and has spoken within
 * REVISION_NEWS_STALE_MS, and the view could hear of newcomers within the same time.
 */
export function createGrpcNewsFeed(deps: NewsFeedDeps): NewsFeed {
  const { members, clock, log, local } = deps
  const watch = deps.watch ?? watchProjects
  const listeners = new Set<(news: ProjectNews) => void>()
  const sources = new Map<string, Source>()
  const loops = new Set<Promise<void>>()
  const directory = createDirectory()
  const generations = createGenerations()
  let connectedAt = Number.NEGATIVE_INFINITY

  const tell = (news: ProjectNews) => {
    for (const listener of listeners) listener(news)
  }
  const noteConnected = (now: number) => {
    if (members.connected()) connectedAt = now
  }

  const hear = (id: string, source: Source, message: ProjectNews__Output, isFirst: boolean) => {
    // Told before the time is noted, so that nobody finds the feed fresh without the news.
    if (isFirst || message.keys_changed) tell({ kind: 'keys' })
    for (const { project_id: project, revision: newest } of message.changed) {
      tell({ kind: 'revision', projectId: projectId(project), revision: revision(newest) })
    }
    const owned = decodeShards(message.owned_shards)
    if (owned !== undefined) directory.tell(id, owned)
    generations.tell(id, message.cache_generation)
    source.up = true
    source.heardAt = clock.monotonic()
    noteConnected(source.heardAt)
  }

  const listen = async (id: string, address: string, source: Source, signal: AbortSignal) => {
    const stream = new AbortController()
    const end = () => stream.abort()
    signal.addEventListener('abort', end, { once: true })
    try {
      await watch(address, deps.memberToken(), stream.signal, (message, isFirst) => {
        if (stream.signal.aborted) return
        // Another incarnation has its address by now; the view will tell of it.
        if (isFirst && message.member_id !== '' && message.member_id !== id) end()
        else hear(id, source, message, isFirst)
      })
    } finally {
      source.up = false
      signal.removeEventListener('abort', end)
    }
  }

  const open = ({ id, address }: Member) => {
    const source: Source = {
      abort: new AbortController(),
      up: false,
      heardAt: Number.NEGATIVE_INFINITY,
    }
    sources.set(id, source)
    generations.join(id)
    const loop = runLoop(
      { clock, log, random: Math.random },
      { name: `news of ${address}`, intervalMs: RECONNECT_MS, jitterMs: RECONNECT_MS },
      source.abort.signal,
      (signal) => listen(id, address, source, signal),
    ).finally(() => loops.delete(loop))
    loops.add(loop)
  }

  const close = (id: string, source: Source) => {
    sources.delete(id)
    directory.forget(id)
    generations.leave(id)
    source.abort.abort()
  }

  const apply = (view: View) => {
    const workers = workersOf(view)
    const ids = new Set(workers.map(({ id }) => id))
    let someLeft = false
    for (const [id, source] of [...sources]) {
      if (ids.has(id)) continue
      close(id, source)
      someLeft = true
    }
    for (const worker of workers) {
      if (worker.id !== local?.memberId && !sources.has(worker.id)) open(worker)
    }
    if (someLeft) tell({ kind: 'keys' })
  }

  const releases = local === undefined ? [] : hearLocal(local, { tell, directory, generations })
  noteConnected(clock.monotonic())
  releases.push(members.subscribe(apply))
  apply(members.view())

  const fresh = (): boolean => {
    if (sources.size === 0 && local === undefined) return false
    const now = clock.monotonic()
    noteConnected(now)
    const since = now - REVISION_NEWS_STALE_MS
    if (connectedAt <= since) return false
    for (const { up, heardAt } of sources.values()) if (!up || heardAt <= since) return false
    return true
  }

  return {
    fresh,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    cacheGeneration: () => (fresh() ? generations.name() : ''),
    tellGeneration: generations.tell,
    ownerOf: directory.ownerOf,
    silentMs(memberId) {
      if (memberId === local?.memberId) return 0
      const heardAt = sources.get(memberId)?.heardAt ?? Number.NEGATIVE_INFINITY
      return clock.monotonic() - heardAt
    },
    async close() {
      for (const release of releases) release()
      for (const { abort } of sources.values()) abort.abort()
      await Promise.all(loops)
    },
  }
}

/** The own worker's word, taken over as it is said. Answers what ends that. */
function hearLocal(
  { memberId, hub, generation, shards }: LocalNews,
  to: {
    tell: (news: ProjectNews) => void
    directory: ReturnType<typeof createDirectory>
    generations: ReturnType<typeof createGenerations>
  },
): (() => void)[] {
  const releases = [hub.subscribe(to.tell)]
  to.generations.join(memberId)
  const tellGeneration = () => to.generations.tell(memberId, generation.current())
  releases.push(generation.subscribe(tellGeneration))
  tellGeneration()
  if (shards !== undefined) {
    const tellShards = () => to.directory.tell(memberId, new Set(shards.held().keys()))
    releases.push(shards.subscribe(tellShards))
    tellShards()
  }
  return releases
}
