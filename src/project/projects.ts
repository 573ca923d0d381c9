/** The actors of this worker: found, loaded on first use, changed, removed. */
import type { Mailbox } from '../actor/mailbox.ts'
import { createRegistry, type Registry } from '../actor/registry.ts'
import type { ChangeFeed } from '../core/change-feed.ts'
import type { Clock } from '../core/clock.ts'
import { type AppError, hasCode } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import { type ProjectId, type Revision, revision } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { EventSink } from '../events/event-batch.ts'
import type { ProjectPlugins } from './plugin-ports.ts'
import type { MutateProject, RemoveProject } from './ports.ts'
import { createProjectActor, type ProjectActor, type ProjectActorDeps } from './project-actor.ts'
import { compileProject, type StoredProject } from './project-state.ts'
import { SOLE_WORKER, type Trust } from './trust.ts'

/** Active projects of one worker, their time without a call, and the time for loading one. */
const ACTIVATIONS_MAX = 10_000
export const ACTIVATION_IDLE_MS = 300_000
export const ACTIVATION_LOAD_MS = 3_000

export type Projects = {
  /** The active actor, without waiting; `undefined` when there is none. */
  peek(project: ProjectId): ProjectActor | undefined
  /** @throws {AppError} `not_found`, `unavailable`, `resource_exhausted`. */
  activate(project: ProjectId): Promise<ProjectActor>
  readonly mutate: MutateProject
  readonly remove: RemoveProject
  /**
   * Reloads an active project, because something other than its actor has changed it. No effect on
   * a project that is not active.
   */
  refresh(project: ProjectId): Promise<void>
  /**
   * Notes that the project has this revision. An older snapshot, or one that is being loaded, is
   * not trusted until it has been reloaded. That load has begun when this returns. Resolves when it
   * has ended.
   */
  noteRevision(project: ProjectId, revision: Revision): Promise<void>
  /** Called when the caller has found that the project is gone. */
  forget(project: ProjectId): Promise<void>
  size(): number
  /** Passivates idle actors. A loop calls it. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type ProjectsDeps = {
  readonly load: (project: ProjectId) => Promise<StoredProject>
  readonly commit: ProjectActorDeps['commit']
  readonly remove: ProjectActorDeps['remove']
  /**
   * Waits for a claim of the project's shard that is under way, before anything is loaded for a
   * change. Absent where there is one worker. @throws {AppError} `not_owner`.
   */
  readonly hold?: (project: ProjectId) => Promise<unknown>
  /**
   * Makes the error of a change that the database has refused as `fenced`. Absent: the refusal
   * itself.
   */
  readonly notOwner?: (project: ProjectId) => AppError
  /** Absent where there is one worker. */
  readonly trust?: Trust
  /** True while nothing can be loaded: idle actors stay active. Absent means never. */
  readonly storeAway?: () => boolean | Promise<boolean>
  readonly createMailbox: () => Mailbox
  readonly sink: EventSink
  /** The plugins of projects, which get events first. Absent when this process runs none. */
  readonly plugins?: ProjectPlugins
  readonly feed: ChangeFeed
  readonly clock: Clock
  readonly log: Log
}

/** A project that is being loaded, and the newest revision that was announced meanwhile. */
type Loading = { newestRevision: Revision; actor: ProjectActor | undefined }

export function createProjects(deps: ProjectsDeps): Projects {
  return new RegisteredProjects(deps)
}

class RegisteredProjects implements Projects {
  readonly #deps: ProjectsDeps
  readonly #trust: Trust
  readonly #loadings = new Map<ProjectId, Loading>()
  readonly #registry: Registry<ProjectId, ProjectActor>

  constructor(deps: ProjectsDeps) {
    this.#deps = deps
    this.#trust = deps.trust ?? SOLE_WORKER
    this.#registry = createRegistry({
      load: (project) => this.#load(project),
      activationsMax: ACTIVATIONS_MAX,
      idleMs: ACTIVATION_IDLE_MS,
      ...(deps.storeAway === undefined ? {} : { keepsAll: deps.storeAway }),
      clock: deps.clock,
      log: deps.log,
    })
  }

  readonly mutate: MutateProject = (project, change) =>
    this.#withActor(project, (actor) => actor.mutate(change))

  readonly remove: RemoveProject = async (project, before) => {
    await this.#withActor(project, (actor) => actor.remove(before))
    await this.#registry.passivate(project, 'removed')
  }

  peek(project: ProjectId): ProjectActor | undefined {
    return this.#registry.peek(project)
  }

  activate(project: ProjectId): Promise<ProjectActor> {
    return this.#registry.get(project)
  }

  refresh(project: ProjectId): Promise<void> {
    return this.#refresh(project, this.#registry.peek(project))
  }

  async noteRevision(project: ProjectId, revision: Revision): Promise<void> {
    const loading = this.#loadings.get(project)
    if (loading !== undefined) {
      if (revision > loading.newestRevision) loading.newestRevision = revision
      loading.actor?.noteRevision(revision)
    }
    const actor = this.#registry.peek(project)
    if (actor?.noteRevision(revision) === false) await this.#refresh(project, actor)
  }

  forget(project: ProjectId): Promise<void> {
    return this.#registry.passivate(project, 'removed')
  }

  size(): number {
    return this.#registry.size()
  }

  sweep(): Promise<void> {
    return this.#registry.sweep()
  }

  close(): Promise<void> {
    return this.#registry.close()
  }

  #load(project: ProjectId): Promise<ProjectActor> {
    const loading: Loading = { newestRevision: revision(0), actor: undefined }
    this.#loadings.set(project, loading)
    const loaded = this.#loadActor(project, loading)
    const end = () => {
      if (this.#loadings.get(project) === loading) this.#loadings.delete(project)
    }
    // The callers get the failure.
    loaded.then(end, end)
    return loaded
  }

  async #loadActor(project: ProjectId, loading: Loading): Promise<ProjectActor> {
    const { clock, createMailbox, sink, plugins, commit, remove, feed } = this.#deps
    const bound = { ms: ACTIVATION_LOAD_MS, what: 'loading a project' }
    const load = (id: ProjectId) => withDeadline(clock, bound, this.#deps.load(id))
    const freshness = { confirmedAt: clock.monotonic(), mark: this.#trust.mark(project) }
    const actor = createProjectActor({
      initial: await compileProject(await load(project)),
      freshness,
      load,
      mailbox: createMailbox(),
      sink,
      plugins,
      commit,
      remove,
      feed,
      trust: this.#trust,
      clock,
    })
    loading.actor = actor
    actor.noteRevision(loading.newestRevision)
    return actor
  }

  async #withActor<T>(project: ProjectId, work: (actor: ProjectActor) => Promise<T>): Promise<T> {
    const { hold, notOwner } = this.#deps
    await hold?.(project)
    const actor = await this.#registry.get(project)
    try {
      return await work(actor)
    } catch (error) {
      // The snapshot stays. It is no longer trusted, so it is compared before it is used.
      if (hasCode(error, 'fenced') && notOwner !== undefined) throw notOwner(project)
      throw error
    }
  }

  async #refresh(project: ProjectId, actor: ProjectActor | undefined): Promise<void> {
    try {
      await actor?.refresh()
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error
      await this.#registry.passivate(project, 'removed')
    }
  }
}
