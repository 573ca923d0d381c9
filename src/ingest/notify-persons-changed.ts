/** Notifies caches which persons a flush has changed, before it is acknowledged. */

import type { Clock } from '../core/clock.ts'
import { within } from '../core/deadline.ts'
import { PERSONS_CHANGED_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import type { PersonsChanged } from '../events/event-batch.ts'

export type NotifyDeps = {
  readonly clock: Clock
  readonly log: Log
  onPersonsChanged(changes: readonly PersonsChanged[]): Promise<void>
  /** Persons may have changed, and caches do not know which: all that they keep is in doubt. */
  onPersonsUnknown(): void
}

/**
 * Notifies caches of changed persons, and waits `PERSONS_CHANGED_MS` at most: the events are
 * committed, and a cache that does not answer must not hold up their acknowledgement. The content
 * of such a cache is in doubt. Never rejects.
 */
export async function notifyPersonsChanged(
  { clock, log, onPersonsChanged, onPersonsUnknown }: NotifyDeps,
  changes: readonly PersonsChanged[],
): Promise<void> {
  if (changes.length === 0) return
  // Called within the promise, so that a hook that throws at once is caught too.
  const notifying = Promise.resolve()
    .then(() => onPersonsChanged(changes))
    .catch((error: unknown) => {
      log.warn('caches of changed persons could not be invalidated', { error })
      onPersonsUnknown()
    })
  await within(clock, { ms: PERSONS_CHANGED_MS, keepsAlive: true }, notifying, () => {
    log.warn('caches of changed persons were not invalidated in time')
    onPersonsUnknown()
  })
}
