import { AppError } from '../core/code.ts'

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
