/** Streams the events that this worker stores to other workers. */
import type { WatchStoredRequest__Output } from '../../../proto/gen/sluice/v1/WatchStoredRequest.ts'
import type { Clock } from '../../core/clock.ts'
import { projectId } from '../../core/ids.ts'
import { FILTERED, SHOWN } from '../../events/live/live-bounds.ts'
import type { LiveHub } from '../../events/live/live-hub.ts'
import { type LiveMessage, OPEN } from '../../events/live/live-message.ts'
import { createLiveQueue, readLive } from '../../events/live/live-queue.ts'
import type { Handler } from '../../wire/call.ts'
import type { MemberAuth } from '../server/member-auth.ts'

export type WatchStoredDeps = {
  readonly memberAuth: MemberAuth
  readonly hub: Pick<LiveHub, 'watch'>
  readonly clock: Clock
}

export function createWatchStored({
  memberAuth,
  hub,
  clock,
}: WatchStoredDeps): Handler<WatchStoredRequest__Output, AsyncIterable<LiveMessage>> {
  return async (request, context) => {
    memberAuth(context)
    const queue = createLiveQueue(clock, request.sifts ? FILTERED : SHOWN)
    const filter = {
      projectId: projectId(request.project_id),
      event: request.event,
      distinctId: request.distinct_id,
    }
    const unwatch = hub.watch(filter, queue)
    queue.tell(OPEN)
    return readLive(queue, unwatch)
  }
}
