/** How a command ends before its work is done: a wrong command line, or a signal. */
import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'

/** A command line or settings that make no sense: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** How long a repeated signal is still the same one: a Ctrl-C comes from the terminal and from npm. */
const SAME_SIGNAL_MS = 500

/** Judges signals that ask a process to stop: the first, the same once more, or a later one. */
export function createStopJudge(
  clock: Pick<Clock, 'monotonic'>,
): () => 'stop' | 'repeat' | 'force' {
  let askedAt: number | undefined
  return () => {
    const now = clock.monotonic()
    if (askedAt !== undefined) return now - askedAt <= SAME_SIGNAL_MS ? 'repeat' : 'force'
    askedAt = now
    return 'stop'
  }
}

/**
 * Calls `stop` on the first SIGINT or SIGTERM and `force` on a later one, which ends the process.
 * @returns what ends the listening.
 */
export function onStopSignals(on: {
  stop(signal: NodeJS.Signals): void
  force(signal: NodeJS.Signals): void
}): () => void {
  const judge = createStopJudge(systemClock)
  const onSignal = (signal: NodeJS.Signals) => {
    const kind = judge()
    if (kind === 'stop') on.stop(signal)
    else if (kind === 'force') on.force(signal)
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  return () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/**
 * Runs a command that has something to tidy up: SIGINT and SIGTERM abort its signal. A later one
 * ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const off = onStopSignals({
    stop: () => controller.abort(new AppError('cancelled', 'interrupted')),
    force: () => process.exit(1),
  })
  try {
    return await work(controller.signal)
  } finally {
    off()
  }
}
