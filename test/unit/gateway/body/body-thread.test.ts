import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { openInline, SENT_AT_LENGTH_MAX } from '../../../../gateway/body/body-open.ts'
import {
  type BodyThreads,
  createBodyThreads,
  type LargeBody,
} from '../../../../gateway/body/body-thread.ts'
import { encodeChunks } from '../../../../gateway/body/chunk.ts'
import { type Clock, systemClock } from '../../../../src/core/clock.ts'
import {
  BODY_BYTES_MAX,
  BODY_THREAD_DEADLINE_MS,
  BODY_THREAD_REPLY_MS,
  BODY_THREADS_BYTES_MAX,
  MICRO_BATCH_BYTES_MAX,
  MICRO_BATCH_EVENTS_MAX,
} from '../../../../src/core/limits/limits.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { threadScript } from '../../../../src/core/thread-script.ts'
import { YIELDING_PRIORITY } from '../../../../src/core/yield-processor.ts'
import type { IngestEvent } from '../../../../src/events/event.ts'
import { NO_LOSSES } from '../../../../src/events/losses.ts'
import type { IngestContext } from '../../../../src/events/parse-event.ts'
import { META } from '../../../support/ingest/open-body.ts'
import { moduleUrl } from '../../../support/module-url.ts'

const encoderModule = moduleUrl('../../../support/ingest/json-batch-encoder.ts', import.meta.url)
const GROUP = 'project 7'
const SENDER = { peer: '192.0.2.1', group: GROUP }
const CONTEXT: IngestContext = {
  projectId: 7,
  dialect: { kind: 'posthog' },
  receivedAtMs: Date.UTC(2024, 0, 2),
  sentAt: [],
  ip: '1.2.3.4',
  anonymizeIps: false,
}

/** Real threads, but deadlines pass only when the test says so. */
function createManualClock(): Clock & { expire(): void } {
  const timers = new Set<() => void>()
  return {
    ...systemClock,
    after(ms, run) {
      t.ok(ms === BODY_THREAD_DEADLINE_MS || ms === BODY_THREAD_REPLY_MS)
      timers.add(run)
      return () => timers.delete(run)
    },
    expire() {
      for (const run of [...timers]) {
        timers.delete(run)
        run()
      }
    },
  }
}

function start(
  t: { teardown(run: () => Promise<void>): void },
  options: { clock?: Clock; threadsMax?: number; encoderModule?: URL } = {},
): BodyThreads {
  const { clock = systemClock, ...rest } = options
  const threads = createBodyThreads({ clock, log: silentLog }, { encoderModule, ...rest })
  t.teardown(() => threads.close())
  return threads
}

function bodyOf(count: number, fields: Record<string, unknown> = {}): Buffer {
  const batch = Array.from({ length: count }, (_, at) => ({
    event: `event ${at}`,
    properties: { distinct_id: 'u1', at },
  }))
  return Buffer.from(JSON.stringify({ api_key: 'phc_1', batch, ...fields }))
}

async function opened(threads: BodyThreads, body: Buffer): Promise<LargeBody> {
  const result = await threads.open(body, META, SENDER)
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

t.test('refused bodies keep the code of their fault', async (t) => {
  const threads = start(t, { threadsMax: 1 })
  const open = (body: Buffer) => threads.open(body, META, SENDER)
  const bomb = gzipSync(Buffer.alloc(BODY_BYTES_MAX + 1, 32))
  t.same(await open(Buffer.from('{')), {
    ok: false,
    error: { status: 400, code: 'invalid_payload' },
  })
  t.same(await open(bomb), { ok: false, error: { status: 413, code: 'request_too_large' } })
  const body = await opened(threads, bodyOf(1, { batch: [5, null] }))
  t.same(await body.normalise(CONTEXT, GROUP), {
    ok: false,
    error: { status: 400, code: 'invalid_payload' },
  })
})

t.test('more bytes than the bound are refused at once, and let in again later', async (t) => {
  const threads = start(t, { threadsMax: 1 })
  const large = () => Buffer.alloc(BODY_BYTES_MAX, 32)
  const count = Math.floor(BODY_THREADS_BYTES_MAX / BODY_BYTES_MAX)
  const taken = Array.from({ length: count }, (_, at) =>
    threads.open(large(), META, { peer: `peer ${at}`, group: `group ${at}` }),
  )
  t.match(await threads.open(large(), META, SENDER), { error: { status: 503, code: 'overloaded' } })
  for (const result of await Promise.all(taken)) t.match(result, { error: { code: 'no_data' } })
  t.match(await threads.open(large(), META, SENDER), { error: { code: 'no_data' } })
})

t.test('threads yield the processors to the event loop, on Linux', async (t) => {
  const before = getPriority()
  const known = new Set(prioritiesOfThreads().keys())
  const threads = start(t, { threadsMax: 1 })
  await opened(threads, bodyOf(1))
  t.equal(getPriority(), before, 'the event loop does not')
  const made = [...prioritiesOfThreads()].filter(([thread]) => !known.has(thread))
  const priorities = made.map(([, priority]) => priority)
  if (process.platform !== 'linux' || before >= YIELDING_PRIORITY) {
    t.notOk(
      priorities.some((priority) => priority < before),
      'nothing comes before it',
    )
  } else {
    t.strictSame(
      priorities.filter((priority) => priority > before),
      [YIELDING_PRIORITY],
    )
  }
})

/** Nice values of this process's threads, by their ids; empty where there is no /proc. */
function prioritiesOfThreads(): ReadonlyMap<string, number> {
  if (process.platform !== 'linux') return new Map()
  const priorities = new Map<string, number>()
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = statOf(thread)
    if (stat === undefined) continue
    // Behind the name, which may hold spaces: state is the first, nice the 17th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    priorities.set(thread, Number(fields[16]))
  }
  return priorities
}

/** `undefined` for a thread that has ended since it was listed. */
function statOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch {
    return undefined
  }
}

t.test('a body normalised twice, or after it was discarded, is not stored', async (t) => {
  const threads = start(t, { threadsMax: 1 })
  const first = await opened(threads, bodyOf(1))
  first.discard()
  first.discard()
  t.match(await first.normalise(CONTEXT, GROUP), { error: { status: 503 } })
  const second = await opened(threads, bodyOf(1))
  t.match(await second.normalise(CONTEXT, GROUP), { ok: true })
  t.match(await second.normalise(CONTEXT, GROUP), { error: { status: 503 } })
})

t.test('bodies without a place wait for one, in order', async (t) => {
  const threads = start(t, { threadsMax: 1 })
  const held = [await opened(threads, bodyOf(1)), await opened(threads, bodyOf(2))]
  const order: number[] = []
  const third = opened(threads, bodyOf(3)).then((body) => {
    order.push(3)
    return body
  })
  const fourth = opened(threads, bodyOf(4)).then((body) => {
    order.push(4)
    return body
  })
  for (const body of held) body.discard()
  const rest = await Promise.all([third, fourth])
  t.same(order, [3, 4])
  for (const body of rest) t.match(await body.normalise(CONTEXT, GROUP), { ok: true })
})

t.test('a body nobody comes back for loses its place, a waiting one its patience', async (t) => {
  const clock = createManualClock()
  const threads = start(t, { clock, threadsMax: 1 })
  const held = [await opened(threads, bodyOf(1)), await opened(threads, bodyOf(1))]
  const waiting = threads.open(bodyOf(1), META, SENDER)
  clock.expire()
  await waiting
  for (const body of held) t.match(await body.normalise(CONTEXT, GROUP), { error: { status: 503 } })
  const next = await opened(threads, bodyOf(1))
  t.match(await next.normalise(CONTEXT, GROUP), { ok: true })
})

t.test('a thread that does not answer is ended, and another takes over', async (t) => {
  const clock = createManualClock()
  const threads = start(t, { clock, threadsMax: 1 })
  const held = await opened(threads, bodyOf(1))
  const body = bodyOf(50_000)
  const stuck = threads.open(body, META, SENDER)
  // It is asked within this turn of the loop, and can be heard in a later one at the soonest.
  for (let step = 0; step < 50; step++) await undefined
  clock.expire()
  t.match(await stuck, { error: { status: 503, code: 'overloaded' } })
  t.match(await held.normalise(CONTEXT, GROUP), { error: { status: 503 } })
  t.match(await (await opened(threads, bodyOf(1))).normalise(CONTEXT, GROUP), { ok: true })
})

t.test('a thread that cannot start answers 503', async (t) => {
  const missing = moduleUrl('./no-such-encoder.ts', import.meta.url)
  const threads = start(t, { encoderModule: missing })
  t.match(await threads.open(bodyOf(1), META, SENDER), { error: { status: 503 } })
})

t.test('closing answers everybody', async (t) => {
  const threads = start(t, { threadsMax: 1 })
  const held = await opened(threads, bodyOf(1))
  await opened(threads, bodyOf(1))
  const waiting = threads.open(bodyOf(1), META, SENDER)
  await threads.close()
  t.match(await waiting, { error: { status: 503 } })
  t.match(await held.normalise(CONTEXT, GROUP), { error: { status: 503 } })
  t.match(await threads.open(bodyOf(1), META, SENDER), { error: { status: 503 } })
})

t.test('a large batch comes back in chunks, as the inline path would have it', async (t) => {
  const threads = start(t)
  const count = MICRO_BATCH_EVENTS_MAX * 2 + 1
  const sent_at = '2024-01-01T00:00:00Z'
  const body = gzipSync(bodyOf(count, { sent_at }))
  const large = await opened(threads, body)
  t.match(large.head, { token: { kind: 'candidate', token: 'phc_1' }, sentAt: [sent_at] })
  const result = await large.normalise({ ...CONTEXT, sentAt: large.head.sentAt }, GROUP)
  if (!result.ok) throw new Error(result.error.code)
  const { chunks, losses, results } = result.value
  t.equal(results, '')
  t.same(
    chunks.map((chunk) => chunk.events),
    [MICRO_BATCH_EVENTS_MAX, MICRO_BATCH_EVENTS_MAX, 1],
  )
  t.same(losses, NO_LOSSES)
  const events = chunks.flatMap((chunk) => {
    const batch = JSON.parse(Buffer.from(chunk.bytes).toString())
    t.equal(batch.projectId, 7)
    return batch.events
  })
  t.same(
    events.map((event) => event.event),
    Array.from({ length: count }, (_, at) => `event ${at}`),
  )
  t.same(JSON.parse(events[0].properties), {
    distinct_id: 'u1',
    at: 0,
    $ip: '1.2.3.4',
    $sent_at: '2024-01-01T00:00:00.000Z',
  })
})

t.test('a large batch of the protocol v1 comes back with its results', async (t) => {
  const threads = start(t)
  const uuids = ['a', 'b'].map((digit) => `0190a5f2-0000-7000-8000-00000000000${digit}`)
  const items = uuids.map((uuid) => ({ event: 'e', uuid, distinct_id: 'u' }))
  const batch = [...items, { uuid: 'x', event: 'no id' }]
  const body = Buffer.from(JSON.stringify({ created_at: '2024-01-01T00:00:00Z', batch }))
  const v1 = { sentAt: '2024-01-01T01:00:00Z' }
  const meta = { ...META, authorization: 'Bearer phc_2', v1 }
  const large = await threads.open(body, meta, SENDER)
  if (!large.ok) throw new Error(large.error.code)
  t.match(large.value.head, {
    token: { token: 'phc_2' },
    sentAt: [v1.sentAt, '2024-01-01T00:00:00Z'],
  })
  const context = { ...CONTEXT, dialect: { kind: 'v1', sdk: undefined } } as const
  const result = await large.value.normalise(context, GROUP)
  if (!result.ok) throw new Error(result.error.code)
  t.match(result.value, {
    losses: { counts: { no_distinct_id: 1 } },
    chunks: [{ events: 2 }],
  })
  t.same(JSON.parse(result.value.results), {
    results: {
      [uuids[0] ?? '']: { result: 'ok' },
      [uuids[1] ?? '']: { result: 'ok' },
      x: { result: 'drop', details: 'missing_distinct_id' },
    },
  })
})

t.test('decide gets its payload back, unless it is large even when decoded', async (t) => {
  const threads = start(t)
  const payload = { token: 'phc_1', distinct_id: 'u1', __proto__x: 1 }
  const padded = Buffer.from(`${' '.repeat(400_000)}${JSON.stringify(payload)}`)
  t.match(await threads.openPayload(padded, META, SENDER), {
    ok: true,
    value: { payload, token: { token: 'phc_1' }, sentAt: [] },
  })
  const large = Buffer.from(JSON.stringify({ ...payload, extra: 'a'.repeat(1_100_000) }))
  t.match(await threads.openPayload(large, META, SENDER), { error: { status: 413 } })
  t.match(await threads.openPayload(Buffer.from('{'), META, SENDER), { error: { status: 400 } })
})

t.test('inline opening reads the same head', async (t) => {
  const result = openInline(bodyOf(1, { sent_at: 'nonsense' }), {
    ...META,
    query: '_=nonsense&sent_at=1704067200',
  })
  t.match(result, {
    value: { token: { token: 'phc_1' }, sentAt: ['nonsense', 'nonsense', '1704067200'] },
  })
})

t.test('a text too long for a time is not carried along', async (t) => {
  const carried = (sent_at: string) => {
    const result = openInline(bodyOf(1, { sent_at }), META)
    return result?.ok === true ? result.value.sentAt.length : undefined
  }
  t.equal(carried('1'.repeat(SENT_AT_LENGTH_MAX)), 1)
  t.equal(carried('1'.repeat(SENT_AT_LENGTH_MAX + 1)), 0)
})

t.test('chunks keep to the bounds in bytes, one larger event travels alone', async (t) => {
  const event = (bytes: number): IngestEvent => ({
    uuid: '00000000-0000-7000-8000-000000000000',
    event: 'e',
    distinctId: 'd',
    timestamp: '2024-01-01T00:00:00.000000Z',
    properties: 'x'.repeat(bytes),
    elementsChain: '',
    person: {
      profile: true,
      setOnce: '{}',
      volatile: '{}',
      set: '{}',
      unset: ['a'],
      merge: { kind: 'alias', otherDistinctId: 'o' },
    },
    groups: [{ type: 't', key: 'k' }],
    groupChange: { type: 't', key: 'k', set: '{}' },
  })
  const half = MICRO_BATCH_BYTES_MAX / 2 - 1_000
  const sizes = [half, half, half, MICRO_BATCH_BYTES_MAX * 3, 10, 10]
  const pool = Buffer.alloc(10)
  const chunks = encodeChunks(1, sizes.map(event), () => pool)
  t.same(
    chunks.map((chunk) => chunk.events),
    [2, 1, 1, 2],
  )
  for (const chunk of chunks) t.not(chunk.bytes.buffer, pool.buffer)
  t.same(
    encodeChunks(1, [], () => pool),
    [],
  )
})

t.test('a thread runs the kind of file that its starter is', async (t) => {
  t.equal(threadScript('./entry', 'file:///app/dist/a.js').href, 'file:///app/dist/entry.js')
  const script = threadScript('./entry', 'file:///app/a.ts')
  t.match(decodeURIComponent(script.href), 'import("file:///app/entry.ts")')
})

t.test(
  'a management body is read whole, without what nobody reads, or named as wrong',
  async (t) => {
    const threads = start(t, { threadsMax: 1 })
    const meta = { contentType: 'application/json', wanted: ['name'] }
    const read = (text: string, more = {}) =>
      threads.readRest(Buffer.from(text), { ...meta, ...more }, SENDER)
    const junk = 'x'.repeat(1_000_000)
    t.same(await read(JSON.stringify({ junk, name: ['a', null] })), {
      ok: true,
      value: { kind: 'json', text: '{"name":["a",null]}' },
    })
    t.match(await read('{'), { ok: false, error: { code: 'parse_error', attr: null } })
    const form = { contentType: 'application/x-www-form-urlencoded' }
    const fields = await read(`name=1&name=2&junk=${junk}`, form)
    t.ok('ok' in fields && fields.ok && fields.value.kind === 'form')
    if ('ok' in fields && fields.ok && fields.value.kind === 'form') {
      t.same(fields.value.form.fields.get('name'), ['1', '2'])
    }
    await threads.close()
    t.same(await read('{}'), { kind: 'overloaded' })
  },
)
