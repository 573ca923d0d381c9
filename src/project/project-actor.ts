import type { Mailbox } from '../actor/mailbox.ts'
import type { Actor, PassivationReason } from '../actor/registry.ts'
import type { ProjectId } from '../core/ids.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { EventSink, IngestGroup, IngestOutcome, ProjectState, StateChange } from './ports.ts'

/**
 * One project: the one place where its state changes. Reads take the immutable snapshot of the
 * moment; mutations run one at a time through the mailbox.
 */
export type ProjectActor = Actor & {
  readonly projectId: ProjectId
  /** The newest committed snapshot. */
  state(): ProjectState
  /** Hands events to the writer, past the mailbox: they need no owner to be correct. */
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
  /** Takes over what has been changed beside this actor, such as a group type seen first. */
  refresh(): Promise<void>
}

export type ProjectActorDeps = {
  initial: ProjectState
  load: (project: ProjectId) => Promise<ProjectState>
  mailbox: Mailbox
  sink: EventSink
  /** Runs the change in a fenced transaction and answers its result with the state it leaves. */
  commit: <T>(
    project: ProjectId,
    change: StateChange<T>,
  ) => Promise<{ result: T; state: ProjectState }>
  /** Runs `before` in the fenced transaction that removes the project. */
  remove: (project: ProjectId, before: StateChange<void>) => Promise<void>
  news: NewsHub
}

export function createProjectActor(deps: ProjectActorDeps): ProjectActor {
  let state = deps.initial
  return {
    projectId: state.id,
    state: () => state,
    ingest: (group) => deps.sink.submit(group),
    mutate: (change) =>
      deps.mailbox.run(async () => {
        const committed = await deps.commit(state.id, change)
        state = committed.state
        deps.news.publish({ kind: 'revision', projectId: state.id, revision: state.revision })
        return committed.result
      }),
    remove: (before) =>
      deps.mailbox.run(async () => {
        await deps.remove(state.id, before)
        deps.news.publish({ kind: 'keys' })
      }),
    refresh: () =>
      deps.mailbox.run(async () => {
        state = await deps.load(state.id)
        deps.news.publish({ kind: 'revision', projectId: state.id, revision: state.revision })
      }),
    busy: () => deps.mailbox.depth() > 0,
    async passivate(_reason: PassivationReason) {
      await deps.mailbox.close()
    },
  }
}
