/** Map from whole numbers to places: for hundreds of thousands of keys, in a fraction of a `Map`'s time. */

import { inSpans } from '../turns.ts'

/** Slots for each key, so that few keys have the same one. */
const SLOTS_OF_KEY = 2
/** Odd, and of bits that spread keys: 2 ** 32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1
const GROWTH = 4
/** Slots of one turn that move: about a millisecond. */
const SLOTS_OF_TURN = 20_000

const FIRST_BITS = 10

export class NumberPlaces {
  /** Different keys. */
  size = 0
  #keys = new Float64Array(2 ** FIRST_BITS)
  /** Places plus one; 0 is no key. */
  #places = new Uint32Array(2 ** FIRST_BITS)
  readonly #double = new Float64Array(1)
  readonly #words = new Uint32Array(this.#double.buffer)

  /** Place of a key, for which `makeRoom` has been called. @param fallback becomes the place of one that has none. */
  placeOf(key: number, fallback: number): number {
    const slot = this.#slotOf(key)
    const place = this.#places[slot] ?? 0
    if (place !== 0) return place - 1
    this.#keys[slot] = key
    this.#places[slot] = fallback + 1
    this.size += 1
    return fallback
  }

  /** Slot of a key: that which has it, or a free one. */
  #slotOf(key: number): number {
    this.#double[0] = key
    const last = this.#keys.length - 1
    const mixed = Math.imul((this.#words[0] ?? 0) ^ (this.#words[1] ?? 0), SPREAD)
    let slot = mixed >>> Math.clz32(last)
    while (this.#places[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & last
    return slot
  }

  /**
   * Room for so many more keys, made before they are placed. The table stays as large as its keys
   * need, however often they come; other work gets its turn while it grows.
   */
  async makeRoom(more: number): Promise<void> {
    const [keys, places] = [this.#keys, this.#places]
    let slots = keys.length
    while ((this.size + more) * SLOTS_OF_KEY > slots) slots *= GROWTH
    if (slots === keys.length) return
    this.#keys = new Float64Array(slots)
    this.#places = new Uint32Array(slots)
    await inSpans(places.length, SLOTS_OF_TURN, (from, until) => {
      for (let old = from; old < until; old++) {
        const place = places[old] ?? 0
        if (place === 0) continue
        const key = keys[old] ?? 0
        const slot = this.#slotOf(key)
        this.#keys[slot] = key
        this.#places[slot] = place
      }
    })
  }
}
