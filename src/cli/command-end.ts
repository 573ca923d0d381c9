/** How a command ends before its work is done: a wrong command line, or a signal. */
import { AppError } from '../core/code.ts'

/** A command line or settings that make no sense: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a command that has something to tidy up: SIGINT and SIGTERM abort its signal. A second one
 * ends the process at once.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(1)
    controller.abort(new AppError('cancelled', 'interrupted'))
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}
