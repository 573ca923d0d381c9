/** Bytes that are written one after another, in a buffer that grows. */

const FIRST_BYTES = 4_096
/** Most UTF-8 bytes of one UTF-16 unit. */
const UNIT_BYTES_MAX = 3

export class ByteSink {
  bytes: Buffer
  /** Number of written bytes in `bytes`. */
  length = 0

  constructor(bytes = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafe(bytes)
  }

  /** Makes room for `count` more bytes; may replace `bytes` by another buffer. */
  reserve(count: number): void {
    const wanted = this.length + count
    if (wanted <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(wanted, this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  utf8(text: string): void {
    this.reserve(text.length * UNIT_BYTES_MAX)
    this.length += this.bytes.write(text, this.length)
  }

  /** View of the written bytes; shares the buffer. */
  written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }
}
