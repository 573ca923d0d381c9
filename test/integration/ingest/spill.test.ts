import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openJetStreamLog } from '../../../cluster/nats/jetstream-log.ts'
import { connectNats } from '../../../cluster/nats/nats-connection.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { Failpoints } from '../../../src/core/failpoint.ts'
import * as limits from '../../../src/core/limits/limits.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import type { IngestOutcome } from '../../../src/events/event-batch.ts'
import { createDrainer } from '../../../src/ingest/spill/drainer.ts'
import { createSpillingSink } from '../../../src/ingest/spill/spilling-sink.ts'
import { createWriter } from '../../../src/ingest/writer.ts'
import { createProject, makeEvent, openStore } from '../../support/ingest/ingest-store.ts'
import { startLoopTime } from '../../support/loop-time.ts'
import { type TestDatabase, testDatabase } from '../../support/servers/database.ts'
import { type NatsServer, startNats } from '../../support/servers/nats-server.ts'
import { askForPerson, work } from '../../support/store/deletions.ts'

const random = Math.random
const QUEUE = {
  slots: limits.WRITER_SLOTS,
  joinEventsMin: limits.WRITER_JOIN_EVENTS_MIN,
  bytesMax: limits.WRITER_QUEUE_BYTES_MAX,
  projectShareMax: limits.WRITER_PROJECT_SHARE_MAX,
  flushEventsMax: limits.WRITER_FLUSH_EVENTS_MAX,
  flushBytesMax: limits.WRITER_FLUSH_BYTES_MAX,
}
const SPILL = {
  messageBytesMax: limits.SPILL_MESSAGE_BYTES_MAX,
  inflightBytesMax: limits.SPILL_INFLIGHT_BYTES_MAX,
}
const DRAIN = {
  bytesMax: limits.DRAIN_BYTES_MAX,
  messagesMax: limits.DRAIN_MESSAGES_MAX,
  writerBytesMax: limits.WRITER_QUEUE_BYTES_MAX,
}

type Place = { readonly db: TestDatabase; readonly server: NatsServer; readonly bytesMax?: number }

/** What a worker does with events, with a log of its own connection. */
async function openWorker(t: Test, { db, server, bytesMax = 500_000_000 }: Place) {
  const nats = await connectNats({ urls: server.url, name: 'test', clock, log })
  const settings = { stream: 'spill', subject: 'test.spill', consumer: 'drainer', replicas: 1 }
  const messages = await openJetStreamLog(
    { nats, clock, log },
    { ...settings, bytesMax, ackWaitMs: 2_000 },
  )
  const failing = new Set<string>()
  const failpoints: Failpoints = {
    async reach(name) {
      if (failing.has(name)) throw new AppError('unavailable', `failpoint ${name}`)
    },
  }
  let commits = 0
  const writer = createWriter(
    {
      ...{ store: openStore(t, db), clock, log, random, failpoints },
      onPersonsChanged: () => Promise.resolve(),
      onPersonsUnknown: () => {},
      onCommitted: () => {
        commits += 1
      },
    },
    QUEUE,
  )
  const newId = () => randomUUID()
  const sink = createSpillingSink({ writer, messages, clock, log, random, newId }, SPILL)
  const drainer = createDrainer(
    {
      ...{ messages, writer, clock, log, random, failpoints },
    },
    DRAIN,
  )
  const stop = new AbortController()
  let running: Promise<void> | undefined
  t.teardown(async () => {
    await writer.close(0)
    await sink.close()
    stop.abort()
    await running
    await messages.close()
    await nats.close()
  })
  return {
    ...{ drainer, failing, messages, nats, sink, writer },
    commits: () => commits,
    drain() {
      running ??= drainer.run(stop.signal)
    },
    async stopDraining() {
      stop.abort()
      await running
    },
  }
}

async function setUp(t: Test, options: { bytesMax?: number } = {}) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const server = await startNats(t)
  const worker = await openWorker(t, { db, server, ...options })
  const { messages, sink, writer } = worker
  const submit = (...events: IngestEvent[]) =>
    sink.submit({ projectId: project, events, bytes: events.length * 300 })
  const goDown = async () => {
    await db.pg.kill('SIGKILL')
    await until('the writer to notice', async () => {
      if (writer.status().state === 'up') await submit(makeEvent())
      return writer.status().state === 'down'
    })
  }
  const comeBack = async () => {
    await db.pg.restart()
    await until('the writer to recover', () => writer.status().state === 'up')
  }
  const emptied = () =>
    until('the spill to be empty', async () => {
      const status = await messages.status().catch(() => undefined) // NATS may be on its way back.
      return status?.messages === 0
    })
  const copies = async () => {
    const rows = await db.sql`
      select uuid::text, count(*)::int as copies from events where project_id = ${project}
      group by 1`
    return new Map(rows.map((row) => [String(row['uuid']), Number(row['copies'])]))
  }
  return { ...worker, db, server, project, submit, goDown, comeBack, emptied, copies }
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = clock.monotonic() + 60_000
  while (!(await condition())) {
    if (clock.monotonic() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(20)
  }
}

/** Clients that send until they are stopped and remember what was acknowledged and what was not. */
function startClients(submit: (...events: IngestEvent[]) => Promise<IngestOutcome>) {
  const acknowledged: string[] = []
  const refused: IngestOutcome[] = []
  let waitMaxMs = 0
  let isOver = false
  const client = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const events = Array.from({ length: 5 }, (_, m) =>
        makeEvent({
          distinctId: `c${name}-${(n + m) % 50}`,
          person: m === 0 ? { set: `{"n":${n}}` } : {},
        }),
      )
      const from = clock.monotonic()
      const outcome = await submit(...events)
      waitMaxMs = Math.max(waitMaxMs, clock.monotonic() - from)
      if (outcome.kind === 'stored' || outcome.kind === 'spilled') {
        acknowledged.push(...events.map(({ uuid }) => uuid))
      } else refused.push(outcome)
      // Thousands of events tell as much as a million.
      await sleep(5)
    }
  }
  const clients = Array.from({ length: 8 }, (_, name) => client(name))
  const more = async (events: number) => {
    const before = acknowledged.length
    await until('events to be acknowledged', () => acknowledged.length >= before + events)
  }
  return {
    acknowledged,
    refused,
    more,
    waitMaxMs: () => waitMaxMs,
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

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

t.test('a frozen spill is given up, and clients are refused until it answers again', async (t) => {
  const { server, sink, submit, goDown, comeBack } = await setUp(t)
  await goDown()
  t.equal((await submit(makeEvent())).kind, 'spilled')
  server.freeze()
  t.equal((await submit(makeEvent())).kind, 'unavailable')
  t.equal(sink.spill()?.breaker.kind, 'open')
  t.equal((await submit(makeEvent())).kind, 'unavailable', 'at once')
  server.thaw()
  await until('the spill to answer', () => sink.spill()?.breaker.kind === 'closed')
  await until('events to be spilled', async () => (await submit(makeEvent())).kind === 'spilled')
  await comeBack()
})

t.test('a full spill refuses what is new and loses nothing old', async (t) => {
  const { sink, submit, drain, emptied, copies, goDown, comeBack } = await setUp(t, {
    bytesMax: 300_000,
  })
  await goDown()
  const kept: string[] = []
  let refused = 0
  for (let n = 0; n < 20; n++) {
    const event = makeEvent({ properties: JSON.stringify({ text: 'x'.repeat(30_000) }) })
    const outcome = await submit(event)
    if (outcome.kind === 'spilled') kept.push(event.uuid)
    else {
      refused += 1
      t.match(outcome, { kind: 'unavailable' })
    }
  }
  t.ok(refused >= 5 && kept.length >= 5)
  t.equal(sink.spill()?.isFull, true)
  await comeBack()
  drain()
  await emptied()
  const stored = await copies()
  t.ok(kept.every((uuid) => stored.get(uuid) === 1))
  await goDown()
  t.equal((await submit(makeEvent())).kind, 'spilled')
  t.equal(sink.spill()?.isFull, false)
  await comeBack()
})

t.test('a spill that is wiped tells what it held and goes on', async (t) => {
  const { server, nats, messages, submit, drain, emptied, copies, goDown, comeBack } =
    await setUp(t)
  await goDown()
  t.equal((await submit(makeEvent())).kind, 'spilled')
  await messages.status()
  await server.kill()
  server.wipe()
  await server.start()
  await until('a connection', () => nats.connected())
  const event = makeEvent()
  await until('events to be spilled', async () => (await submit(event)).kind === 'spilled')
  t.ok(messages.lostMessages() >= 1)
  await comeBack()
  drain()
  await emptied()
  t.equal((await copies()).get(event.uuid), 1)
})

t.test('large events travel alone, one that no message holds is refused', async (t) => {
  const { submit, drain, emptied, copies, goDown, comeBack } = await setUp(t)
  const eventOf = (text: string) => makeEvent({ properties: JSON.stringify({ text }) })
  const large = (chars: number) => eventOf('x'.repeat(chars))
  await goDown()
  // Nothing makes noise shorter.
  const noise = randomBytes(1_200_000).toString('base64')
  t.equal((await submit(makeEvent(), eventOf(noise))).kind, 'unavailable')
  const events = [makeEvent(), large(1_000_000), large(400_000), large(400_000), makeEvent()]
  t.equal((await submit(...events)).kind, 'spilled')
  await comeBack()
  drain()
  await emptied()
  const stored = await copies()
  t.ok(events.every(({ uuid }) => stored.get(uuid) === 1))
})

t.test('a worker that ends between commit and acknowledgement: another one goes on', async (t) => {
  const ended = await setUp(t)
  const { db, server, failing, submit, drain, drainer, copies, goDown, comeBack } = ended
  await goDown()
  const events = Array.from({ length: 50 }, () => makeEvent({ person: { set: '{"a":1}' } }))
  await Promise.all(events.map((event) => submit(event)))
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
})

t.test('a person deleted at one worker while another has its events in the spill', async (t) => {
  const holding = await setUp(t)
  const { db, server, project, submit, emptied, goDown, comeBack, copies } = holding
  const deleting = await openWorker(t, { db, server })
  const stored = makeEvent({ distinctId: 'a', person: { set: '{"email":"a@b.c"}' } })
  t.equal((await submit(stored)).kind, 'stored')
  await goDown()
  const spilled = ['a', 'b'].map((distinctId) =>
    makeEvent({ distinctId, person: { set: '{"email":"back"}' } }),
  )
  for (const event of spilled) t.equal((await submit(event)).kind, 'spilled')
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
    const { commits, messages, submit, drain, emptied, copies, goDown, comeBack } = await setUp(t)
    await goDown()
    const acknowledged: string[] = []
    const client = async (requests: number, events: number) => {
      for (let n = 0; n < requests; n++) {
        const sent = Array.from({ length: events }, () =>
          makeEvent({ distinctId: `d${n}`, properties: '{"path":"/somewhere","n":1}' }),
        )
        if ((await submit(...sent)).kind === 'spilled')
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
