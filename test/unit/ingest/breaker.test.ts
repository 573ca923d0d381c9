import t from 'tap'
import { Breaker } from '../../../src/ingest/breaker.ts'

t.test('probes of a closed breaker change nothing', async (t) => {
  const breaker = new Breaker(1, 5)
  t.equal(breaker.succeeded(10), false)
  breaker.failed('late')
  t.strictSame(breaker.status(15), { kind: 'closed', forMs: 10, opened: 0 })
  t.equal(breaker.cause, undefined)
})

t.test('it opens once, and keeps the newest cause', async (t) => {
  const breaker = new Breaker(1, 0)
  t.equal(breaker.open('first', 10), true)
  t.equal(breaker.open('second', 20), false)
  t.equal(breaker.cause, 'second')
  breaker.failed('third')
  t.equal(breaker.cause, 'third')
  t.strictSame(breaker.status(25), { kind: 'open', forMs: 15, opened: 1 })
})

t.test('only good probes in a row close it', async (t) => {
  const breaker = new Breaker(3, 0)
  breaker.open('away', 0)
  t.equal(breaker.succeeded(1), false)
  t.equal(breaker.succeeded(2), false)
  breaker.failed('away')
  t.equal(breaker.succeeded(3), false)
  t.equal(breaker.succeeded(4), false)
  breaker.open('away again', 5)
  t.equal(breaker.succeeded(6), false, 'a failure seen otherwise counts too')
  t.equal(breaker.succeeded(7), false)
  t.equal(breaker.succeeded(8), true)
  t.strictSame(breaker.status(10), { kind: 'closed', forMs: 2, opened: 1 })
  t.equal(breaker.open('third time', 11), true)
  t.equal(breaker.status(11).opened, 2)
})
