/** A worker whose events go into a spill, with a database and NATS that a test takes away. */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { openJetStreamLog } from '../../../cluster/nats/jetstream-log.ts'
import { connectNats } from '../../../cluster/nats/nats-connection.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { Failpoints } from '../../../src/core/failpoint.ts'
import { SPILL_MESSAGE_BYTES_MAX } from '../../../src/core/limits/limits.ts'
import { silentLog as log } from '../../../src/core/log.ts'
import type { IngestEvent } from '../../../src/events/event.ts'
import type { IngestOutcome } from '../../../src/events/event-batch.ts'
import { createDrainer } from '../../../src/ingest/spill/drainer.ts'
import { createSpillingSink } from '../../../src/ingest/spill/spilling-sink.ts'
import { createWriter } from '../../../src/ingest/writer.ts'
import {
  DRAIN_BYTES_MAX,
  DRAIN_MESSAGES_MAX,
  SPILL_INFLIGHT_BYTES_MAX,
  WRITER_FLUSH_BYTES_MAX,
  WRITER_FLUSH_EVENTS_MAX,
  WRITER_JOIN_EVENTS_MIN,
  WRITER_PROJECT_SHARE_MAX,
  WRITER_QUEUE_BYTES_MAX,
  WRITER_SLOTS,
} from '../../../src/worker/worker-writer.ts'
import { type TestDatabase, testDatabase } from '../servers/database.ts'
import { type NatsServer, startNats } from '../servers/nats-server.ts'
import { pause, until } from '../until.ts'
import { createProject, makeEvent, openStore } from './ingest-store.ts'

const random = Math.random
const QUEUE = {
  slots: WRITER_SLOTS,
  joinEventsMin: WRITER_JOIN_EVENTS_MIN,
  bytesMax: WRITER_QUEUE_BYTES_MAX,
  projectShareMax: WRITER_PROJECT_SHARE_MAX,
  flushEventsMax: WRITER_FLUSH_EVENTS_MAX,
  flushBytesMax: WRITER_FLUSH_BYTES_MAX,
}
const SPILL = {
  messageBytesMax: SPILL_MESSAGE_BYTES_MAX,
  inflightBytesMax: SPILL_INFLIGHT_BYTES_MAX,
}
const DRAIN = {
  bytesMax: DRAIN_BYTES_MAX,
  messagesMax: DRAIN_MESSAGES_MAX,
  writerBytesMax: WRITER_QUEUE_BYTES_MAX,
}

type Options = {
  readonly bytesMax?: number
  /** Whether stored events go to the outbox. */
  readonly copies?: boolean
}
type Place = Options & { readonly db: TestDatabase; readonly server: NatsServer }

/** The ingest part of a worker, with a spill over a connection of its own. */
export async function openWorker(
  t: Test,
  { db, server, bytesMax = 500_000_000, copies = false }: Place,
) {
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
      store: openStore(t, db, 0, undefined, copies),
      clock,
      log,
      random,
      failpoints,
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
      messages,
      writer,
      clock,
      log,
      random,
      failpoints,
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
    drainer,
    failing,
    messages,
    nats,
    sink,
    writer,
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

/** One such worker and a project; `goDown` and `comeBack` are of Postgres. */
export async function setUp(t: Test, options: Options = {}) {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const server = await startNats(t)
  const worker = await openWorker(t, { db, server, ...options })
  const { messages, sink, writer } = worker
  const submit = (...events: IngestEvent[]) =>
    sink.submit({ projectId: project, events, bytes: events.length * 300 })
  /** Spills events; repeats, because a busy machine may exceed the spill's half a second. */
  const spill = (...events: IngestEvent[]) =>
    until('they are spilled', async () => (await submit(...events)).kind === 'spilled')
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
  return { ...worker, db, server, project, submit, spill, goDown, comeBack, emptied, copies }
}

/** Clients that send until stopped, and record acknowledged and failed events. */
export function startClients(submit: (...events: IngestEvent[]) => Promise<IngestOutcome>) {
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
      await pause(5)
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
