/**
 * Counts the memory of all sandboxes of a worker in WebAssembly's pages. Each thread counts its own
 * part, which is subtracted when the thread ends, however it ends.
 */
export type MemoryShare = {
  readonly own: SharedArrayBuffer
  readonly all: SharedArrayBuffer
  readonly pagesMax: number
}

export const PAGE_BYTES = 65_536

export function hasRoom({ all, pagesMax }: Omit<MemoryShare, 'own'>, pages: number): boolean {
  return Atomics.load(new Int32Array(all), 0) + pages <= pagesMax
}

export class MemoryTotal {
  readonly #own: Int32Array
  readonly #all: Int32Array
  readonly #pagesMax: number

  constructor({ own, all, pagesMax }: MemoryShare) {
    this.#own = new Int32Array(own)
    this.#all = new Int32Array(all)
    this.#pagesMax = pagesMax
  }

  /** Shared memory for one number. */
  static word(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  }

  /** @returns whether the total exceeds the bound. */
  add(pages: number): boolean {
    Atomics.add(this.#own, 0, pages)
    return Atomics.add(this.#all, 0, pages) + pages > this.#pagesMax
  }

  /** Called when the thread has ended, which frees all its memory. */
  giveBack(): void {
    Atomics.sub(this.#all, 0, Atomics.exchange(this.#own, 0, 0))
  }
}
