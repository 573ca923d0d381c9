import t from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import { PERSONS_CHANGED_MS, SLOW_FLUSH_MS } from '../../../src/core/limits/limits.ts'
import { FLUSH_DEADLINE_MS } from '../../../src/ingest/flush-batches.ts'
import { FLUSH_ATTEMPTS_MAX } from '../../../src/ingest/retry-store.ts'
import { StoreError } from '../../../src/ingest/store-port.ts'
import {
  AWAY,
  BAD_ROW,
  batch,
  CONFLICT,
  SET,
  STORED,
  settle,
  setUp,
} from '../../support/ingest/writer-under-test.ts'

t.test('a queue full of one project refuses it at once and takes others', async (t) => {
  const { writer, call } = setUp()
  const pending = []
  for (let n = 0; n < 10; n++) pending.push(writer.submit(batch(1, [`a${n}`], 100)))
  t.same(await writer.submit(batch(1, ['more'], 100)), { kind: 'overloaded', retryAfterS: 1 })
  const other = writer.submit(batch(2, ['b'], 200))
  t.same(
    (await Promise.all(pending.slice(8))).map(({ kind }) => kind),
    ['overloaded', 'overloaded'],
    'the newest batches of the project above its share make room',
  )
  t.equal(writer.status().queuedBytes, 1_000)
  await settle()
  t.same(call(0).names, ['a0', 'b', 'a1', 'a2'], 'the projects take turns')
  call(0).commit()
  t.same(await other, STORED)
})

t.test('a project above its share is refused while others wait', async (t) => {
  const { writer } = setUp()
  void writer.submit(batch(1, ['a'], 200))
  void writer.submit(batch(2, ['b'], 200))
  t.equal((await writer.submit(batch(1, ['a2'], 100))).kind, 'overloaded')
  t.equal(writer.status().queuedEvents, 2)
})

t.test('a batch larger than the whole queue is refused', async (t) => {
  const { writer } = setUp()
  t.equal((await writer.submit(batch(1, ['a'], 1_001))).kind, 'overloaded')
})

t.test('a batch without events is stored without a flush', async (t) => {
  const { writer, calls } = setUp()
  t.same(await writer.submit(batch(1, [])), { ...STORED, stored: 0 })
  await settle()
  t.equal(calls.length, 0)
})

t.test('two slots are used, and what comes meanwhile goes into the next batch', async (t) => {
  const { writer, calls, call } = setUp()
  const first = writer.submit(batch(1, ['a']))
  await settle()
  void writer.submit(batch(1, ['b']))
  await settle()
  void writer.submit(batch(1, ['c']))
  void writer.submit(batch(2, ['d']))
  await settle()
  t.equal(calls.length, 2)
  t.not(call(0).slot, call(1).slot)
  call(0).commit()
  t.same(await first, STORED)
  await settle()
  t.same(call(2).names, ['c', 'd'])
  t.equal(call(2).slot, call(0).slot)
})

t.test('batches that wait behind a slow flush are written without another submit', async (t) => {
  const { writer, clock, calls, call } = setUp({ joinEventsMin: 100 })
  void writer.submit(batch(1, ['a']))
  await settle()
  const waiting = writer.submit(batch(2, ['b']))
  await settle()
  t.equal(calls.length, 1, 'one flush is the cheapest')
  await clock.advance(50)
  await settle()
  t.equal(calls.length, 2)
  call(1).commit()
  t.same(await waiting, STORED)
})

t.test('batches end at their bounds, and a larger batch travels alone and in pieces', async (t) => {
  const { writer, call } = setUp({ slots: 1 })
  const many = Array.from({ length: 25 }, (_, n) => `m${n}`)
  const large = writer.submit(batch(1, many))
  void writer.submit(batch(1, ['x'], 300))
  void writer.submit(batch(1, ['y'], 300))
  await settle()
  t.same(call(0).names, many.slice(0, 10))
  call(0).commit()
  await settle()
  call(1).commit()
  await settle()
  t.same(call(2).names, many.slice(20))
  call(2).commit({ duplicates: [4] })
  t.same(await large, { kind: 'stored', stored: 24, duplicates: 1, deadLetters: 0 })
  await settle()
  t.same(call(3).names, ['x'])
})

t.test('batches that change persons of one project never run in two slots', async (t) => {
  const { writer, calls, call, clock } = setUp()
  void writer.submit(batch(1, ['a'], 10, SET))
  await settle()
  void writer.submit(batch(1, ['b'], 10, SET))
  void writer.submit(batch(2, ['c'], 10, SET))
  await settle()
  await clock.advance(SLOW_FLUSH_MS)
  t.equal(calls.length, 2)
  t.same(call(1).names, ['c'], 'the project waits in order, another goes on')
  call(1).commit()
  await settle()
  t.equal(calls.length, 2)
  call(0).commit()
  await settle()
  t.same(call(2).names, ['b'])
})

t.test('batches that only append run in both slots', async (t) => {
  const { writer, calls } = setUp()
  void writer.submit(batch(1, ['a'], 10, SET))
  await settle()
  void writer.submit(batch(1, ['b']))
  await settle()
  t.equal(calls.length, 2)
})

t.test('each attempt at a flush is timed by itself', async (t) => {
  const { writer, attempts, call, clock } = setUp()
  const done = writer.submit(batch(1, ['a']))
  await settle()
  await clock.advance(20)
  call(0).fail(CONFLICT)
  await settle()
  await clock.advance(1_000)
  await clock.advance(30)
  call(1).commit()
  t.same(await done, STORED)
  t.equal(attempts.length, 2)
  t.equal(attempts[0], 'failed after 20 ms')
  t.match(attempts[1], /^committed after \d+ ms$/)
})

t.test('a lost conflict is tried again and does not take the writer down', async (t) => {
  const { writer, call, clock, calls } = setUp()
  const done = writer.submit(batch(1, ['a']))
  await settle()
  call(0).fail(CONFLICT)
  await settle()
  await clock.advance(1_000)
  call(1).commit()
  t.same(await done, STORED)
  const lost = writer.submit(batch(1, ['b']))
  for (let n = 0; n < FLUSH_ATTEMPTS_MAX; n++) {
    await settle()
    call(2 + n).fail(CONFLICT)
    await settle()
    await clock.advance(250)
  }
  t.equal((await lost).kind, 'unavailable')
  t.equal(calls.length, 2 + FLUSH_ATTEMPTS_MAX)
  t.equal(writer.status().state, 'up')
})

t.test('no attempt is made after the deadline of the oldest batch', async (t) => {
  const { writer, call, calls, clock } = setUp()
  const done = writer.submit(batch(1, ['a']))
  await settle()
  await clock.advance(FLUSH_DEADLINE_MS)
  call(0).fail(AWAY)
  t.match(await done, { kind: 'unavailable', retryAfterS: 1, cause: AWAY })
  t.equal(calls.length, 1)
})

t.test('a defect answers unavailable once and leaves the writer up', async (t) => {
  const { writer, call, calls } = setUp()
  const done = writer.submit(batch(1, ['a']))
  await settle()
  call(0).fail(new StoreError('fault', '42P01', 'no such table'))
  t.equal((await done).kind, 'unavailable')
  t.equal(calls.length, 1)
  t.match(writer.status(), { state: 'up', breaker: { kind: 'closed', opened: 0 } })
})

t.test('a bad row becomes a dead letter and counts as accepted', async (t) => {
  const { writer, call, deadLetters, counts } = setUp()
  const done = writer.submit(batch(1, ['a', 'bad']))
  const other = writer.submit(batch(2, ['c']))
  await settle()
  t.same(call(0).names, ['a', 'bad', 'c'])
  call(0).fail(BAD_ROW)
  await settle()
  t.same(call(1).names, ['a'])
  call(1).commit()
  await settle()
  t.same(call(2).names, ['bad'], 'the half known to hold it is not tried as a whole')
  call(2).fail(BAD_ROW)
  await settle()
  t.same(call(3).names, ['c'])
  call(3).commit()
  t.same(await done, { kind: 'stored', stored: 1, duplicates: 0, deadLetters: 1 })
  t.same(await other, STORED)
  t.same(deadLetters, [{ name: 'bad', reason: BAD_ROW }])
  t.equal(
    counts.reduce((sum, each) => sum + each.stored, 0),
    2,
  )
  t.match(writer.status(), { storedEvents: 2, deadLetterEvents: 1, queuedEvents: 0 })
})

t.test('a project that is gone is told, others are stored', async (t) => {
  const { writer, call } = setUp()
  const gone = writer.submit(batch(1, ['a']))
  const alive = writer.submit(batch(2, ['b']))
  await settle()
  call(0).commit({ missingProjects: new Set([projectId(1)]) })
  t.same(await gone, { kind: 'no_project' })
  t.same(await alive, STORED)
  t.equal(writer.status().storedEvents, 1)
})

t.test('caches are told of changed persons before the answer', async (t) => {
  const { writer, call, told, state } = setUp()
  let release = () => {}
  state.tell = () =>
    new Promise((resolve) => {
      release = resolve
    })
  let answered = false
  const done = writer.submit(batch(1, ['a'], 10, SET)).then(() => {
    answered = true
  })
  const changed = [{ projectId: projectId(1), distinctIds: ['d'], groups: [] }]
  await settle()
  call(0).commit({ changed })
  await settle()
  t.same(told, changed)
  t.notOk(answered)
  release()
  await done
})

t.test('caches that fail or do not answer hold nobody up', async (t) => {
  const { writer, call, clock, state, unknown } = setUp()
  const changed = [{ projectId: projectId(1), distinctIds: ['d'], groups: [] }]
  state.tell = () => Promise.reject(new Error('redis'))
  const first = writer.submit(batch(1, ['a']))
  await settle()
  call(0).commit({ changed })
  t.same(await first, STORED)
  t.equal(unknown(), 1, 'what they keep is in doubt before the answer')
  state.tell = () => {
    throw new Error('at once')
  }
  const second = writer.submit(batch(1, ['b']))
  await settle()
  call(1).commit({ changed })
  t.same(await second, STORED)
  state.tell = () => new Promise(() => {})
  const third = writer.submit(batch(1, ['c']))
  await settle()
  call(2).commit({ changed })
  await settle()
  t.equal(unknown(), 2)
  await clock.advance(PERSONS_CHANGED_MS)
  t.same(await third, STORED)
  t.equal(unknown(), 3)
})

t.test('the next flush does not wait for the caches, the one after it does', async (t) => {
  const { writer, state, calls, call } = setUp({ slots: 1 })
  const changed = [{ projectId: projectId(1), distinctIds: ['someone'], groups: [] }]
  let heard: () => void = () => {}
  state.tell = () =>
    new Promise((resolve) => {
      heard = resolve
    })
  let answered = 0
  for (const name of ['a', 'b', 'c']) {
    void writer.submit(batch(1, [name], 10, SET)).then(() => {
      answered += 1
    })
    await settle()
  }
  call(0).commit({ changed })
  await settle()
  t.same(call(1).names, ['b', 'c'])
  void writer.submit(batch(1, ['d']))
  call(1).commit()
  await settle()
  t.same([calls.length, answered], [2, 0], 'nobody is answered, and the slot waits')
  const closed = writer.close(10_000)
  heard()
  await settle()
  t.equal(answered, 3)
  call(2).commit()
  await closed
})

t.test('close refuses new batches, flushes the queued ones and resolves then', async (t) => {
  const { writer, call } = setUp({ slots: 1 })
  const first = writer.submit(batch(1, ['a']))
  await settle()
  const second = writer.submit(batch(1, ['b']))
  const closed = writer.close(10_000)
  t.equal(writer.close(1), closed)
  t.equal((await writer.submit(batch(1, ['c']))).kind, 'unavailable')
  call(0).commit()
  await settle()
  call(1).commit()
  await closed
  t.same([await first, await second], [STORED, STORED])
  t.equal(writer.status().state, 'closed')
})

t.test('close answers what is left at its deadline', async (t) => {
  const { writer, call, clock } = setUp({ slots: 1 })
  const first = writer.submit(batch(1, ['a']))
  await settle()
  const second = writer.submit(batch(1, ['b']))
  const closed = writer.close(100)
  await clock.advance(100)
  await closed
  t.equal((await second).kind, 'unavailable')
  call(0).commit()
  t.same(await first, STORED, 'a flush that ends later is still answered by its outcome')
})

t.test('an idle or broken writer closes at once', async (t) => {
  const idle = setUp()
  await idle.writer.close(10_000)
  t.equal(idle.writer.status().state, 'closed')
  const { writer, call, clock } = setUp()
  const done = writer.submit(batch(1, ['a']))
  await settle()
  await clock.advance(FLUSH_DEADLINE_MS)
  call(0).fail(AWAY)
  await done
  await writer.close(10_000)
  t.equal(clock.timers(), 0)
})

t.test('status tells the longest wait', async (t) => {
  const { writer, clock } = setUp({ slots: 1 })
  t.equal(writer.status().oldestWaitMs, 0)
  void writer.submit(batch(1, ['a']))
  await settle()
  await clock.advance(50)
  void writer.submit(batch(1, ['b'], 33))
  await clock.advance(20)
  t.match(writer.status(), { oldestWaitMs: 70, queuedEvents: 1, queuedBytes: 33 })
})
