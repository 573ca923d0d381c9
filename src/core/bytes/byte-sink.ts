/** Bytes that are written one after another, in a buffer that grows. */

const FIRST_BYTES = 4_096
/** UTF-8 of one UTF-16 unit has at most so many bytes. */
const UNIT_BYTES_MAX = 3

export class ByteSink {
  bytes: Buffer
  /** How many of `bytes` are written. */
  length = 0

  constructor(bytes = FIRST_BYTES) {
    this.bytes = Buffer.allocUnsafe(bytes)
  }

  /** Makes room for so many bytes behind those that are written: `bytes` may be another buffer then. */
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
