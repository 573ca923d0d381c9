/** Checks again whether the reader of a stream may read it. */
import type { Clock } from '../../core/clock.ts'
import { AppError, type Code } from '../../core/code.ts'

/** Shortest interval between two checks of rights, also after a failed check. */
export const LIVE_RIGHTS_MS = 1_000

export type LiveRightsDeps = {
  /** @throws {AppError} when the caller may not make the call, or the check fails. */
  readonly admit: () => Promise<void>
  readonly onRevoked: () => void
  readonly clock: Clock
}

const REFUSED: ReadonlySet<Code> = new Set(['unauthenticated', 'permission_denied', 'not_found'])

/**
 * Runs one check at a time, and at most one in `LIVE_RIGHTS_MS`. Requests during a check are served
 * by one more check afterwards. A check that could not be made is repeated.
 */
export function createLiveRights({ admit, onRevoked, clock }: LiveRightsDeps) {
  let isDue = false
  let isPausing = false
  let hasEnded = false
  let cancel = () => {}

  const check = () => {
    isDue = false
    isPausing = true
    admit()
      .catch((error: unknown) => {
        if (error instanceof AppError && REFUSED.has(error.code)) onRevoked()
        else isDue = true
      })
      .finally(() => {
        if (hasEnded) return
        cancel = clock.after(LIVE_RIGHTS_MS, () => {
          isPausing = false
          if (isDue) check()
        })
      })
  }

  return {
    /** Something has changed that rights may depend on. */
    changed() {
      if (hasEnded) return
      isDue = true
      if (!isPausing) check()
    },
    close() {
      hasEnded = true
      cancel()
    },
  }
}
