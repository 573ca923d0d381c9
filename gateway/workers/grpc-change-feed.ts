/**
 * Changes of every worker of the view over `DirectoryService.WatchProjects`: one stream each, opened
 * when the worker joins and closed when it leaves. Changes while a stream was down are unknown, and
 * so are those that a worker made before it left. So a stream that begins and a worker that leaves
 * void every cached key. Processed changes are confirmed to their worker, so that it knows how far
 * a change has spread. The feed is fresh only while each stream is up and has spoken within
 * REVISION_NEWS_STALE_MS, and while the view could show new members within the same time.
 */
import type { MemberStore } from '../../cluster/members/member-store.ts'
import { type Member, type View, workersOf } from '../../cluster/members/view.ts'
import { decodeShards } from '../../cluster/shards/shard-bits.ts'
import type { ProjectNews__Output } from '../../proto/gen/sluice/v1/ProjectNews.ts'
import type { ProjectChange } from '../../src/core/change-feed.ts'
import type { Clock } from '../../src/core/clock.ts'
import { projectId, revision, type ShardId } from '../../src/core/ids.ts'
import { REVISION_NEWS_STALE_MS } from '../../src/core/limits/limits.ts'
import type { Log } from '../../src/core/log.ts'
import { runLoop } from '../../src/core/loop.ts'
import type { Dial } from '../../src/wire/dial.ts'
import { type ConfirmNews, watchProjects } from '../../src/wire/project-watch.ts'
import type { GatewayChangeFeed, LocalChanges } from './change-feed.ts'
import { createDirectory } from './directory.ts'
import { createGenerations } from './generations.ts'

const RECONNECT_MS = 100

/** The stream of one worker: down -> up with its first message -> down when it ends. */
type Source = {
  readonly abort: AbortController
  up: boolean
  /** Monotonic milliseconds of its last message; -Infinity before the first. */
  heardAt: number
  /** Count of the worker's changes that were processed, and of those confirmed to the worker. */
  told: number
  confirmed: number
  isConfirming: boolean
}

export type ChangeFeedDeps = {
  /** Id of the member that hears the changes. */
  readonly self: string
  readonly members: Pick<MemberStore, 'view' | 'subscribe' | 'connected'>
  readonly memberToken: () => string
  /** How workers are dialled. */
  readonly dial?: Dial | undefined
  readonly clock: Clock
  readonly log: Log
  /** Changes of the worker in this process, which needs no stream. */
  readonly local?: LocalChanges
  /** Tests pass their own streams. */
  readonly watch?: typeof watchProjects
}

export function createGrpcChangeFeed(deps: ChangeFeedDeps): GatewayChangeFeed {
  return new GrpcChangeFeed(deps)
}

class GrpcChangeFeed implements GatewayChangeFeed {
  readonly #deps: ChangeFeedDeps
  readonly #watch: typeof watchProjects
  readonly #listeners = new Set<(change: ProjectChange) => void>()
  readonly #sources = new Map<string, Source>()
  readonly #loops = new Set<Promise<void>>()
  readonly #directory = createDirectory()
  readonly #generations = createGenerations()
  readonly #releases: (() => void)[] = []
  /** Monotonic time at which the members were last known to be connected. */
  #connectedAt = Number.NEGATIVE_INFINITY

  constructor(deps: ChangeFeedDeps) {
    const { members, clock, local } = deps
    this.#deps = deps
    this.#watch = deps.watch ?? watchProjects
    if (local !== undefined) {
      const publish = (change: ProjectChange) => this.#publish(change)
      const directory = this.#directory
      const generations = this.#generations
      this.#releases.push(...followLocal(local, { publish, directory, generations }))
    }
    this.#noteConnected(clock.monotonic())
    this.#releases.push(members.subscribe((view) => this.#apply(view)))
    this.#apply(members.view())
  }

  fresh(): boolean {
    if (this.#sources.size === 0 && this.#deps.local === undefined) return false
    const now = this.#deps.clock.monotonic()
    this.#noteConnected(now)
    const since = now - REVISION_NEWS_STALE_MS
    if (this.#connectedAt <= since) return false
    for (const { up, heardAt } of this.#sources.values()) if (!up || heardAt <= since) return false
    return true
  }

  subscribe(listener: (change: ProjectChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  cacheGeneration(): string {
    return this.fresh() ? this.#generations.name() : ''
  }

  observeGeneration(memberId: string, generation: string): void {
    this.#generations.tell(memberId, generation)
  }

  ownerOf(shard: ShardId): string | undefined {
    return this.#directory.ownerOf(shard)
  }

  silentMs(memberId: string): number {
    if (memberId === this.#deps.local?.memberId) return 0
    const heardAt = this.#sources.get(memberId)?.heardAt ?? Number.NEGATIVE_INFINITY
    return this.#deps.clock.monotonic() - heardAt
  }

  async close(): Promise<void> {
    for (const release of this.#releases) release()
    for (const { abort } of this.#sources.values()) abort.abort()
    await Promise.all(this.#loops)
  }

  #apply(view: View): void {
    const workers = workersOf(view)
    const ids = new Set(workers.map(({ id }) => id))
    let hasOneLeft = false
    for (const [id, source] of [...this.#sources]) {
      if (ids.has(id)) continue
      this.#close(id, source)
      hasOneLeft = true
    }
    for (const worker of workers) {
      const isLocal = worker.id === this.#deps.local?.memberId
      if (!isLocal && !this.#sources.has(worker.id)) this.#open(worker)
    }
    if (hasOneLeft) this.#publish({ kind: 'keys' })
  }

  #open({ id, address }: Member): void {
    const { clock, log } = this.#deps
    const source: Source = {
      abort: new AbortController(),
      up: false,
      heardAt: Number.NEGATIVE_INFINITY,
      told: 0,
      confirmed: 0,
      isConfirming: false,
    }
    this.#sources.set(id, source)
    this.#generations.join(id)
    const loop = runLoop(
      { clock, log, random: Math.random },
      { name: `changes of ${address}`, intervalMs: RECONNECT_MS, jitterMs: RECONNECT_MS },
      source.abort.signal,
      (signal) => this.#listen(id, address, source, signal),
    ).finally(() => this.#loops.delete(loop))
    this.#loops.add(loop)
  }

  #close(id: string, source: Source): void {
    this.#sources.delete(id)
    this.#directory.forget(id)
    this.#generations.leave(id)
    source.abort.abort()
  }

  /** Resolves when the stream has ended. */
  async #listen(id: string, address: string, source: Source, signal: AbortSignal): Promise<void> {
    const stream = new AbortController()
    const end = () => stream.abort()
    signal.addEventListener('abort', end, { once: true })
    try {
      const { memberToken, dial } = this.#deps
      const receive: Parameters<typeof watchProjects>[3] = (message, isFirst, confirm) => {
        if (stream.signal.aborted) return
        // A newer process has the address now. The view will show it.
        if (isFirst && message.member_id !== '' && message.member_id !== id) end()
        else {
          this.#receive(id, source, message, isFirst)
          void this.#confirm(id, source, confirm)
        }
      }
      await this.#watch(address, memberToken(), stream.signal, receive, dial)
    } finally {
      source.up = false
      signal.removeEventListener('abort', end)
    }
  }

  #receive(id: string, source: Source, message: ProjectNews__Output, isFirst: boolean): void {
    // Published before the time is set, so that the feed is never fresh without the changes.
    if (isFirst || message.keys_changed) this.#publish({ kind: 'keys' })
    for (const { project_id: project, revision: newest } of message.changed) {
      const change = { projectId: projectId(project), revision: revision(newest) }
      this.#publish({ kind: 'revision', ...change })
    }
    const owned = decodeShards(message.owned_shards)
    if (owned !== undefined) this.#directory.tell(id, owned)
    this.#generations.tell(id, message.cache_generation)
    source.told = message.told
    source.up = true
    source.heardAt = this.#deps.clock.monotonic()
    this.#noteConnected(source.heardAt)
  }

  /**
   * Confirms processed changes: every listener has been called by then. One call at a time; a
   * failed one is repeated after the next beat.
   */
  async #confirm(id: string, source: Source, confirm: ConfirmNews): Promise<void> {
    if (source.isConfirming) return
    source.isConfirming = true
    while (source.told > source.confirmed) {
      const { told } = source
      if (!(await confirm({ to: id, member_id: this.#deps.self, told }))) break
      source.confirmed = told
    }
    source.isConfirming = false
  }

  #publish(change: ProjectChange): void {
    for (const listener of this.#listeners) listener(change)
  }

  #noteConnected(now: number): void {
    if (this.#deps.members.connected()) this.#connectedAt = now
  }
}

/**
 * Follows the worker of this process.
 * @returns what ends it.
 */
function followLocal(
  { memberId, hub, generation, shards }: LocalChanges,
  to: {
    publish: (change: ProjectChange) => void
    directory: ReturnType<typeof createDirectory>
    generations: ReturnType<typeof createGenerations>
  },
): (() => void)[] {
  const releases = [hub.subscribe(to.publish)]
  to.generations.join(memberId)
  const publishGeneration = () => to.generations.tell(memberId, generation.current())
  releases.push(generation.subscribe(publishGeneration))
  publishGeneration()
  if (shards !== undefined) {
    const tellShards = () => to.directory.tell(memberId, new Set(shards.held().keys()))
    releases.push(shards.subscribe(tellShards))
    tellShards()
  }
  return releases
}
