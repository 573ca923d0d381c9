import type { Mailbox } from '../actor/mailbox.ts'
import { createRegistry, type Registry } from '../actor/registry.ts'
import type { Clock } from '../core/clock.ts'
import { AppError, type Code } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import type { ProjectId } from '../core/ids.ts'
import { ACTIVATION_IDLE_MS, ACTIVATION_LOAD_MS, ACTIVATIONS_MAX } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { EventSink, MutateProject, ProjectState, RemoveProject } from './ports.ts'
import { createProjectActor, type ProjectActor, type ProjectActorDeps } from './project-actor.ts'

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
  size(): number
  /** Passivates idle actors; called by a loop. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type ProjectsDeps = {
  readonly load: (project: ProjectId) => Promise<ProjectState>
  readonly commit: ProjectActorDeps['commit']
  readonly remove: ProjectActorDeps['remove']
  readonly createMailbox: () => Mailbox
  readonly sink: EventSink
  readonly news: NewsHub
  readonly clock: Clock
  readonly log: Log
}

export function createProjects(deps: ProjectsDeps): Projects {
  const { news, sink, clock, log } = deps
  const bound = { ms: ACTIVATION_LOAD_MS, what: 'loading a project' }
  const load = (project: ProjectId) => withDeadline(clock, bound, deps.load(project))
  const registry: Registry<ProjectId, ProjectActor> = createRegistry({
    load: async (project) =>
      createProjectActor({
        initial: await load(project),
        load,
        mailbox: deps.createMailbox(),
        sink,
        commit: deps.commit,
        remove: deps.remove,
        news,
      }),
    activationsMax: ACTIVATIONS_MAX,
    idleMs: ACTIVATION_IDLE_MS,
    clock,
    log,
  })
  const withActor = async <T>(
    project: ProjectId,
    work: (actor: ProjectActor) => Promise<T>,
  ): Promise<T> => {
    const actor = await registry.get(project)
    try {
      return await work(actor)
    } catch (error) {
      // Another worker owns the shard: what this one remembers is old from now on.
      if (isOf(error, 'fenced')) await registry.passivate(project, 'fenced')
      throw error
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
    async refresh(project) {
      try {
        await registry.peek(project)?.refresh()
      } catch (error) {
        if (!isOf(error, 'not_found')) throw error
        await registry.passivate(project, 'removed')
      }
    },
    size: () => registry.size(),
    sweep: () => registry.sweep(),
    close: () => registry.close(),
  }
}

function isOf(error: unknown, code: Code): boolean {
  return error instanceof AppError && error.code === code
}
