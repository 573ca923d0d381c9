import type { ProjectNews } from '../../src/core/project-news.ts'

/**
 * News of project changes as a gateway hears them. `fresh()` is false when the source has been
 * silent for longer than REVISION_NEWS_STALE_MS: what was cached may be wrong and is not used.
 */
export type NewsFeed = {
  fresh(): boolean
  subscribe(listener: (news: ProjectNews) => void): () => void
  close(): Promise<void>
}
