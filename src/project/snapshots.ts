/**
 * Snapshots that may be answered from. That of a trusted project is used as it is. All others of
 * one call are compared with the database by one statement first, and those that are behind are
 * read anew. While the database is away, what was last known to be right is used for a time.
 */
import { createAwayGuard } from '../core/away-guard.ts'
import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import type { ProjectId, Revision } from '../core/ids.ts'
import { REVISIONS_READ_MS, SNAPSHOT_STALE_MAX_MS } from '../core/limits/limits-snapshots.ts'
import type { Log } from '../core/log.ts'
import { unavailableDetail } from '../wire/details.ts'
import type { ProjectState } from './ports.ts'
import type { ProjectActor, Standing } from './project-actor.ts'
import type { Projects } from './projects.ts'
import { SOLE_WORKER, type Trust } from './trust.ts'

export type Snapshots = {
  /** That of an active and trusted project, at once; else `undefined`: `read` it. */
  peek(project: ProjectId): ProjectState | undefined
  /** One outcome for each project; never rejects. */
  read(projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, SnapshotOutcome>>
  /** @throws {AppError} `not_found`, `unavailable`, `resource_exhausted`. */
  of(project: ProjectId): Promise<ProjectState>
  /** Asks the database, and is true when that does not answer. Never rejects. */
  away(): Promise<boolean>
}

export type SnapshotOutcome =
  | { readonly kind: 'state'; readonly state: ProjectState }
  | { readonly kind: 'failed'; readonly error: unknown }

export type SnapshotsDeps = {
  readonly projects: Pick<Projects, 'peek' | 'activate' | 'forget'>
  /** Newest revisions, by one statement; projects that are gone have none. */
  readonly readRevisions: (
    projects: readonly ProjectId[],
  ) => Promise<ReadonlyMap<ProjectId, Revision>>
  /** As `ProjectsDeps.trust`. */
  readonly trust?: Trust
  readonly clock: Clock
  readonly log: Log
}

type Asked = { readonly actor: ProjectActor; readonly begun: Standing }

export function createSnapshots(deps: SnapshotsDeps): Snapshots {
  const { projects, readRevisions, trust = SOLE_WORKER, clock, log } = deps
  const guard = createAwayGuard(
    { clock, log },
    { ms: REVISIONS_READ_MS, what: 'revisions of projects' },
  )

  const isTrusted = (project: ProjectId, actor: ProjectActor): boolean => {
    const { mark } = actor.standing()
    if (mark === undefined || !trust.holds() || !trust.covers(project, mark)) return false
    actor.vouch({ goodAt: clock.monotonic(), mark })
    return true
  }

  /** Also when nobody waits for it any more, so that slow answers of the database count. */
  const compare = async (asked: readonly Asked[]): Promise<ReadonlySet<ProjectId>> => {
    const newest = await readRevisions(asked.map(({ actor }) => actor.projectId))
    const gone = new Set<ProjectId>()
    const compareOne = async ({ actor, begun }: Asked): Promise<void> => {
      const project = actor.projectId
      const revision = newest.get(project)
      if (revision !== undefined) {
        if (actor.hear(revision)) return actor.vouch(begun)
        if (await readAnew(actor)) return
      }
      gone.add(project)
      await projects.forget(project)
    }
    await Promise.all(asked.map(compareOne))
    return gone
  }

  /** False when the project is gone. A failure leaves the snapshot as it is, and is told. */
  const readAnew = async (actor: ProjectActor): Promise<boolean> => {
    try {
      await actor.refresh()
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return false
      log.warn('project not read anew', { project: actor.projectId, error })
    }
    return true
  }

  /** What an actor can answer; `compared` unless the database was away. */
  const outcomeOf = (
    actor: ProjectActor,
    startedAt: number,
    compared: boolean,
  ): SnapshotOutcome => {
    const { goodAt } = actor.standing()
    const isGood = goodAt >= startedAt || clock.monotonic() - goodAt <= SNAPSHOT_STALE_MAX_MS
    // Another worker has told of a newer one, which was committed: that worker can be asked for it.
    const isBehind = !compared && !actor.hear(actor.state().revision)
    if (isGood && !isBehind) return { kind: 'state', state: actor.state() }
    const message = `project ${actor.projectId} was not compared with the database for too long`
    return failed(new AppError('unavailable', message, { detail: unavailableDetail }))
  }

  const compareAll = async (
    actors: readonly ProjectActor[],
    startedAt: number,
    outcomes: Map<ProjectId, SnapshotOutcome>,
  ): Promise<void> => {
    if (actors.length === 0) return
    const asked = actors.map((actor) => {
      return { actor, begun: { goodAt: startedAt, mark: trust.mark(actor.projectId) } }
    })
    let gone: ReadonlySet<ProjectId> | undefined
    try {
      gone = await guard.ask(() => compare(asked))
    } catch {
      // The guard has told it; what was last known to be right is used.
    }
    for (const actor of actors) {
      const project = actor.projectId
      const isGone = gone?.has(project) === true
      const outcome = isGone ? noProject(project) : outcomeOf(actor, startedAt, gone !== undefined)
      outcomes.set(project, outcome)
    }
  }

  const read: Snapshots['read'] = async (asked) => {
    const startedAt = clock.monotonic()
    const outcomes = new Map<ProjectId, SnapshotOutcome>()
    const active: ProjectActor[] = []
    /** Activated for this call, but loaded since before it: rare. */
    const shared: ProjectActor[] = []
    const activations: Promise<void>[] = []
    for (const project of new Set(asked)) {
      const actor = projects.peek(project)
      if (actor === undefined) {
        activations.push(
          projects.activate(project).then(
            (loaded) => {
              if (loaded.standing().goodAt < startedAt) shared.push(loaded)
              else outcomes.set(project, { kind: 'state', state: loaded.state() })
            },
            (error: unknown) => {
              outcomes.set(project, failed(error))
            },
          ),
        )
      } else if (isTrusted(project, actor)) {
        outcomes.set(project, { kind: 'state', state: actor.state() })
      } else {
        active.push(actor)
      }
    }
    await Promise.all([compareAll(active, startedAt, outcomes), ...activations])
    await compareAll(shared, startedAt, outcomes)
    return outcomes
  }

  const peek: Snapshots['peek'] = (project) => {
    const actor = projects.peek(project)
    return actor !== undefined && isTrusted(project, actor) ? actor.state() : undefined
  }

  return {
    peek,
    read,
    async of(project) {
      const ready = peek(project)
      if (ready !== undefined) return ready
      const outcome = (await read([project])).get(project) ?? noProject(project)
      if (outcome.kind === 'failed') throw outcome.error
      return outcome.state
    },
    async away() {
      try {
        await guard.ask(() => readRevisions([]))
        return false
      } catch {
        // The guard has told it.
        return true
      }
    },
  }
}

function failed(error: unknown): SnapshotOutcome {
  return { kind: 'failed', error }
}

function noProject(project: ProjectId): SnapshotOutcome {
  return failed(new AppError('not_found', `no project ${project}`))
}
