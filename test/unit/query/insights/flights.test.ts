import t from 'tap'
import { createFlights } from '../../../../src/query/insights/jobs/flights.ts'

/** Work that ends when it is told to, and remembers its signals. */
function manualWork() {
  const ends: ((answer: string) => void)[] = []
  const signals: AbortSignal[] = []
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      signals.push(signal)
      ends.push(resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  return { work, ends, signals }
}

const staying = () => new AbortController().signal
const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('a caller during equal work under way shares the next one', async (t) => {
  const flights = createFlights<string>()
  const { work, ends } = manualWork()
  const first = flights.run('a', staying(), work)
  const others = Array.from({ length: 20 }, () => flights.run('a', staying(), work))
  await turn()
  t.equal(ends.length, 1, 'one at a time')
  ends[0]?.('first')
  t.equal(await first, 'first')
  await turn()
  t.equal(ends.length, 2, 'one for all the others')
  ends[1]?.('second')
  t.strictSame(new Set(await Promise.all(others)), new Set(['second']))
  const later = flights.run('a', staying(), work)
  ends[2]?.('third')
  t.equal(await later, 'third')
})

t.test('a caller that leaves ends the work only when nobody else waits', async (t) => {
  const flights = createFlights<string>()
  const { work, ends, signals } = manualWork()
  const [one, two] = [new AbortController(), new AbortController()]
  const busy = flights.run('a', staying(), work)
  const leaving = flights.run('a', one.signal, work)
  const staying2 = flights.run('a', two.signal, work)
  ends[0]?.('')
  await busy
  await turn()
  one.abort()
  await t.rejects(leaving, { code: 'cancelled' })
  t.notOk(signals[1]?.aborted, 'the other still waits')
  two.abort()
  await t.rejects(staying2, { code: 'cancelled' })
  t.ok(signals[1]?.aborted)
  const again = flights.run('a', staying(), work)
  await turn()
  ends[2]?.('again')
  t.equal(await again, 'again')
})

t.test('work that everybody has left before its turn never begins', async (t) => {
  const flights = createFlights<string>()
  const { work, ends } = manualWork()
  const busy = flights.run('a', staying(), work)
  const leaver = new AbortController()
  const left = flights.run('a', leaver.signal, work)
  leaver.abort()
  await t.rejects(left, { code: 'cancelled' })
  const after = flights.run('a', staying(), work)
  ends[0]?.('busy')
  t.equal(await busy, 'busy')
  await turn()
  t.equal(ends.length, 2)
  ends[1]?.('after')
  t.equal(await after, 'after')
})

t.test('failures reach all who wait, and other keys go their own way', async (t) => {
  const flights = createFlights<string>()
  const fail = async () => {
    throw new Error('no')
  }
  const { work, ends } = manualWork()
  const other = flights.run('b', staying(), work)
  const all = [flights.run('a', staying(), fail), flights.run('a', staying(), fail)]
  for (const each of all) await t.rejects(each, { message: 'no' })
  ends[0]?.('b')
  t.equal(await other, 'b')
})
