/**
 * The actor of one project, the one place where its state changes. Reads take the current immutable
 * snapshot. Changes run one at a time through the mailbox.
 */
import type { Mailbox } from '../actor/mailbox.ts'
import type { Actor, PassivationReason } from '../actor/registry.ts'
import type { ChangeFeed } from '../core/change-feed.ts'
import type { Clock } from '../core/clock.ts'
import type { ProjectId, Revision } from '../core/ids.ts'
import type { EventBatch, EventSink, IngestOutcome } from '../events/event-batch.ts'
import type { ProjectPlugins } from './plugin-ports.ts'
import type { RemovalWork, StateChange } from './ports.ts'
import { compileProject, type ProjectState, type StoredProject } from './project-state.ts'
import type { Trust, TrustMark } from './trust.ts'

export type ProjectActor = Actor & {
  readonly projectId: ProjectId
  /** The newest snapshot that this worker has. `snapshots.ts` decides whether it may be used. */
  state(): ProjectState
  /** Time and conditions under which `state` was last known to be the newest. */
  freshness(): Freshness
  /** Notes that a comparison which began at that time has found `state` to be the newest. */
  confirm(freshness: Freshness): void
  /**
   * Notes that the project has this revision. An older `state` loses its mark, so that it is
   * compared before it is used.
   * @returns false when `state` is older.
   */
  noteRevision(revision: Revision): boolean
  /**
   * Hands events to the plugins of the project, or to the writer when it has none. Events do not
   * pass the mailbox, because they are stored correctly whoever owns the project.
   */
  ingest(batch: EventBatch): Promise<IngestOutcome>
  /**
   * Commits, then replaces the snapshot, then publishes the change: a caller that has the answer
   * sees it.
   * @throws {AppError} `not_owner` or `fenced` when another worker owns the shard, or errors of the
   * change itself; nothing is changed then.
   */
  mutate<T>(change: StateChange<T>): Promise<T>
  /**
   * Removes the project after all earlier turns, and publishes the change. The caller must
   * passivate the actor then, because its snapshot is of a project that is gone.
   * @throws {AppError} as `mutate`; the project stays then.
   */
  remove(before: RemovalWork): Promise<void>
  /**
   * Loads a state that others have changed. Runs outside the mailbox, where changes may be waiting
   * for the shard. Publishes nothing: the author of the change has done so.
   */
  refresh(): Promise<void>
}

/** Limit of using a snapshot without asking the database. */
export type Freshness = {
  /** Monotonic milliseconds at which the snapshot was last known to be the newest. */
  readonly confirmedAt: number
  /** Trust under which it stays usable; `undefined` when it was good at `confirmedAt` only. */
  readonly mark: TrustMark | undefined
}

export type ProjectActorDeps = {
  initial: ProjectState
  /** The freshness of `initial`. */
  freshness: Freshness
  load: (project: ProjectId) => Promise<StoredProject>
  mailbox: Mailbox
  sink: EventSink
  /** Undefined when this process runs no plugins. */
  plugins: ProjectPlugins | undefined
  /** Runs the change in a fenced transaction. @returns its result, and the project it leaves. */
  commit: <T>(
    project: ProjectId,
    change: StateChange<T>,
  ) => Promise<{ result: T; left: StoredProject }>
  /** Runs `before` in the fenced transaction that removes the project. */
  remove: (project: ProjectId, before: RemovalWork) => Promise<void>
  feed: ChangeFeed
  trust: Trust
  clock: Clock
}

export function createProjectActor(deps: ProjectActorDeps): ProjectActor {
  return new MailboxProjectActor(deps)
}

class MailboxProjectActor implements ProjectActor {
  readonly projectId: ProjectId
  readonly #deps: ProjectActorDeps
  #state: ProjectState
  #freshness: Freshness
  /** The newest revision that is known to exist. */
  #newestRevision: Revision
  /** The load under way, and the next one, which callers that arrive meanwhile share. */
  #loading: Promise<void> | undefined
  #nextLoading: Promise<void> | undefined

  constructor(deps: ProjectActorDeps) {
    this.#deps = deps
    this.#state = deps.initial
    this.#freshness = deps.freshness
    this.#newestRevision = deps.initial.revision
    this.projectId = deps.initial.id
  }

  state(): ProjectState {
    return this.#state
  }

  freshness(): Freshness {
    return this.#freshness
  }

  confirm(freshness: Freshness): void {
    // An answer of the database may arrive after a later one.
    if (freshness.confirmedAt < this.#freshness.confirmedAt) return
    this.#freshness = this.#withoutStaleMark(freshness)
  }

  noteRevision(revision: Revision): boolean {
    if (revision > this.#newestRevision) this.#newestRevision = revision
    this.#freshness = this.#withoutStaleMark(this.#freshness)
    return this.#state.revision >= this.#newestRevision
  }

  ingest(batch: EventBatch): Promise<IngestOutcome> {
    const { plugins, sink } = this.#deps
    const { plugins: plan } = this.#state
    if (plan === undefined || plugins === undefined) return sink.submit(batch)
    return plugins.ingest(plan, batch)
  }

  mutate<T>(change: StateChange<T>): Promise<T> {
    const { mailbox, commit, feed } = this.#deps
    return mailbox.run(async () => {
      const begun = this.#freshnessFromNow()
      const { result, left } = await commit(this.projectId, change)
      await this.#take(left, begun)
      feed.publish({ kind: 'revision', projectId: this.projectId, revision: left.revision })
      return result
    })
  }

  remove(before: RemovalWork): Promise<void> {
    const { mailbox, remove, feed } = this.#deps
    return mailbox.run(async () => {
      await remove(this.projectId, before)
      feed.publish({ kind: 'keys' })
    })
  }

  refresh(): Promise<void> {
    if (this.#loading === undefined) return this.#load()
    // The load under way may have begun before the change. One more serves all callers that come
    // meanwhile.
    this.#nextLoading ??= this.#loading
      .catch(() => {
        // The callers that began the load get its failure.
      })
      .then(() => {
        this.#nextLoading = undefined
        return this.#load()
      })
    return this.#nextLoading
  }

  busy(): boolean {
    return this.#deps.mailbox.depth() > 0
  }

  async passivate(reason: PassivationReason): Promise<void> {
    if (reason === 'removed') this.#deps.plugins?.unload(this.projectId)
    await this.#deps.mailbox.close()
  }

  #load(): Promise<void> {
    const begun = this.#freshnessFromNow()
    const loading = this.#deps
      .load(this.projectId)
      .then((stored) => this.#take(stored, begun))
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
    this.#loading = loading
    return loading
  }

  async #take(stored: StoredProject, begun: Freshness): Promise<void> {
    // The older of two concurrent loads may end last.
    if (stored.revision < this.#state.revision) return
    const state = await compileProject(stored)
    if (stored.revision < this.#state.revision) return
    const hadPlugins = this.#state.plugins !== undefined
    this.#state = state
    this.#freshness = this.#withoutStaleMark(begun)
    if (hadPlugins && stored.plugins === undefined) this.#deps.plugins?.unload(this.projectId)
  }

  #freshnessFromNow(): Freshness {
    const { clock, trust } = this.#deps
    return { confirmedAt: clock.monotonic(), mark: trust.mark(this.projectId) }
  }

  #withoutStaleMark(freshness: Freshness): Freshness {
    const isStale = this.#state.revision < this.#newestRevision
    return isStale ? { ...freshness, mark: undefined } : freshness
  }
}
