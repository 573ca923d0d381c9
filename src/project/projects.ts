import type { Mailbox } from '../actor/mailbox.ts'
import { createRegistry, type Registry } from '../actor/registry.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import type { ProjectId } from '../core/ids.ts'
import { ACTIVATION_IDLE_MS, ACTIVATION_LOAD_MS, ACTIVATIONS_MAX } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { EventSink, MutateProject, ProjectState } from './ports.ts'
import { createProjectActor, type ProjectActor, type ProjectActorDeps } from './project-actor.ts'

/** The actors of this worker. */
export type Projects = {
  /** The active actor at once, or `undefined`. */
  peek(project: ProjectId): ProjectActor | undefined
  /** @throws {AppError} `not_found`, `unavailable`, `resource_exhausted`. */
  activate(project: ProjectId): Promise<ProjectActor>
  readonly mutate: MutateProject
  /** Reads the project anew, when it is active: something beside its actor has changed it. */
  refresh(project: ProjectId): Promise<void>
  size(): number
  /** Passivates idle actors; called by a loop. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export type ProjectsDeps = {
  readonly load: (project: ProjectId) => Promise<ProjectState>
  readonly commit: ProjectActorDeps['commit']
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
        news,
      }),
    activationsMax: ACTIVATIONS_MAX,
    idleMs: ACTIVATION_IDLE_MS,
    clock,
    log,
  })
  return {
    peek: (project) => registry.peek(project),
    activate: (project) => registry.get(project),
    async mutate(project, change) {
      const actor = await registry.get(project)
      try {
        return await actor.mutate(change)
      } catch (error) {
        // Another worker owns the shard: what this one remembers is old from now on.
        if (error instanceof AppError && error.code === 'fenced') {
          await registry.passivate(project, 'fenced')
        }
        throw error
      }
    },
    async refresh(project) {
      await registry.peek(project)?.refresh()
    },
    size: () => registry.size(),
    sweep: () => registry.sweep(),
    close: () => registry.close(),
  }
}
