import type { ChangeFeed } from '../core/change-feed.ts'
import type { Log } from '../core/log.ts'
import type { Projects } from './projects.ts'

/**
 * Reloads active projects when something other than their actor has raised their revision: a plugin
 * that they use, a new group type, another worker. An actor that made the change itself has the new
 * state before the changes arrive. A project that cannot be read is not trusted until it can.
 * @returns a function that stops it, and waits for the reads under way.
 */
export function followChanges({
  hub,
  projects,
  log,
}: {
  hub: Pick<ChangeFeed, 'subscribe'>
  projects: Pick<Projects, 'noteRevision'>
  log: Log
}): () => Promise<void> {
  const reading = new Set<Promise<void>>()
  const unsubscribe = hub.subscribe((change) => {
    if (change.kind !== 'revision') return
    const read = projects
      .noteRevision(change.projectId, change.revision)
      .catch((error: unknown) => {
        log.warn('project could not be reloaded', { project: change.projectId, error })
      })
      .finally(() => reading.delete(read))
    reading.add(read)
  })
  return async () => {
    unsubscribe()
    await Promise.all(reading)
  }
}
