import type { Log } from '../core/log.ts'
import type { NewsHub } from '../core/project-news.ts'
import type { Projects } from './projects.ts'

/**
 * Reads active projects anew when their revision was raised by something beside their actor: a
 * plugin that they use, a group type seen first, another worker. An actor that made the change
 * itself has its new state before the news. One that cannot be read is not believed until it can.
 *
 * @returns what stops it, and waits for the readings under way.
 */
export function followNews({
  hub,
  projects,
  log,
}: {
  hub: Pick<NewsHub, 'subscribe'>
  projects: Pick<Projects, 'hear'>
  log: Log
}): () => Promise<void> {
  const reading = new Set<Promise<void>>()
  const unsubscribe = hub.subscribe((news) => {
    if (news.kind !== 'revision') return
    const read = projects
      .hear(news.projectId, news.revision)
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
