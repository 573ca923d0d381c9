/** Calls of a plugin to the server: bounded while they wait, and limited in rate. */
import type { Clock } from '../../core/clock.ts'

/** Calls to the server of one sandbox: open, under way, in a second; one as JSON text, all open. */
const SANDBOX_HOST_CALLS_MAX = 1_000
const SANDBOX_HOST_CALLS_RUNNING_MAX = 16
const SANDBOX_HOST_CALLS_PER_S_MAX = 2_000
const SANDBOX_HOST_CALL_CHARS_MAX = 1_048_576
const SANDBOX_HOST_CALLS_CHARS_MAX = 16_777_216

/** A call past the rate waits for the next window. */
const WINDOW_MS = 100
const PER_WINDOW_MAX = Math.floor((SANDBOX_HOST_CALLS_PER_S_MAX * WINDOW_MS) / 1_000)

type Ask = { readonly id: number; readonly op: string; readonly args: string }

export class HostAsks {
  readonly #clock: Clock
  readonly #send: (id: number, op: string, args: string) => void
  /** The characters of each open call, by number. */
  readonly #open = new Map<number, number>()
  readonly #waiting: Ask[] = []
  #chars = 0
  #running = 0
  #lastId = 0
  #windowStart = 0
  #sentInWindow = 0
  #isPaused = false

  constructor(clock: Clock, send: (id: number, op: string, args: string) => void) {
    this.#clock = clock
    this.#send = send
  }

  /** @throws {Error} past a bound; the plugin may see the message. */
  add(op: string, args: string): number {
    if (args.length > SANDBOX_HOST_CALL_CHARS_MAX) {
      throw new RangeError(`a call may have ${SANDBOX_HOST_CALL_CHARS_MAX} characters`)
    }
    const isFull = this.#open.size >= SANDBOX_HOST_CALLS_MAX
    if (isFull || this.#chars + args.length > SANDBOX_HOST_CALLS_CHARS_MAX) {
      throw new Error('too many calls are open: await them')
    }
    this.#lastId += 1
    const id = this.#lastId
    this.#chars += args.length
    this.#open.set(id, args.length)
    this.#waiting.push({ id, op, args })
    this.#sendWaiting()
    return id
  }

  /** @returns false when no such call is open. */
  answered(id: number): boolean {
    const chars = this.#open.get(id)
    if (chars === undefined) return false
    this.#open.delete(id)
    this.#chars -= chars
    this.#running -= 1
    this.#sendWaiting()
    return true
  }

  #sendWaiting(): void {
    while (this.#running < SANDBOX_HOST_CALLS_RUNNING_MAX && this.#hasTurn()) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#sentInWindow += 1
      this.#running += 1
      this.#send(next.id, next.op, next.args)
    }
  }

  #hasTurn(): boolean {
    if (this.#isPaused) return false
    const now = this.#clock.monotonic()
    if (now - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = now
      this.#sentInWindow = 0
    }
    if (this.#sentInWindow < PER_WINDOW_MAX) return true
    this.#isPaused = true
    this.#clock.after(this.#windowStart + WINDOW_MS - now, () => {
      this.#isPaused = false
      this.#sendWaiting()
    })
    return false
  }
}
