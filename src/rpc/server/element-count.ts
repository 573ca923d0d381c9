/**
 * Counts the fields of a message itself while its bytes come in, so that one with too many is
 * refused by its beginning. Unreadable bytes are left to the decoder.
 */
const VARINT = 0
const FIXED64 = 1
const LENGTH_DELIMITED = 2
const FIXED32 = 5
/** Bits of a tag and of a length. */
const VARINT_BITS_MAX = 35

export class ElementCount {
  readonly #elementsMax: number
  #elements = 0
  #state: 'tag' | 'length' | 'value' | 'unreadable' = 'tag'
  #varint = 0
  #shift = 0
  /** Bytes of the field that have not arrived. */
  #missing = 0

  constructor(elementsMax: number) {
    this.#elementsMax = elementsMax
  }

  /** @returns false once there are too many. */
  take(chunk: Uint8Array, from: number, to: number): boolean {
    for (let at = from; at < to && this.#state !== 'unreadable'; ) {
      if (this.#missing > 0) {
        const taken = Math.min(this.#missing, to - at)
        this.#missing -= taken
        at += taken
        continue
      }
      this.#read(chunk[at] ?? 0)
      at++
      if (this.#elements > this.#elementsMax) return false
    }
    return true
  }

  #read(byte: number): void {
    this.#varint += (byte & 0x7f) * 2 ** this.#shift
    this.#shift += 7
    if (byte >= 0x80) {
      if (this.#state !== 'value' && this.#shift >= VARINT_BITS_MAX) this.#state = 'unreadable'
      return
    }
    const value = this.#varint
    this.#varint = 0
    this.#shift = 0
    if (this.#state === 'tag') this.#begin(value)
    else {
      if (this.#state === 'length') this.#missing = value
      this.#state = 'tag'
    }
  }

  #begin(tag: number): void {
    this.#elements++
    const type = tag & 7
    if (tag < 8) this.#state = 'unreadable'
    else if (type === LENGTH_DELIMITED) this.#state = 'length'
    else if (type === VARINT) this.#state = 'value'
    else if (type === FIXED64) this.#missing = 8
    else if (type === FIXED32) this.#missing = 4
    else this.#state = 'unreadable'
  }
}
