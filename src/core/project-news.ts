import type { ProjectId, Revision } from './ids.ts'
import type { Log } from './log.ts'

/** Revision and keys of projects as they change. */
export type ProjectNews =
  | { readonly kind: 'revision'; readonly projectId: ProjectId; readonly revision: Revision }
  /** A key was made, changed or removed: answers about keys, negative ones too, are void. */
  | { readonly kind: 'keys' }

/**
 * Who made the change. `own`: this worker, and it tells all others. `peer`: another worker, or
 * nobody knows; it is for this process only, since whoever made it has told the others: passed on,
 * it would go round for ever.
 */
export type NewsOrigin = 'own' | 'peer'

/** Tells every subscriber of this process before `publish` returns. */
export type NewsHub = {
  /** `own` when not said. */
  publish(news: ProjectNews, origin?: NewsOrigin): void
  subscribe(listener: (news: ProjectNews, origin: NewsOrigin) => void): () => void
}

export function createNewsHub(log: Log): NewsHub {
  const listeners = new Set<(news: ProjectNews, origin: NewsOrigin) => void>()
  return {
    publish(news, origin = 'own') {
      for (const listener of [...listeners]) {
        try {
          listener(news, origin)
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
