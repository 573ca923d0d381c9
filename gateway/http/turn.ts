/** Counts the requests of one turn of the event loop. */
export class Turn {
  /** Another one in each turn that has requests. */
  number = 0
  #requests = 0
  readonly #end = () => {
    this.number += 1
    this.#requests = 0
  }

  /** @returns how many requests the turn has by now, this one included. */
  enter(): number {
    if (this.#requests === 0) setImmediate(this.#end)
    this.#requests += 1
    return this.#requests
  }
}
