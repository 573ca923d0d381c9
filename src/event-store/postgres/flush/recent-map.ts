/**
 * Remembers the keys used last, in two generations of half the bound each: cheaper than a list kept
 * in order of use, and a key in use is never forgotten for longer than one look-up. The bound is in
 * `cost`, which is 1 for a key or its length.
 */
export class RecentMap<Value> {
  readonly #costMax: number
  readonly #cost: (key: string) => number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #youngCost = 0

  constructor(costMax: number, cost: (key: string) => number = () => 1) {
    this.#costMax = costMax
    this.#cost = cost
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: string): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.#old.delete(key)
    this.set(key, old)
    return old
  }

  /** The entry still counts in the cost until the generation ends. */
  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  set(key: string, value: Value): void {
    if (!this.#young.has(key)) {
      this.#youngCost += this.#cost(key)
      if (this.#youngCost > this.#costMax / 2) {
        this.#old = this.#young
        this.#young = new Map()
        this.#youngCost = this.#cost(key)
      }
    }
    this.#young.set(key, value)
  }
}
