/** A queue for the hot path of the load generator. */
import { assert } from '../../src/core/code.ts'

/** A bounded first-in first-out queue of numbers. It allocates nothing after its creation. */
export class NumberRing {
  readonly #slots: Float64Array
  #head = 0
  #size = 0

  constructor(capacity: number) {
    assert(Number.isInteger(capacity) && capacity >= 1, 'a ring holds at least one number')
    this.#slots = new Float64Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  get full(): boolean {
    return this.#size === this.#slots.length
  }

  push(value: number): void {
    assert(!this.full, 'the ring is full')
    this.#slots[(this.#head + this.#size) % this.#slots.length] = value
    this.#size++
  }

  peek(): number | undefined {
    return this.#size === 0 ? undefined : this.#slots[this.#head]
  }

  shift(): number | undefined {
    if (this.#size === 0) return undefined
    const value = this.#slots[this.#head]
    this.#head = (this.#head + 1) % this.#slots.length
    this.#size--
    return value
  }

  clear(): void {
    this.#head = 0
    this.#size = 0
  }
}
