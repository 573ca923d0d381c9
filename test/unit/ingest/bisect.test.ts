import fc from 'fast-check'
import t from 'tap'
import { bisect } from '../../../src/ingest/bisect.ts'

class RowError extends Error {}

function run(rows: readonly number[], isBad: (row: number) => boolean) {
  const written: number[] = []
  const givenUp: number[] = []
  let flushes = 0
  const done = bisect(rows, {
    flush: async (slice) => {
      flushes += 1
      if (slice.some(isBad)) throw new RowError()
      written.push(...slice)
    },
    giveUp: async (row) => {
      givenUp.push(row)
    },
    isRowAtFault: (error) => error instanceof RowError,
  })
  return done.then(() => ({ written, givenUp, flushes }))
}

t.test('no rows cost nothing', async (t) => {
  t.same(await run([], () => true), { written: [], givenUp: [], flushes: 0 })
})

t.test('a failure that is not a row’s ends it, and what was written stays', async (t) => {
  const written: number[] = []
  const away = new Error('away')
  const done = bisect([1, 2, 3, 4], {
    flush: async (slice) => {
      if (slice.length > 2) throw new RowError()
      if (slice.includes(3)) throw away
      written.push(...slice)
    },
    giveUp: async () => {
      t.fail('nothing is given up')
    },
    isRowAtFault: (error) => error instanceof RowError,
  })
  await t.rejects(done, away)
  t.same(written, [1, 2])
})

t.test('a row that cannot be given up ends it', async (t) => {
  const full = new Error('full')
  const done = bisect([1], {
    flush: () => Promise.reject(new RowError()),
    giveUp: () => Promise.reject(full),
    isRowAtFault: (error) => error instanceof RowError,
  })
  await t.rejects(done, full)
})

t.test('bad rows are given up, the others are written in order, at k log n flushes', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.uniqueArray(fc.nat(299), { maxLength: 12 }),
      async (length, bad) => {
        const rows = Array.from({ length }, (_, row) => row)
        const { written, givenUp, flushes } = await run(rows, (row) => bad.includes(row))
        const expected = rows.filter((row) => bad.includes(row))
        t.same(givenUp, expected)
        t.same(
          written,
          rows.filter((row) => !bad.includes(row)),
        )
        t.ok(flushes <= 1 + 2 * expected.length * (Math.ceil(Math.log2(length)) + 1))
      },
    ),
    { numRuns: 100 },
  )
})
