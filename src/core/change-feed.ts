import type { ProjectId, Revision } from './ids.ts'
import type { Log } from './log.ts'

/** A change of a project or of keys, which voids cached answers. */
export type ProjectChange =
  | { readonly kind: 'revision'; readonly projectId: ProjectId; readonly revision: Revision }
  /** A key was made, changed or removed: all cached answers about keys are void. */
  | { readonly kind: 'keys' }

/**
 * Author of the change. `own`: this worker, which notifies all others. `peer`: another worker or an
 * unknown one. Changes of peers stay in this process: their author has notified the others, and
 * forwarded changes would circulate for ever.
 */
export type ChangeOrigin = 'own' | 'peer'

/**
 * Change feed of this process. Calls every subscriber before `publish` returns. A subscriber
 * publishes nothing.
 */
export type ChangeFeed = {
  /** Default: `own`. */
  publish(change: ProjectChange, origin?: ChangeOrigin): void
  subscribe(listener: (change: ProjectChange, origin: ChangeOrigin) => void): () => void
  /** Number of changes from this worker since its start, including one that is being published. */
  told(): number
}

export function createChangeFeed(log: Log): ChangeFeed {
  const listeners = new Set<(change: ProjectChange, origin: ChangeOrigin) => void>()
  let told = 0
  return {
    publish(change, origin = 'own') {
      if (origin === 'own') told++
      for (const listener of [...listeners]) {
        try {
          listener(change, origin)
        } catch (error) {
          // A failing subscriber must not keep the changes from the others.
          log.error('change listener failed', { error })
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
