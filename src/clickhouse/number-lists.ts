/** Lists of numbers as `RowBinary` has them: a row is the length of one list, then its numbers. */

const DOUBLE_BYTES = 8
/** Bits of the length in each of its bytes; the highest bit says that another byte follows. */
const LENGTH_BITS = 7
const MORE = 2 ** LENGTH_BITS

/** Lists that may be iterated several times; changes to a list are seen by the next iteration. */
export type NumberLists = Iterable<Float64Array> & {
  /** Numbers in all lists together. */
  readonly numbers: number
}

/** @param data rows of one column `Array(Float64)`. */
export function numberListsIn(data: Buffer): NumberLists {
  // One array for all: doubles may not begin at any byte, as they do in the rows.
  const all = new Float64Array(Math.floor(data.length / DOUBLE_BYTES))
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  const ends: number[] = []
  let numbers = 0
  for (let at = 0; at < data.length; ) {
    let [length, scale] = [0, 1]
    for (;;) {
      const byte = view.getUint8(at++)
      length += (byte % MORE) * scale
      if (byte < MORE) break
      scale *= MORE
    }
    const end = numbers + length
    for (; numbers < end; numbers++, at += DOUBLE_BYTES) all[numbers] = view.getFloat64(at, true)
    ends.push(end)
  }
  return {
    numbers,
    *[Symbol.iterator]() {
      let from = 0
      for (const end of ends) {
        yield all.subarray(from, end)
        from = end
      }
    },
  }
}
