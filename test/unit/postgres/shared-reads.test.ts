/** Reads that share a statement: each is answered by one that began after it was asked for. */
import t from 'tap'
import {
  SHARED_READ_KEYS_MAX,
  SHARED_READ_SLOW_MS,
  shareReads,
} from '../../../src/postgres/shared-reads.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

type Statement = {
  readonly keys: readonly number[]
  readonly answer: (of?: (key: number) => string | undefined) => void
  readonly fail: (error: Error) => void
}

/** Shared reads whose statements the test answers. */
function sharing() {
  const clock = createFakeClock()
  const statements: Statement[] = []
  const read = shareReads<number, string>({
    clock,
    nameOf: String,
    read: (keys) =>
      new Promise((resolve, reject) => {
        const answer: Statement['answer'] = (of = (key) => `found ${key}`) => resolve(keys.map(of))
        statements.push({ keys, answer, fail: reject })
      }),
  })
  const keys = () => statements.map((statement) => statement.keys)
  return { clock, statements, read, keys }
}

/** Lets promises and the event loop go on. */
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

t.test('the reads of one turn of the event loop share a statement, each key once', async (t) => {
  const { statements, read, keys } = sharing()
  const found = Promise.all([read(1), read(2), read(1)])
  await turn()
  t.strictSame(keys(), [[1, 2]])
  statements[0]?.answer((key) => (key === 2 ? undefined : 'one'))
  t.strictSame(await found, ['one', undefined, 'one'])
})

t.test('a read during a statement is answered by the next one', async (t) => {
  const { statements, read, keys } = sharing()
  const first = read(1)
  await turn()
  const later = [read(1), read(3)]
  await turn()
  t.strictSame(keys(), [[1]], 'one at a time')
  statements[0]?.answer(() => 'old')
  t.equal(await first, 'old')
  await turn()
  t.strictSame(keys(), [[1], [1, 3]])
  statements[1]?.answer(() => 'new')
  t.strictSame(await Promise.all(later), ['new', 'new'], 'and reads what is true by then')
})

t.test('a failure is told to those of its statement alone', async (t) => {
  const { statements, read } = sharing()
  const failing = [read(1), read(2)].map((found) => t.rejects(found, { message: 'it is away' }))
  await turn()
  const later = read(1)
  statements[0]?.fail(new Error('it is away'))
  await Promise.all(failing)
  await turn()
  statements[1]?.answer()
  t.equal(await later, 'found 1')
})

t.test('a slow statement holds up nobody who comes after it', async (t) => {
  const { clock, statements, read, keys } = sharing()
  const slow = read(1)
  await turn()
  const later = read(2)
  await clock.advance(SHARED_READ_SLOW_MS - 1)
  await turn()
  t.strictSame(keys(), [[1]])
  await clock.advance(1)
  await turn()
  t.strictSame(keys(), [[1], [2]])
  const last = read(3)
  await turn()
  t.equal(statements.length, 2, 'which is waited for in its turn')
  statements[0]?.answer()
  t.equal(await slow, 'found 1')
  await turn()
  t.equal(statements.length, 2, 'and the end of the slow one changes nothing')
  statements[1]?.answer()
  t.equal(await later, 'found 2')
  await turn()
  statements[2]?.answer()
  t.equal(await last, 'found 3')
  t.equal(clock.timers(), 0)
})

t.test('a statement has its bound, and the next one has the others', async (t) => {
  const { statements, read, keys } = sharing()
  const asked = Array.from({ length: SHARED_READ_KEYS_MAX + 1 }, (_, key) => read(key))
  await turn()
  t.equal(keys()[0]?.length, SHARED_READ_KEYS_MAX)
  statements[0]?.answer()
  await turn()
  t.strictSame(keys()[1], [SHARED_READ_KEYS_MAX])
  statements[1]?.answer()
  t.equal((await Promise.all(asked)).at(-1), `found ${SHARED_READ_KEYS_MAX}`)
})
