import type { Mailbox } from '../actor/mailbox.ts'
import { createRegistry, type Registry } from '../actor/registry.ts'
import type { Clock } from '../core/clock.ts'
import { AppError, type Code } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import { type ProjectId, type Revision, revision } from '../core/ids.ts'
import { ACTIVATION_IDLE_MS, ACTIVATION_LOAD_MS, ACTIVATIONS_MAX } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { EventSink, MutateProject, ProjectState, RemoveProject } from './ports.ts'
import {
  type ActorPlugins,
  createProjectActor,
  type ProjectActor,
  type ProjectActorDeps,
  type Standing,
} from './project-actor.ts'
import { SOLE_WORKER, type Trust } from './trust.ts'

/** The actors of this worker. */
export type Projects = {
  /** The active actor at once, or `undefined`. */
  peek(project: ProjectId): ProjectActor | undefined
  /** @throws {AppError} `not_found`, `unavailable`, `resource_exhausted`. */
  activate(project: ProjectId): Promise<ProjectActor>
  readonly mutate: MutateProject
  readonly remove: RemoveProject
  /**
   * Reads the project anew, when it is active: something beside its actor has changed it. One that
   * is gone has nothing to be read.
   */
  refresh(project: ProjectId): Promise<void>
  /**
   * There is this revision. A snapshot that is older, or that is just being loaded, is not believed
   * until it has been read anew, which has begun when this returns. Resolves when that has ended.
   */
  hear(project: ProjectId, at: Revision): Promise<void>
  /** The project does not exist any more: whoever found out says so. */
  forget(project: ProjectId): Promise<void>
  size(): number
  /** Passivates idle actors; called by a loop. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type ProjectsDeps = {
  readonly load: (project: ProjectId) => Promise<ProjectState>
  readonly commit: ProjectActorDeps['commit']
  readonly remove: ProjectActorDeps['remove']
  /**
   * Waits for a claim of the project's shard that is under way, before anything is loaded for a
   * change. @throws {AppError} `not_owner`. Absent where there is one worker.
   */
  readonly hold?: (project: ProjectId) => Promise<unknown>
  /** What a change is refused with that found a newer owner at its fence: `fenced` when absent. */
  readonly notOwner?: (project: ProjectId) => AppError
  /** Absent where there is one worker. */
  readonly trust?: Trust
  /** True while nothing can be loaded: idle actors stay. Never when absent. */
  readonly storeAway?: () => boolean | Promise<boolean>
  readonly createMailbox: () => Mailbox
  readonly sink: EventSink
  /** Take events first, where a project has any. Absent where no plugins run. */
  readonly plugins?: ActorPlugins
  readonly news: NewsHub
  readonly clock: Clock
  readonly log: Log
}

/** A project being loaded, and the newest revision told meanwhile. */
type Loading = { heard: Revision; actor: ProjectActor | undefined }

export function createProjects(deps: ProjectsDeps): Projects {
  const { news, sink, clock, log, trust = SOLE_WORKER, hold, notOwner } = deps
  const bound = { ms: ACTIVATION_LOAD_MS, what: 'loading a project' }
  const load = (project: ProjectId) => withDeadline(clock, bound, deps.load(project))
  const loads = new Map<ProjectId, Loading>()

  const loadActor = async (project: ProjectId, loading: Loading) => {
    const standing: Standing = { goodAt: clock.monotonic(), mark: trust.mark(project) }
    const actor = createProjectActor({
      initial: await load(project),
      standing,
      load,
      mailbox: deps.createMailbox(),
      sink,
      plugins: deps.plugins,
      commit: deps.commit,
      remove: deps.remove,
      news,
      trust,
      clock,
    })
    loading.actor = actor
    actor.hear(loading.heard)
    return actor
  }

  const registry: Registry<ProjectId, ProjectActor> = createRegistry({
    load(project) {
      const loading: Loading = { heard: revision(0), actor: undefined }
      loads.set(project, loading)
      const loaded = loadActor(project, loading)
      const end = () => {
        if (loads.get(project) === loading) loads.delete(project)
      }
      // Its callers have the failure.
      loaded.then(end, end)
      return loaded
    },
    activationsMax: ACTIVATIONS_MAX,
    idleMs: ACTIVATION_IDLE_MS,
    ...(deps.storeAway === undefined ? {} : { keepsAll: deps.storeAway }),
    clock,
    log,
  })

  const withActor = async <T>(
    project: ProjectId,
    work: (actor: ProjectActor) => Promise<T>,
  ): Promise<T> => {
    await hold?.(project)
    const actor = await registry.get(project)
    try {
      return await work(actor)
    } catch (error) {
      // The snapshot stays: it is not trusted any more, and is asked about before it is used.
      if (isOf(error, 'fenced') && notOwner !== undefined) throw notOwner(project)
      throw error
    }
  }

  const refresh = async (project: ProjectId, actor: ProjectActor | undefined): Promise<void> => {
    try {
      await actor?.refresh()
    } catch (error) {
      if (!isOf(error, 'not_found')) throw error
      await registry.passivate(project, 'removed')
    }
  }

  return {
    peek: (project) => registry.peek(project),
    activate: (project) => registry.get(project),
    mutate: (project, change) => withActor(project, (actor) => actor.mutate(change)),
    async remove(project, before) {
      await withActor(project, (actor) => actor.remove(before))
      await registry.passivate(project, 'removed')
    },
    refresh: (project) => refresh(project, registry.peek(project)),
    async hear(project, at) {
      const loading = loads.get(project)
      if (loading !== undefined) {
        if (at > loading.heard) loading.heard = at
        loading.actor?.hear(at)
      }
      const actor = registry.peek(project)
      if (actor?.hear(at) === false) await refresh(project, actor)
    },
    forget: (project) => registry.passivate(project, 'removed'),
    size: () => registry.size(),
    sweep: () => registry.sweep(),
    close: () => registry.close(),
  }
}

function isOf(error: unknown, code: Code): boolean {
  return error instanceof AppError && error.code === code
}
