import t from 'tap'
import { numberListsIn } from '../../../src/clickhouse/number-lists.ts'

/** A list as `RowBinary` has it. */
function encoded(numbers: readonly number[]): Buffer {
  const length: number[] = []
  for (let left = numbers.length; ; left = Math.floor(left / 128)) {
    if (left < 128) {
      length.push(left)
      break
    }
    length.push((left % 128) + 128)
  }
  const doubles = Buffer.alloc(numbers.length * 8)
  for (const [place, number] of numbers.entries()) doubles.writeDoubleLE(number, place * 8)
  return Buffer.concat([Buffer.from(length), doubles])
}

t.test('lists come as they are, once or more, wherever they begin', async (t) => {
  const wanted = [0, 1, 127, 128, 129, 20_000].map((count) =>
    Array.from({ length: count }, (_, index) => index * 1.5 - count),
  )
  const rows = Buffer.concat(wanted.map(encoded))
  for (const before of [0, 1, 5]) {
    const data = Buffer.concat([Buffer.alloc(before), rows]).subarray(before)
    const lists = numberListsIn(data)
    t.equal(lists.numbers, 20_385)
    for (const _ of [1, 2])
      t.strictSame(
        [...lists].map((list) => [...list]),
        wanted,
      )
  }
})

t.test('no row is no list', async (t) => {
  const lists = numberListsIn(Buffer.alloc(0))
  t.equal(lists.numbers, 0)
  t.strictSame([...lists], [])
})
