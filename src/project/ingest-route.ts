import type { Clock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'
import { withDeadline } from '../core/deadline.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import type { EventBatch, EventSink, IngestOutcome, IngestRoute } from '../events/event-batch.ts'
import type { ProjectActor } from './project-actor.ts'
import type { Projects } from './projects.ts'

/** Longest wait of events for the activation of their project; then they continue without it. */
export const INGEST_ACTIVATION_MS = 500

/**
 * Hands events to their project's actor. Where the actor is not available in time, such as while
 * the database is away, the events go to the sink without it: storing them needs no actor.
 */
export function createIngestRoute(deps: {
  readonly projects: Pick<Projects, 'peek' | 'activate'>
  readonly sink: EventSink
  readonly clock: Clock
  readonly log: Log
}): IngestRoute {
  const { projects, sink, clock, log } = deps
  /** Projects whose activation is under way, each with the one wait that its events share. */
  const waits = new Map<ProjectId, Promise<Found>>()

  const startWait = (project: ProjectId): Promise<Found> => {
    const activation = projects.activate(project)
    const bound = { ms: INGEST_ACTIVATION_MS, what: 'activating a project for its events' }
    const wait: Promise<Found> = withDeadline(clock, bound, activation).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return 'no_project'
      log.warn('events are passed on without their project', { project, error })
      return 'later'
    })
    waits.set(project, wait)
    // Kept past the deadline, so that later events do not wait again for the same activation.
    const end = () => {
      if (waits.get(project) === wait) waits.delete(project)
    }
    activation.then(end, end)
    return wait
  }

  const activateFirst = async (batch: EventBatch): Promise<IngestOutcome> => {
    const found = await (waits.get(batch.projectId) ?? startWait(batch.projectId))
    if (found === 'no_project') return { kind: 'no_project' }
    return await (found === 'later' ? sink.submit(batch) : found.ingest(batch))
  }

  return {
    ingest: (batch) => projects.peek(batch.projectId)?.ingest(batch) ?? activateFirst(batch),
  }
}

type Found = ProjectActor | 'no_project' | 'later'
