/** Bytes of whole numbers, doubles and texts: small numbers take few bytes. */

/** Low bits of each byte of a number; the highest bit says that another byte follows. */
export const MORE = 0x80
const DOUBLE_BYTES = 8
const FIRST_BYTES = 4_096
/** Bytes of the largest number. */
const NUMBER_BYTES_MAX = 8

export class ByteWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  length = 0

  /** @param value whole, from 0 to 2 ** 53. */
  number(value: number): void {
    this.#reserve(NUMBER_BYTES_MAX)
    let rest = value
    while (rest >= MORE) {
      this.#bytes[this.length++] = (rest % MORE) + MORE
      rest = Math.floor(rest / MORE)
    }
    this.#bytes[this.length++] = rest
  }

  /** @param value whole, within 2 ** 52 of 0. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value)
  }

  numbers(values: readonly number[]): void {
    this.number(values.length)
    for (const value of values) this.number(value)
  }

  doubles(values: readonly number[]): void {
    this.number(values.length)
    this.#reserve(values.length * DOUBLE_BYTES)
    for (const value of values) this.length = this.#bytes.writeDoubleLE(value, this.length)
  }

  text(text: string): void {
    const bytes = Buffer.from(text)
    this.number(bytes.length)
    this.bytes(bytes)
  }

  bytes(bytes: Buffer): void {
    this.#reserve(bytes.length)
    this.length += bytes.copy(this.#bytes, this.length)
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  #reserve(bytes: number): void {
    if (this.length + bytes <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.length + bytes))
    this.#bytes.copy(grown)
    this.#bytes = grown
  }
}

/** Reads what a `ByteWriter` has written, in its order. */
export class ByteReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  number(): number {
    const first = this.#bytes[this.#at++] ?? 0
    if (first < MORE) return first
    let value = first - MORE
    let scale = MORE
    for (;;) {
      const byte = this.#bytes[this.#at++] ?? 0
      if (byte < MORE) return value + byte * scale
      value += (byte - MORE) * scale
      scale *= MORE
    }
  }

  /** Numbers below 2 ** 32. */
  numbers(): Uint32Array {
    const list = new Uint32Array(this.number())
    for (let place = 0; place < list.length; place++) list[place] = this.number()
    return list
  }

  doubles(): Float64Array {
    const list = new Float64Array(this.number())
    // Processors that Node runs on have the lowest byte first, as the bytes have.
    this.#at += this.#bytes.copy(
      new Uint8Array(list.buffer),
      0,
      this.#at,
      this.#at + list.byteLength,
    )
    return list
  }

  text(): string {
    const length = this.number()
    this.#at += length
    return this.#bytes.toString('utf8', this.#at - length, this.#at)
  }

  rest(): Buffer {
    return this.#bytes.subarray(this.#at)
  }
}
