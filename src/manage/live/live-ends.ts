/** End of a stream of live events, and its messages beside events. */
import type { ChangeFeed } from '../../core/change-feed.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { revisionMessage } from '../../events/live/live-message.ts'
import type { LiveQueue } from '../../events/live/live-queue.ts'
import { createLiveRights } from './live-rights.ts'

/** A stream ends after this time, and its reader opens another. */
export const LIVE_STREAM_MS = 3_600_000

export type LiveEndsDeps = { readonly feed: Pick<ChangeFeed, 'subscribe'>; readonly clock: Clock }

type Watched = {
  readonly projectId: ProjectId
  /** Expiry of the caller's key, ISO 8601; null for one that does not expire. */
  readonly expiresAt: string | null
  /** @throws {AppError} when its caller may not read it any more. */
  readonly check: () => Promise<void>
}

/**
 * Sends revisions, and ends the stream when its time or its caller's rights have ended.
 * @returns a function that stops it.
 */
export function followEnds(
  { feed, clock }: LiveEndsDeps,
  { projectId, expiresAt, check }: Watched,
  queue: Pick<LiveQueue, 'tell' | 'bye'>,
): () => void {
  const rights = createLiveRights({ admit: check, onRevoked: () => queue.bye('revoked'), clock })
  const unsubscribe = feed.subscribe((each) => {
    if (each.kind === 'revision') {
      if (each.projectId !== projectId) return
      queue.tell(revisionMessage(each.revision))
    }
    // A revision may be that of settings which close the project to some of its members.
    rights.changed()
  })
  const cancels = [clock.after(LIVE_STREAM_MS, () => queue.bye('renew'))]
  const keyMs = Date.parse(expiresAt ?? '') - clock.now()
  if (keyMs < LIVE_STREAM_MS) cancels.push(clock.after(keyMs + 1, () => rights.changed()))
  return () => {
    rights.close()
    unsubscribe()
    for (const cancel of cancels) cancel()
  }
}
