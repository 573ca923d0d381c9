/**
 * Tells from outside whether a thread still comes back from its sandboxes. It writes, the server
 * reads: how often a sandbox was entered or left (odd while inside), how long it may stay, and
 * which one it is.
 */
export class Beat {
  readonly #words: Int32Array

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared)
  }

  static share(): SharedArrayBuffer {
    return new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)
  }

  enter(sandbox: number, allowedMs: number): void {
    Atomics.store(this.#words, 1, Math.ceil(allowedMs))
    Atomics.store(this.#words, 2, sandbox)
    Atomics.add(this.#words, 0, 1)
  }

  /** Inside still, with another event and a new allowance. */
  goOn(allowedMs: number): void {
    Atomics.store(this.#words, 1, Math.ceil(allowedMs))
    Atomics.add(this.#words, 0, 2)
  }

  leave(): void {
    Atomics.add(this.#words, 0, 1)
  }

  read(): { readonly count: number; readonly allowedMs: number; readonly sandbox: number } {
    const count = Atomics.load(this.#words, 0)
    const allowedMs = Atomics.load(this.#words, 1)
    return { count, allowedMs, sandbox: Atomics.load(this.#words, 2) }
  }
}
