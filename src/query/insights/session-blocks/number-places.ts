/** Map from whole numbers to places: for hundreds of thousands of keys, in a fraction of a `Map`'s time. */

/** Slots for each key, so that few keys have the same one. */
const SLOTS_OF_KEY = 2
/** Odd, and of bits that spread keys: 2 ** 32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1
const HASH_BITS = 32

export class NumberPlaces {
  /** Different keys. */
  size = 0
  readonly #keys: Float64Array
  /** Places plus one; 0 is no key. */
  readonly #places: Uint32Array
  readonly #shift: number
  readonly #double = new Float64Array(1)
  readonly #words = new Uint32Array(this.#double.buffer)

  /** @param most different keys. */
  constructor(most: number) {
    const bits = Math.max(1, Math.ceil(Math.log2(SLOTS_OF_KEY * most + 1)))
    this.#keys = new Float64Array(2 ** bits)
    this.#places = new Uint32Array(2 ** bits)
    this.#shift = HASH_BITS - bits
  }

  /** Place of a key. @param fallback becomes the place of one that has none. */
  placeOf(key: number, fallback: number): number {
    this.#double[0] = key
    const hash = Math.imul((this.#words[0] ?? 0) ^ (this.#words[1] ?? 0), SPREAD) >>> this.#shift
    for (let slot = hash; ; slot = (slot + 1) % this.#keys.length) {
      const place = this.#places[slot] ?? 0
      if (place === 0) {
        this.#keys[slot] = key
        this.#places[slot] = fallback + 1
        this.size += 1
        return fallback
      }
      if (this.#keys[slot] === key) return place - 1
    }
  }
}
