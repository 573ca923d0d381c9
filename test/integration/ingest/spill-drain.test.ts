/** How what is in the spill comes home. */
import t from 'tap'
import { makeEvent } from '../../support/ingest/ingest-store.ts'
import { openWorker, setUp } from '../../support/ingest/spilling-worker.ts'
import { startLoopTime } from '../../support/loop-time.ts'
import { askForPerson, work } from '../../support/store/deletions.ts'
import { until } from '../../support/until.ts'

t.test(
  'a worker that ends between commit and acknowledgement: another one continues',
  async (t) => {
    const ended = await setUp(t)
    const { db, server, failing, spill, drain, drainer, copies, goDown, comeBack } = ended
    await goDown()
    const events = Array.from({ length: 50 }, () => makeEvent({ person: { set: '{"a":1}' } }))
    await Promise.all(events.map((event) => spill(event)))
    failing.add('before-drain-ack')
    await comeBack()
    drain()
    await until('the events to be stored', async () => {
      const stored = await copies()
      return events.every(({ uuid }) => stored.get(uuid) === 1)
    })
    await ended.stopDraining()
    t.equal(drainer.status().drainedEvents, 0)
    const other = await openWorker(t, { db, server })
    other.drain()
    await until('the spill to be empty', async () => (await other.messages.status()).messages === 0)
    t.ok(other.drainer.status().drainedEvents >= events.length)
    const stored = await copies()
    t.ok(events.every(({ uuid }) => stored.get(uuid) === 1))
  },
)

t.test('a person deleted at one worker while another has its events in the spill', async (t) => {
  const holding = await setUp(t)
  const { db, server, project, submit, spill, emptied, goDown, comeBack, copies } = holding
  const deleting = await openWorker(t, { db, server })
  const stored = makeEvent({ distinctId: 'a', person: { set: '{"email":"a@b.c"}' } })
  t.equal((await submit(stored)).kind, 'stored')
  await goDown()
  const spilled = ['a', 'b'].map((distinctId) =>
    makeEvent({ distinctId, person: { set: '{"email":"back"}' } }),
  )
  for (const event of spilled) await spill(event)
  await comeBack()
  // Nobody drains yet: what is in the spill is older than the deletion.
  await askForPerson(db.sql, project, 'a')
  await work(db.sql)
  t.notOk((await copies()).has(stored.uuid))
  deleting.drain()
  await emptied()
  const left = await db.sql`select distinct_id as id from events where distinct_id in ('a', 'b')`
  t.same([...left], [{ id: 'b' }])
  const persons = await db.sql`
    select distinct_id as id from distinct_ids where distinct_id in ('a', 'b')`
  t.same([...persons], [{ id: 'b' }], 'and nobody is made of it')
})

t.test(
  '30,000 spilled events are home well within 30 s, many messages with one commit',
  async (t) => {
    const { commits, messages, spill, drain, emptied, copies, goDown, comeBack } = await setUp(t)
    await goDown()
    const acknowledged: string[] = []
    const client = async (requests: number, events: number) => {
      for (let n = 0; n < requests; n++) {
        const sent = Array.from({ length: events }, () =>
          makeEvent({ distinctId: `d${n}`, properties: '{"path":"/somewhere","n":1}' }),
        )
        await spill(...sent)
        acknowledged.push(...sent.map((e) => e.uuid))
      }
    }
    // Few at a time make small messages, which are the worst case.
    await Promise.all(Array.from({ length: 4 }, () => client(2_500, 1)))
    await Promise.all(Array.from({ length: 40 }, () => client(5, 100)))
    t.equal(acknowledged.length, 30_000)
    await comeBack()
    const { messages: waiting } = await messages.status()
    const elapsed = startLoopTime(t)
    const commitsBefore = commits()
    drain()
    await emptied()
    const drained = commits() - commitsBefore
    t.comment(`${waiting} messages with ${drained} commits in ${elapsed()} ms`)
    t.ok(elapsed() < 30_000, `${elapsed()} ms`)
    t.ok(5 * drained < waiting, `${drained} commits`)
    const stored = await copies()
    t.equal(acknowledged.filter((uuid) => stored.get(uuid) !== 1).length, 0)
  },
)
