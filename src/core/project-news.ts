import type { ProjectId, Revision } from './ids.ts'
import type { Log } from './log.ts'

/** Revision and keys of projects as they change. */
export type ProjectNews =
  | { readonly kind: 'revision'; readonly projectId: ProjectId; readonly revision: Revision }
  /** A key was made, changed or removed: answers about keys, negative ones too, are void. */
  | { readonly kind: 'keys' }

/** Tells every subscriber of this process before `publish` returns. */
export type NewsHub = {
  publish(news: ProjectNews): void
  subscribe(listener: (news: ProjectNews) => void): () => void
}

export function createNewsHub(log: Log): NewsHub {
  const listeners = new Set<(news: ProjectNews) => void>()
  return {
    publish(news) {
      for (const listener of [...listeners]) {
        try {
          listener(news)
        } catch (error) {
          // One deaf listener must not keep the news from the others.
          log.error('project news listener failed', { error })
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
