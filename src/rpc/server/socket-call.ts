import type { Clock } from '../../core/clock.ts'
import { AppError } from '../../core/code.ts'
import type { CallContext, CallMetadata } from '../../wire/call.ts'

/** A deadline for callers that name none. */
const TIMEOUT_DEFAULT_MS = 30_000

/** Notifies a call when its caller has left. */
export type Leaving = {
  /** Address of the caller with the port; absent where no handler needs it. */
  readonly peer?: string
  readonly hasLeft: boolean
  /** @returns a function that removes the listener. */
  onLeft(run: () => void): () => void
}

/** A call over a socket. Signal and timer are made when a handler uses the signal. */
export class SocketCall implements CallContext {
  readonly metadata: CallMetadata
  readonly timeoutMs: number
  readonly #caller: Leaving
  readonly #clock: Clock
  /** By `clock.now`. */
  readonly #deadline: number
  #abort: AbortController | undefined
  #cancelTimer: () => void = () => {}
  #forgetCaller: () => void = () => {}

  /** @param deadline by `clock.now`; `undefined` when the caller names none. */
  constructor(metadata: CallMetadata, caller: Leaving, deadline: number | undefined, clock: Clock) {
    this.metadata = metadata
    this.#caller = caller
    this.#clock = clock
    const now = clock.now()
    this.#deadline = deadline ?? now + TIMEOUT_DEFAULT_MS
    this.timeoutMs = Math.max(0, this.#deadline - now)
  }

  get peer(): string {
    return this.#caller.peer ?? ''
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      this.#abort = abort
      const late = () => abort.abort(new AppError('deadline_exceeded', 'deadline exceeded'))
      const left = () => abort.abort(new AppError('cancelled', 'cancelled by the caller'))
      const leftMs = this.#deadline - this.#clock.now()
      if (leftMs <= 0) late()
      else this.#cancelTimer = this.#clock.after(leftMs, late)
      this.#forgetCaller = this.#caller.onLeft(left)
      if (this.#caller.hasLeft) left()
    }
    return this.#abort.signal
  }

  end(): void {
    this.#cancelTimer()
    this.#forgetCaller()
  }
}
