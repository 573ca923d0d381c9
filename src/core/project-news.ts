import type { ProjectId, Revision } from './ids.ts'
import type { Log } from './log.ts'

/** News of changed projects and keys, within one process. */
export type ProjectNews =
  | { readonly kind: 'revision'; readonly projectId: ProjectId; readonly revision: Revision }
  /** A key was made, changed or removed: all cached answers about keys are void. */
  | { readonly kind: 'keys' }

/**
 * Author of the change. `own`: this worker, which notifies all others. `peer`: another worker or an
 * unknown one. News of peers stay in this process: their author has notified the others, and
 * forwarded news would circulate for ever.
 */
export type NewsOrigin = 'own' | 'peer'

/** Calls every subscriber of this process before `publish` returns. A subscriber publishes nothing. */
export type NewsHub = {
  /** Default: `own`. */
  publish(news: ProjectNews, origin?: NewsOrigin): void
  subscribe(listener: (news: ProjectNews, origin: NewsOrigin) => void): () => void
  /** Number of news from this worker since its start, including one that is being published. */
  told(): number
}

export function createNewsHub(log: Log): NewsHub {
  const listeners = new Set<(news: ProjectNews, origin: NewsOrigin) => void>()
  let told = 0
  return {
    publish(news, origin = 'own') {
      if (origin === 'own') told++
      for (const listener of [...listeners]) {
        try {
          listener(news, origin)
        } catch (error) {
          // A failing subscriber must not keep the news from the others.
          log.error('project news listener failed', { error })
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    told: () => told,
  }
}
