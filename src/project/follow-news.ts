import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { Projects } from './projects.ts'

/**
 * Reloads active projects when something other than their actor has raised their revision: a plugin
 * that they use, a new group type, another worker. An actor that made the change itself has the new
 * state before the news arrive. A project that cannot be read is not trusted until it can.
 * @returns a function that stops it, and waits for the reads under way.
 */
export function followNews({
  hub,
  projects,
  log,
}: {
  hub: Pick<NewsHub, 'subscribe'>
  projects: Pick<Projects, 'noteRevision'>
  log: Log
}): () => Promise<void> {
  const reading = new Set<Promise<void>>()
  const unsubscribe = hub.subscribe((news) => {
    if (news.kind !== 'revision') return
    const read = projects
      .noteRevision(news.projectId, news.revision)
      .catch((error: unknown) => {
        log.warn('project not read anew', { project: news.projectId, error })
      })
      .finally(() => reading.delete(read))
    reading.add(read)
  })
  return async () => {
    unsubscribe()
    await Promise.all(reading)
  }
}
