/** Clients under load while Postgres, or both stores, are away and come back. */
import t from 'tap'
import { makeEvent } from '../../support/ingest/ingest-store.ts'
import { setUp, startClients } from '../../support/ingest/spilling-worker.ts'
import { until } from '../../support/until.ts'

t.test(
  'postgres frozen and killed under load: everything is acknowledged and stored once',
  async (t) => {
    const { db, writer, sink, submit, drain, emptied, copies, drainer, comeBack } = await setUp(t)
    drain()
    const clients = startClients(submit)
    await clients.more(500)
    await db.pg.freeze()
    await until('the writer to notice', () => writer.status().state === 'down')
    await clients.more(1_000)
    await db.pg.resume()
    await until('the writer to recover', () => writer.status().state === 'up')
    await clients.more(500)
    await db.pg.kill('SIGKILL')
    await until('the writer to notice', () => writer.status().state === 'down')
    await clients.more(1_000)
    await comeBack()
    await clients.more(500)
    await clients.stop()
    await emptied()
    t.same(clients.refused, [])
    t.comment(`longest wait ${Math.round(clients.waitMaxMs())} ms`)
    const stored = await copies()
    t.same(
      clients.acknowledged.filter((uuid) => stored.get(uuid) !== 1),
      [],
    )
    const spilled = sink.spill()?.spilledEvents ?? 0
    t.ok(spilled >= 1_000)
    await until('the last acknowledgement', () => drainer.status().drainedEvents >= spilled)
    const [counted] = await db.sql`select sum(count)::int as sum from event_counts`
    t.equal(counted?.['sum'], stored.size, 'the counters are exact')
    const [orphans] = await db.sql`
    select count(*)::int as count from persons p left join distinct_ids d on d.person_id = p.id
    where d.person_id is null`
    t.equal(orphans?.['count'], 0)
  },
)

t.test(
  'with both stores away clients are refused at once, and nothing acknowledged is lost',
  async (t) => {
    const { server, nats, submit, drain, emptied, copies, goDown, comeBack } = await setUp(t)
    const clients = startClients(submit)
    await clients.more(200)
    await goDown()
    await clients.more(500)
    await server.kill()
    await until('clients to be refused', () => clients.refused.length > 0)
    await until('the loss to be known', () => !nats.connected())
    const outcome = await submit(makeEvent())
    t.match(outcome, { kind: 'unavailable' })
    if (outcome.kind === 'unavailable') {
      t.ok(Number.isInteger(outcome.retryAfterS))
      t.ok(outcome.retryAfterS >= 2 && outcome.retryAfterS <= 10, `${outcome.retryAfterS}`)
    }
    await server.start()
    await clients.more(500)
    await comeBack()
    drain()
    await clients.more(200)
    await clients.stop()
    await emptied()
    const stored = await copies()
    t.same(
      clients.acknowledged.filter((uuid) => stored.get(uuid) !== 1),
      [],
    )
  },
)
