/** Early ends of a command: a wrong command line, a signal, or a reader that has left. */
import { type Clock, systemClock } from '../core/clock.ts'
import { AppError } from '../core/code.ts'

/** A command line or settings that make no sense: exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Time within which a repeated signal is the same one: a terminal and npm both send a Ctrl-C. */
const SAME_SIGNAL_MS = 500

/** Judges signals to stop a process: the first, the same once more, or a later one. */
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
 * @returns a function that ends the listening.
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

/** Exit status of a program that SIGPIPE ended, as shells show it. Node ignores that signal. */
export const EXIT_READER_GONE = 141

let isReaderGone = false

/**
 * Lets the readers of standard output and standard error leave early, as `head` does: later output
 * is dropped, the command does its work, and its exit status is 141 where it would be 0. Another
 * failure of an output (a full disk) is reported on standard error, status 1. A second call changes
 * nothing.
 */
export function letReadersLeave(): void {
  process.stdout.off('error', onOutputError).on('error', onOutputError)
  process.stderr.off('error', onTellingError).on('error', onTellingError)
}

function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') {
    isReaderGone = true
    process.exitCode ||= EXIT_READER_GONE
    return
  }
  process.stderr.write(`sluice: standard output: ${error.message}\n`)
  process.exitCode ||= 1
}

/** Standard error itself failed: there is no other place to report it. */
function onTellingError(): void {
  process.exitCode ||= EXIT_READER_GONE
}

/** Whether a command failed only because the reader of its standard output has left. */
export function isForLackOfReader(error: unknown): boolean {
  if (!(error instanceof Error) || !isReaderGone) return false
  const isIt = 'code' in error && error.code === 'EPIPE'
  return isIt || isForLackOfReader(error.cause)
}
