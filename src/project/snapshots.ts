/**
 * Gives out snapshots of projects that are safe to answer from. The snapshot of a trusted project
 * (`trust.ts`) is used as it is. All others of one call are first compared with the database by one
 * statement, and outdated ones are reloaded. While the database does not answer, snapshots that
 * were confirmed within SNAPSHOT_STALE_MAX_MS are used.
 */
import type { Clock } from '../core/clock.ts'
import { AppError, hasCode } from '../core/code.ts'
import type { ProjectId } from '../core/ids.ts'
import { SNAPSHOT_STALE_MAX_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import { unavailableDetail } from '../wire/details.ts'
import type { Freshness, ProjectActor } from './project-actor.ts'
import type { ProjectState } from './project-state.ts'
import type { Projects } from './projects.ts'
import type { Revisions } from './revisions.ts'
import { SOLE_WORKER, type Trust } from './trust.ts'

export type Snapshots = {
  /**
   * The snapshot of an active and trusted project, without waiting; `undefined` when `read` must
   * get it.
   */
  peek(project: ProjectId): ProjectState | undefined
  /** One outcome for each project; never rejects. */
  read(projects: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, SnapshotOutcome>>
  /** @throws {AppError} `not_found`, `unavailable`, `resource_exhausted`. */
  of(project: ProjectId): Promise<ProjectState>
}

export type SnapshotOutcome =
  | { readonly kind: 'state'; readonly state: ProjectState }
  | { readonly kind: 'failed'; readonly error: unknown }

export type SnapshotsDeps = {
  readonly projects: Pick<Projects, 'peek' | 'activate' | 'forget'>
  readonly revisions: Revisions
  /** Absent where there is one worker. */
  readonly trust?: Trust
  readonly clock: Clock
  readonly log: Log
}

/** An actor whose snapshot is compared, and the freshness that it gets when it is the newest. */
type Asked = { readonly actor: ProjectActor; readonly begun: Freshness }

export function createSnapshots(deps: SnapshotsDeps): Snapshots {
  return new ComparedSnapshots(deps)
}

class ComparedSnapshots implements Snapshots {
  readonly #projects: SnapshotsDeps['projects']
  readonly #trust: Trust
  readonly #clock: Clock
  readonly #log: Log
  readonly #revisions: Revisions

  constructor(deps: SnapshotsDeps) {
    const { projects, revisions, trust = SOLE_WORKER, clock, log } = deps
    this.#projects = projects
    this.#revisions = revisions
    this.#trust = trust
    this.#clock = clock
    this.#log = log
  }

  peek(project: ProjectId): ProjectState | undefined {
    const actor = this.#projects.peek(project)
    return actor !== undefined && this.#isTrusted(project, actor) ? actor.state() : undefined
  }

  async read(asked: readonly ProjectId[]): Promise<ReadonlyMap<ProjectId, SnapshotOutcome>> {
    const startedAt = this.#clock.monotonic()
    const outcomes = new Map<ProjectId, SnapshotOutcome>()
    const active: ProjectActor[] = []
    /** Actors that this call activated and whose load had begun before it: rare. */
    const loadedBefore: ProjectActor[] = []
    const activations: Promise<void>[] = []
    for (const project of new Set(asked)) {
      const actor = this.#projects.peek(project)
      if (actor === undefined) {
        activations.push(
          this.#projects.activate(project).then(
            (loaded) => {
              if (loaded.freshness().confirmedAt < startedAt) loadedBefore.push(loaded)
              else outcomes.set(project, { kind: 'state', state: loaded.state() })
            },
            (error: unknown) => {
              outcomes.set(project, failed(error))
            },
          ),
        )
      } else if (this.#isTrusted(project, actor)) {
        outcomes.set(project, { kind: 'state', state: actor.state() })
      } else {
        active.push(actor)
      }
    }
    await Promise.all([this.#compareAll(active, startedAt, outcomes), ...activations])
    await this.#compareAll(loadedBefore, startedAt, outcomes)
    return outcomes
  }

  async of(project: ProjectId): Promise<ProjectState> {
    const ready = this.peek(project)
    if (ready !== undefined) return ready
    const outcome = (await this.read([project])).get(project) ?? noProject(project)
    if (outcome.kind === 'failed') throw outcome.error
    return outcome.state
  }

  #isTrusted(project: ProjectId, actor: ProjectActor): boolean {
    const { mark } = actor.freshness()
    const trust = this.#trust
    if (mark === undefined || !trust.holds() || !trust.covers(project, mark)) return false
    actor.confirm({ confirmedAt: this.#clock.monotonic(), mark })
    return true
  }

  /** Adds the outcome of each actor, after comparing their snapshots by one statement. */
  async #compareAll(
    actors: readonly ProjectActor[],
    startedAt: number,
    outcomes: Map<ProjectId, SnapshotOutcome>,
  ): Promise<void> {
    if (actors.length === 0) return
    const asked = actors.map((actor) => {
      return { actor, begun: { confirmedAt: startedAt, mark: this.#trust.mark(actor.projectId) } }
    })
    let gone: ReadonlySet<ProjectId> | undefined
    try {
      gone = await this.#revisions.guarded(() => this.#compare(asked))
    } catch {
      // The failure is logged by `health`. Snapshots that were confirmed lately are used.
    }
    const isCompared = gone !== undefined
    for (const actor of actors) {
      const project = actor.projectId
      const isGone = gone?.has(project) === true
      outcomes.set(
        project,
        isGone ? noProject(project) : this.#outcomeOf(actor, startedAt, isCompared),
      )
    }
  }

  /**
   * Runs on when its caller has stopped waiting, so that late answers of the database count.
   * @returns the projects that are gone.
   */
  async #compare(asked: readonly Asked[]): Promise<ReadonlySet<ProjectId>> {
    const newest = await this.#revisions.read(asked.map(({ actor }) => actor.projectId))
    const gone = new Set<ProjectId>()
    const compareOne = async ({ actor, begun }: Asked): Promise<void> => {
      const project = actor.projectId
      const revision = newest.get(project)
      if (revision !== undefined) {
        if (actor.noteRevision(revision)) return actor.confirm(begun)
        if (await this.#refresh(actor)) return
      }
      gone.add(project)
      await this.#projects.forget(project)
    }
    await Promise.all(asked.map(compareOne))
    return gone
  }

  /**
   * Reloads the project. False when it is gone. Other failures are logged and keep the snapshot.
   */
  async #refresh(actor: ProjectActor): Promise<boolean> {
    try {
      await actor.refresh()
    } catch (error) {
      if (hasCode(error, 'not_found')) return false
      this.#log.warn('project could not be reloaded', { project: actor.projectId, error })
    }
    return true
  }

  /**
   * The snapshot of an actor, or why it cannot be used.
   * @param isCompared false when the database did not answer.
   */
  #outcomeOf(actor: ProjectActor, startedAt: number, isCompared: boolean): SnapshotOutcome {
    const { confirmedAt } = actor.freshness()
    const ageMs = this.#clock.monotonic() - confirmedAt
    const isRecent = confirmedAt >= startedAt || ageMs <= SNAPSHOT_STALE_MAX_MS
    // Another worker has announced a newer revision. It is committed, so this snapshot must not be
    // used.
    const isBehind = !isCompared && !actor.noteRevision(actor.state().revision)
    if (isRecent && !isBehind) return { kind: 'state', state: actor.state() }
    const message = `project ${actor.projectId} was not compared with the database for too long`
    return failed(new AppError('unavailable', message, { detail: unavailableDetail }))
  }
}

function failed(error: unknown): SnapshotOutcome {
  return { kind: 'failed', error }
}

function noProject(project: ProjectId): SnapshotOutcome {
  return failed(new AppError('not_found', `no project ${project}`))
}
