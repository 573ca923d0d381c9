/** Counts turns of the event loop that have requests, and the requests of each. */
export class Turn {
  #number = 0
  #requests = 0
  #isOpen = false
  readonly #end = () => {
    this.#number += 1
    this.#requests = 0
    this.#isOpen = false
  }

  /** Another number in each turn. */
  current(): number {
    if (!this.#isOpen) setImmediate(this.#end)
    this.#isOpen = true
    return this.#number
  }

  /** @returns how many requests the turn has by now, this one included. */
  enter(): number {
    this.current()
    this.#requests += 1
    return this.#requests
  }
}
