import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { Projects } from './projects.ts'

/**
 * Reads active projects anew when their revision was raised by something beside their actor, such
 * as a plugin that they use. An actor that made the change itself has its new state before the
 * news.
 *
 * @returns what stops it, and waits for the readings under way.
 */
export function followNews({
  hub,
  projects,
  log,
}: {
  hub: Pick<NewsHub, 'subscribe'>
  projects: Pick<Projects, 'peek' | 'refresh'>
  log: Log
}): () => Promise<void> {
  const reading = new Set<Promise<void>>()
  const unsubscribe = hub.subscribe((news) => {
    if (news.kind !== 'revision') return
    const actor = projects.peek(news.projectId)
    if (actor === undefined || actor.state().revision >= news.revision) return
    const read = projects
      .refresh(news.projectId)
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
