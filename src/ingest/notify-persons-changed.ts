import type { Clock } from '../core/clock.ts'
import { PERSONS_CHANGED_MS } from '../core/limits/limits.ts'
import type { Log } from '../core/log.ts'
import type { PersonsChanged } from '../project/ports.ts'

export type TellDeps = {
  readonly clock: Clock
  readonly log: Log
  onPersonsChanged(changes: readonly PersonsChanged[]): Promise<void>
  /** Persons may have changed, and caches were not told of which: all they keep is in doubt. */
  onPersonsUnknown(): void
}

/**
 * Tells caches of changed persons, for at most `PERSONS_CHANGED_MS`: the events are committed, and
 * caches that do not listen must not hold their answer up. Then what they keep is in doubt. Never
 * rejects.
 */
export async function tellPersonsChanged(
  { clock, log, onPersonsChanged, onPersonsUnknown }: TellDeps,
  changes: readonly PersonsChanged[],
): Promise<void> {
  if (changes.length === 0) return
  const told = new AbortController()
  const late = clock.sleep(PERSONS_CHANGED_MS, told.signal).then(
    () => {
      log.warn('caches were not told of changed persons in time')
      onPersonsUnknown()
    },
    () => {
      // They were told.
    },
  )
  // Called within the promise, so that a hook that throws at once is caught too.
  const telling = Promise.resolve()
    .then(() => onPersonsChanged(changes))
    .catch((error: unknown) => {
      log.warn('telling of changed persons failed', { error })
      onPersonsUnknown()
    })
  await Promise.race([telling, late])
  told.abort()
}
