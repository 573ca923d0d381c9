import type { Mailbox } from '../actor/mailbox.ts'
import type { Actor, PassivationReason } from '../actor/registry.ts'
import type { Clock } from '../core/clock.ts'
import type { ProjectId, Revision } from '../core/ids.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { PluginRuntime } from '../plugins/ports.ts'
import type { EventSink, IngestGroup, IngestOutcome, ProjectState, StateChange } from './ports.ts'
import type { Trust, TrustMark } from './trust.ts'

/**
 * One project: the one place where its state changes. Reads take the immutable snapshot of the
 * moment; mutations run one at a time through the mailbox.
 */
export type ProjectActor = Actor & {
  readonly projectId: ProjectId
  /** The newest snapshot that this worker knows: see `snapshots.ts` for when it may be used. */
  state(): ProjectState
  /** How far `state` is to be believed. */
  standing(): Standing
  /** `state` was found to be the newest by a comparison that began then. */
  vouch(standing: Standing): void
  /**
   * There is this revision: an older `state` is not believed from now on.
   * @returns false when it is older.
   */
  hear(revision: Revision): boolean
  /**
   * Hands events to the plugins of the project, else to the writer, past the mailbox: they need no
   * owner to be correct.
   */
  ingest(group: IngestGroup): Promise<IngestOutcome>
  /**
   * Commits first, then swaps the snapshot, then tells the news; so whoever has the answer sees the
   * change.
   * @throws {AppError} `not_owner` or `fenced` when another worker owns the shard, or what the
   * change itself refuses; nothing is changed then.
   */
  mutate<T>(change: StateChange<T>): Promise<T>
  /**
   * Removes the project after all turns that came before, and tells the news. Passivate the actor
   * then: its snapshot is of something that is gone.
   * @throws {AppError} as `mutate`; the project stays then.
   */
  remove(before: StateChange<void>): Promise<void>
  /**
   * Takes over what has been changed beside this actor, past the mailbox: changes may wait there
   * for the shard. Tells nobody, since whoever made the change has.
   */
  refresh(): Promise<void>
}

export type Standing = {
  /** Monotonic milliseconds at which `state` was last known to be the newest. */
  readonly goodAt: number
  /** Good for longer under this; `undefined` for that moment only. */
  readonly mark: TrustMark | undefined
}

/** What a project asks of its plugins. */
export type ActorPlugins = Pick<PluginRuntime, 'ingest' | 'unload'>

export type ProjectActorDeps = {
  initial: ProjectState
  /** Of `initial`. */
  standing: Standing
  load: (project: ProjectId) => Promise<ProjectState>
  mailbox: Mailbox
  sink: EventSink
  /** Undefined where no plugins run. */
  plugins: ActorPlugins | undefined
  /** Runs the change in a fenced transaction and answers its result with the state it leaves. */
  commit: <T>(
    project: ProjectId,
    change: StateChange<T>,
  ) => Promise<{ result: T; state: ProjectState }>
  /** Runs `before` in the fenced transaction that removes the project. */
  remove: (project: ProjectId, before: StateChange<void>) => Promise<void>
  news: NewsHub
  trust: Trust
  clock: Clock
}

export function createProjectActor(deps: ProjectActorDeps): ProjectActor {
  const { clock, trust, plugins, sink } = deps
  const { id } = deps.initial
  let state = deps.initial
  let standing = deps.standing
  /** The newest revision that there is known to be. */
  let heard = state.revision
  let reading: Promise<void> | undefined
  let waiting: Promise<void> | undefined

  const begin = (): Standing => ({ goodAt: clock.monotonic(), mark: trust.mark(id) })
  const believed = (given: Standing): Standing =>
    state.revision < heard ? { ...given, mark: undefined } : given

  const take = (read: ProjectState, begun: Standing) => {
    // Of two at a time the older one may end last.
    if (read.revision < state.revision) return
    const hadPlugins = state.plugins !== undefined
    state = read
    standing = believed(begun)
    if (hadPlugins && state.plugins === undefined) plugins?.unload(id)
  }

  const startReading = (): Promise<void> => {
    const begun = begin()
    const run = deps
      .load(id)
      .then((read) => take(read, begun))
      .finally(() => {
        if (reading === run) reading = undefined
      })
    reading = run
    return run
  }

  return {
    projectId: id,
    state: () => state,
    standing: () => standing,
    vouch(given) {
      // Answers of the database may come late.
      if (given.goodAt >= standing.goodAt) standing = believed(given)
    },
    hear(revision) {
      if (revision > heard) heard = revision
      standing = believed(standing)
      return state.revision >= heard
    },
    ingest(group) {
      const { plugins: plan } = state
      if (plan === undefined || plugins === undefined) return sink.submit(group)
      return plugins.ingest(plan, group)
    },
    mutate: (change) =>
      deps.mailbox.run(async () => {
        const begun = begin()
        const committed = await deps.commit(id, change)
        const { revision } = committed.state
        take(committed.state, begun)
        deps.news.publish({ kind: 'revision', projectId: id, revision })
        return committed.result
      }),
    remove: (before) =>
      deps.mailbox.run(async () => {
        await deps.remove(id, before)
        deps.news.publish({ kind: 'keys' })
      }),
    refresh() {
      if (reading === undefined) return startReading()
      // What runs may have begun before the change: one more for all who come meanwhile.
      waiting ??= reading
        .catch(() => {
          // Those who began it have the failure.
        })
        .then(() => {
          waiting = undefined
          return startReading()
        })
      return waiting
    },
    busy: () => deps.mailbox.depth() > 0,
    async passivate(reason: PassivationReason) {
      if (reason === 'removed') plugins?.unload(id)
      await deps.mailbox.close()
    },
  }
}
