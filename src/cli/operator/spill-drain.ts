/** Follows the spill until it is empty. */
import type { SpillStatus__Output } from '../../../proto/gen/sluice/v1/SpillStatus.ts'
import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import { SPILL_ACK_WAIT_MS } from '../../core/limits/limits.ts'

export type WaitForDrainDeps = {
  readonly clock: Clock
  readonly ask: () => Promise<SpillStatus__Output>
  /** One line of progress. */
  readonly show: (line: string) => void
}

const POLL_MS = 500
/** Time without progress that is an error: longer than a redelivery of a dead worker's messages. */
const STANDSTILL_MS = 2 * SPILL_ACK_WAIT_MS

/**
 * Waits until the spill is empty, and shows each change.
 * @throws {AppError} `failed_precondition` when it does not shrink, `deadline_exceeded`, errors of
 * `ask`, the signal's reason.
 */
export async function waitForDrain(
  { clock, ask, show }: WaitForDrainDeps,
  { timeoutMs }: { readonly timeoutMs: number },
  signal: AbortSignal,
): Promise<SpillStatus__Output> {
  const startedAt = clock.monotonic()
  let fewest = Number.POSITIVE_INFINITY
  let shrankAt = startedAt
  let shown = ''
  for (;;) {
    const status = await ask()
    const line = progressOf(status)
    if (line !== shown) show(line)
    shown = line
    const isKnown = status.configured && status.connected
    if (!status.configured || (isKnown && status.messages === 0)) return status
    const now = clock.monotonic()
    if (isKnown && status.messages < fewest) {
      fewest = status.messages
      shrankAt = now
    }
    if (now - shrankAt >= STANDSTILL_MS) throw standstill(status)
    if (now - startedAt >= timeoutMs) {
      throw new AppError('deadline_exceeded', `the spill is not empty in time: ${line}`)
    }
    const leftMs = startedAt + timeoutMs - now
    await clock.sleep(Math.min(POLL_MS, leftMs), signal)
  }
}

/** Lines of `sluice spill status`. */
export function readableSpill(status: SpillStatus__Output): string {
  if (!status.configured) return NOT_CONFIGURED
  const { connected, breaker, messages, bytes, bytes_max, oldest_age_ms } = status
  const share = bytes_max === 0 ? 0 : (100 * bytes) / bytes_max
  return [
    `events go to      ${breaker === 'open' ? 'the spill: the database does not take them' : 'the database'}`,
    `NATS              ${connected ? 'connected' : 'away: the sizes are those last known'}`,
    `in the spill      ${messages} messages, ${bytes} of ${bytes_max} bytes (${share.toFixed(1)} %)`,
    `oldest message    ${Math.round(oldest_age_ms / 1_000)} s`,
    `since start       ${status.spilled_events} events spilled, ${status.drained_events} drained`,
    `                  (${status.repeated_events} of them were stored already),`,
    `                  ${status.redelivered_messages} messages came more than once,`,
    '                  by the worker that was asked',
  ].join('\n')
}

const NOT_CONFIGURED = 'no spill: NATS_URL is not set at this worker'

function progressOf({ configured, connected, messages, bytes }: SpillStatus__Output): string {
  if (!configured) return NOT_CONFIGURED
  if (!connected) return 'NATS is away'
  return messages === 0 ? 'the spill is empty' : `${messages} messages, ${bytes} bytes left`
}

function standstill({ connected, breaker, messages }: SpillStatus__Output): AppError {
  const why = !connected
    ? 'NATS is away'
    : breaker === 'open'
      ? 'the database does not take events'
      : 'see the log of the workers for messages that cannot be stored or read'
  const detail = `the spill does not shrink, ${messages} messages are left: ${why}`
  return new AppError('failed_precondition', detail)
}
