/** Tests of the checks: a check that cannot fail proves nothing. */
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { pause, until } from '../support/until.ts'
import { compareEvents, judgeEpoch } from './harness/checks.ts'
import { emptyRecord, judgeSightings, judgeVersions, type Version } from './harness/history.ts'
import { createJournal, figuresOf } from './harness/journal.ts'
import { startLoad } from './harness/load.ts'
import { SETTLE_MS, STANDSTILL_MS, watchMachine } from './harness/machine.ts'
import { failuresIn } from './harness/report.ts'

const AT_G1 = { gateway: 'g1', value: 1, version: 2, ackedAt: 100, field: 'payload' } as const

t.test('events: lost, doubled and invented ones are found', (t) => {
  const attempted = new Map([[1, new Set(['a', 'b', 'c', 'd'])]])
  const acked = new Map([[1, new Set(['a', 'b', 'c'])]])
  const rows = (...uuids: string[]) => uuids.map((uuid) => ({ project: 1, uuid, count: 1 }))
  const judge = (stored: Parameters<typeof compareEvents>[1], dead = rows()) => {
    const { lost, ghosts, doubled } = compareEvents({ attempted, acked }, stored, dead)
    return { lost, ghosts, doubled }
  }
  t.strictSame(judge(rows('a', 'b', 'c')), { lost: 0, ghosts: 0, doubled: 0 })
  t.strictSame(judge(rows('a', 'b', 'c', 'd')), { lost: 0, ghosts: 0, doubled: 0 }, 'not acked')
  t.strictSame(judge(rows('a', 'd')), { lost: 2, ghosts: 0, doubled: 0 })
  t.strictSame(judge(rows('a', 'b'), rows('c')), { lost: 0, ghosts: 0, doubled: 0 })
  t.strictSame(judge(rows('a', 'b', 'c', 'e')), { lost: 0, ghosts: 1, doubled: 0 })
  const twice = [{ project: 1, uuid: 'a', count: 2 }, ...rows('b', 'c')]
  t.strictSame(judge(twice), { lost: 0, ghosts: 0, doubled: 1 })
  const elsewhere = [...rows('a', 'b'), { project: 2, uuid: 'c', count: 1 }]
  t.strictSame(judge(elsewhere), { lost: 1, ghosts: 1, doubled: 0 }, 'of another project')
  t.end()
})

t.test('flags: what a second writer does is found', (t) => {
  const record = emptyRecord()
  for (const said of ['payload 1', 'payload 2', 'name 1']) record.tried.add(said)
  record.acks.push(AT_G1, { ...AT_G1, value: 2, version: 4 })
  const made = (...steps: [payload: number, name: number][]): Version[] =>
    steps.map(([payload, name], index) => ({ version: index + 1, payload, name }))
  const good = made([0, 0], [1, 0], [1, 1], [2, 1])
  t.strictSame(judgeVersions(record, good), [])
  const problems = (versions: readonly Version[]) => judgeVersions(record, versions).join('; ')
  t.match(problems(made([0, 0], [1, 0], [1, 1], [2, 0])), /takes back/, 'a record written whole')
  t.match(problems(good.slice(0, 3)), /version 4 was acked and is not there/)
  t.match(problems(made([0, 0], [0, 1], [1, 1], [2, 1])), /acked with payload 1, has 0/)
  t.match(problems(made([0, 0], [1, 0], [9, 0], [2, 0])), /nobody asked for payload 9/)
  const late = made([0, 0], [1, 0], [1, 1], [2, 1], [1, 1])
  t.match(problems(late), /payload 1 came back/)
  record.doubted.add('payload 1')
  t.strictSame(judgeVersions(record, late), [], 'an attempt without an answer may come late')
  t.match(problems([...good, { version: 7, payload: 2, name: 1 }]), /version 7 follows 4/)
  record.acks.push({ ...AT_G1, value: 1, version: 2 })
  t.match(problems(good), /acked after 4/)
  t.end()
})

t.test('decides: old and invented answers are found', (t) => {
  const versions = [0, 1, 2].map((value) => ({ version: value + 1, payload: value, name: 0 }))
  const judge = (gateway: string, sentAt: number, value: number) => {
    const record = emptyRecord()
    record.acks.push(AT_G1, { ...AT_G1, value: 2, version: 3, ackedAt: 5_000 })
    record.sightings.push({ gateway, sentAt, value })
    const { examples, ...counts } = judgeSightings(record, versions, 1_000)
    t.equal(examples.length, Math.max(counts.atOnce, counts.late))
    return counts
  }
  const fine = { invented: 0, atOnce: 0, elsewhereMs: 0, late: 0 }
  t.strictSame(judge('g1', 99, 0), fine, 'before the ack')
  t.strictSame(judge('g2', 101, 1), fine)
  t.strictSame(judge('g2', 101, 2), fine, 'newer than what was acked')
  t.strictSame(judge('g1', 101, 0), { ...fine, atOnce: 1, elsewhereMs: 1 })
  t.strictSame(judge('g2', 900, 0), { ...fine, elsewhereMs: 800 })
  t.strictSame(judge('g2', 1_101, 0), { ...fine, elsewhereMs: 1_001, late: 1 })
  t.strictSame(judge('g2', 6_000, 0), { ...fine, elsewhereMs: 5_900, late: 1 }, 'the oldest missed')
  t.strictSame(judge('g2', 101, 7), { ...fine, invented: 1 })
  t.end()
})

t.test('epochs: one that falls, or has two owners, is found', (t) => {
  const row = { shard: 3, epoch: 7n, owner: 'a' }
  t.strictSame(judgeEpoch(row, { ...row, epoch: 8n, owner: 'b' }), [])
  t.strictSame(judgeEpoch(row, { ...row, epoch: 6n }).length, 1)
  t.strictSame(judgeEpoch(row, { ...row, owner: 'b' }).length, 1)
  t.end()
})

t.test('failures: those of a machine that stood still are not counted, all others are', (t) => {
  const failures = (sentAt: number, endedAt: number, status = 503) => {
    const journal = createJournal([{ from: 20_000, to: 23_000 }])
    const attempt = {
      kind: 'decide',
      gateway: 'g1',
      sentAt,
      endedAt,
      status,
      failure: 'x',
    } as const
    journal.attempts.push(attempt)
    return failuresIn(journal, { from: 0, to: 50_000 })
  }
  const counted = (sentAt: number, tookMs: number) => ({
    'decide at g1: x': `1: sent ${sentAt} ms into it, took ${tookMs} ms`,
  })
  t.strictSame(failures(19_000, 19_990), counted(19_000, 990), 'before')
  t.strictSame(failures(19_900, 23_010), {}, 'under way in it')
  t.strictSame(failures(24_000, 24_010), {}, 'soon after it')
  const later = 23_000 + SETTLE_MS
  t.strictSame(failures(later, later + 10), counted(later, 10), 'later')
  t.strictSame(failures(60_000, 60_001), {}, 'outside the span')
  t.strictSame(failures(19_000, 19_990, 200), {}, 'a success')
  t.end()
})

t.test('a machine that stands still is seen', async (t) => {
  const { standstills, stop } = await watchMachine()
  const from = performance.now()
  await pause(10)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS + 100)
  const to = performance.now()
  await until('it is seen', () => standstills.length > 0)
  await stop()
  t.ok(standstills.some((seen) => seen.from < to && seen.to > from + STANDSTILL_MS))
})

/** Answers as a gateway would, or with `status`; records requests answered 200. */
async function startFake(t: Test) {
  const fake = { status: 200, uuids: [] as string[], payload: 0, version: 1, url: '' }
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      const body = JSON.parse(text)
      if (fake.status === 0) return request.socket.resetAndDestroy()
      response.statusCode = fake.status
      if (fake.status !== 200) return response.end('{}')
      for (const { uuid } of body.batch ?? [body]) if (uuid !== undefined) fake.uuids.push(uuid)
      if (request.method === 'PATCH') fake.version += 1
      const payload = body.filters?.payloads?.true
      if (payload !== undefined) fake.payload = Number(payload)
      const featureFlagPayloads = { live: String(fake.payload) }
      return response.end(JSON.stringify({ version: fake.version, featureFlagPayloads }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  fake.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return fake
}

t.test(
  'load: clients repeat what failed, with the same uuids, and all of it is noted',
  async (t) => {
    const fake = await startFake(t)
    const projects = [{ id: 1, projectKey: 'p', personalKey: 'k', liveFlag: 1 }]
    const targets = [{ name: 'g1', url: fake.url }]
    const load = startLoad(
      { projects, targets, spills: async () => false },
      { capture: 50, batch: 10, decide: 20, changes: 4, persons: 0 },
      { giveUpMs: 60_000 },
    )
    const { journal, history } = load
    const acked = () => journal.acked.get(1)?.size ?? 0
    await until('events are acked', () => acked() > 20)
    const from = performance.now()
    for (const status of [503, 0]) {
      fake.status = status
      const failed = () => journal.attempts.filter((each) => each.status === status)
      await until(`attempts fail with ${status}`, () =>
        (['capture', 'batch', 'decide', 'change'] as const).every((kind) =>
          failed().some((each) => each.kind === kind),
        ),
      )
    }
    fake.status = 200
    const to = performance.now()
    await load.stop()
    t.strictSame(new Set(fake.uuids), journal.acked.get(1))
    t.strictSame(new Set(fake.uuids), journal.attempted.get(1), 'in the end all got through')
    t.equal(fake.uuids.length, acked(), 'an event that was acked is not sent again')
    t.strictSame(journal.faults, [])
    const record = history.flags.get(1) ?? emptyRecord()
    t.ok(record.doubted.size > 0, 'a change without an answer may have taken effect')
    t.equal(record.acks.length + record.made.length, fake.version - 1)
    const { operations, gaveUp, failed, errorsMs, longestMs } = figuresOf(journal, 'capture', {
      from,
      to,
    })
    t.ok(operations > 0 && failed > 0 && gaveUp === 0)
    t.ok(errorsMs > 0 && errorsMs <= to - from + 1_000 && longestMs > 0)
  },
)

t.test(
  'load: an answer that no fault excuses is a fault, and clients that give up are seen',
  async (t) => {
    const fake = await startFake(t)
    const projects = [{ id: 1, projectKey: 'p', personalKey: 'k', liveFlag: 1 }]
    const targets = [{ name: 'g1', url: fake.url }]
    fake.status = 401
    const load = startLoad(
      { projects, targets, spills: async () => false },
      { capture: 50, batch: 0, decide: 0, changes: 0, persons: 0 },
      { giveUpMs: 100 },
    )
    await until('a refusal', () => load.journal.faults.length > 0)
    fake.status = 503
    const gaveUp = () => load.journal.operations.some(({ outcome }) => outcome === 'gave_up')
    await until('one gives up', gaveUp)
    await load.stop()
    const outcomes = new Set(load.journal.operations.map(({ outcome }) => outcome))
    t.strictSame([...outcomes].sort(), ['gave_up', 'refused'])
    t.match(load.journal.faults[0], /POST \/capture\/ at g1: 401/)
  },
)
