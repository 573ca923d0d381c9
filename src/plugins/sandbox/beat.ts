/**
 * Shows the server whether a thread still returns from its sandboxes. The thread writes and the
 * server reads: the number of entries and exits of sandboxes (odd while inside), the time limit
 * inside, the current sandbox, and the processor time of all of them.
 */
export class Beat {
  readonly #words: Int32Array

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared)
  }

  static share(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)
  }

  enter(sandbox: number, allowedMs: number): void {
    Atomics.store(this.#words, 1, Math.ceil(allowedMs))
    Atomics.store(this.#words, 2, sandbox)
    Atomics.add(this.#words, 0, 1)
  }

  /** Stays inside, for another event with its own time. */
  goOn(allowedMs: number): void {
    Atomics.store(this.#words, 1, Math.ceil(allowedMs))
    Atomics.add(this.#words, 0, 2)
  }

  leave(): void {
    Atomics.add(this.#words, 0, 1)
  }

  /** @param ms that the sandbox has computed, before it is left. */
  spend(ms: number): void {
    Atomics.add(this.#words, 3, Math.round(ms * 1_000))
  }

  /** All that was spent since the last call, in milliseconds. */
  takeSpent(): number {
    return Atomics.exchange(this.#words, 3, 0) / 1_000
  }

  read(): { readonly count: number; readonly allowedMs: number; readonly sandbox: number } {
    const count = Atomics.load(this.#words, 0)
    const allowedMs = Atomics.load(this.#words, 1)
    return { count, allowedMs, sandbox: Atomics.load(this.#words, 2) }
  }
}
