import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import type { ProjectId } from '../core/ids.ts'
import { INGEST_ACTIVATION_MS } from '../core/limits/limits-snapshots.ts'
import type { Log } from '../core/log.ts'
import type { EventSink, IngestGroup, IngestOutcome } from './ports.ts'
import type { ProjectActor } from './project-actor.ts'
import type { Projects } from './projects.ts'

/**
 * Brings events to their project's actor. Events need none to be kept: where it cannot be had in
 * time, such as while the database is away, they go on to the sink, which knows what to do then.
 * @returns what takes a group; it never rejects.
 */
export function createIngestRoute(deps: {
  readonly projects: Pick<Projects, 'peek' | 'activate'>
  readonly sink: EventSink
  readonly clock: Clock
  readonly log: Log
}): (group: IngestGroup) => Promise<IngestOutcome> {
  const { projects, sink, clock, log } = deps
  /** One wait for each project whose activation is under way, for all who come meanwhile. */
  const waits = new Map<ProjectId, Promise<Found>>()

  const startWait = (project: ProjectId): Promise<Found> => {
    const activation = projects.activate(project)
    const bound = { ms: INGEST_ACTIVATION_MS, what: 'activating a project for its events' }
    const wait: Promise<Found> = withDeadline(clock, bound, activation).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return 'no_project'
      log.warn('events go on without their project', { project, error })
      return 'later'
    })
    waits.set(project, wait)
    // After the deadline too: who comes then does not wait again for the same activation.
    const end = () => {
      if (waits.get(project) === wait) waits.delete(project)
    }
    activation.then(end, end)
    return wait
  }

  const route = async (group: IngestGroup): Promise<IngestOutcome> => {
    const found = await (waits.get(group.projectId) ?? startWait(group.projectId))
    if (found === 'no_project') return { kind: 'no_project' }
    return await (found === 'later' ? sink.submit(group) : found.ingest(group))
  }

  return (group) => projects.peek(group.projectId)?.ingest(group) ?? route(group)
}

type Found = ProjectActor | 'no_project' | 'later'
