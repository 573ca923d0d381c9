import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runBench, tryRate } from '../../../bench/load/bench.ts'
import { LoadRun } from '../../../bench/load/load-run.ts'
import { prepare } from '../../../bench/load/machine/prepare.ts'
import type { BenchPlan, EventWorkload } from '../../../bench/load/plan/plan.ts'
import { compared } from '../../../bench/load/report/baseline.ts'
import {
  loadBaseline,
  problemWithPaths,
  writeReportFiles,
} from '../../../bench/load/report/report-files.ts'
import { renderReport } from '../../../bench/load/report/report-text.ts'
import { createPrng } from '../../../bench/load/workload/prng.ts'
import { isCaptureAnswer, type RequestSource } from '../../../bench/load/workload/request-source.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'
import {
  type FakeAnswer,
  type FakeHttpServer,
  type SeenRequest,
  startFakeHttpServer,
} from '../../support/http/fake-http-server.ts'

const deps = { clock: systemClock, log: silentLog }
const OK: FakeAnswer = { status: 200, body: '{"status":1}' }
const REQUEST = Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')

const source: RequestSource = {
  bytesMax: REQUEST.length,
  eventsPerRequest: 1,
  accepts: isCaptureAnswer,
  fill: (target) => REQUEST.copy(target),
}

async function startServer(
  t: Test,
  answer: (request: SeenRequest, index: number) => FakeAnswer,
): Promise<FakeHttpServer> {
  const server = await startFakeHttpServer(answer)
  t.teardown(() => server.close())
  return server
}

/** Sends exactly `requests` on a few connections and answers what was measured. */
async function sendAll(port: number, requests: number, timeoutMs = 5_000) {
  const run = new LoadRun(
    { ...deps, prng: createPrng(1), source },
    {
      target: { host: '127.0.0.1', port },
      connections: 4,
      model: { kind: 'closed' },
      timeoutMs,
      backlogMax: 10,
    },
  )
  await run.connect()
  const result = await run.phase({ durationMs: 30_000, requestsMax: requests })
  run.close()
  return result
}

t.test('refusals and wrong bodies are counted apart and kept out of the latencies', async (t) => {
  const answers: FakeAnswer[] = [
    { status: 503, body: '{}' },
    { status: 503, body: '{}', headers: { 'Retry-After': '1' } },
    { status: 500, body: '' },
    { status: 400, body: '{"status":1}' },
    { status: 301, body: '' },
    { status: 200, body: '{"status":0}' },
  ]
  const server = await startServer(t, (_request, index) => answers[index] ?? OK)
  const { tally } = await sendAll(server.port, 20)
  t.match(tally.counts, { sent: 20, accepted: 14, shed: 2, failed: 1, refused: 1, invalid: 2 })
  t.equal(tally.shedWithoutRetryAfter, 1)
  t.equal(tally.service.totalCount, 14)
  t.equal(tally.statuses.get(200), 15)
})

t.test('a broken connection loses its request only and is opened again', async (t) => {
  const server = await startServer(t, (_request, index) =>
    index % 5 === 0 ? { ...OK, destroy: true } : OK,
  )
  const { tally } = await sendAll(server.port, 50)
  t.match(tally.counts, { sent: 50, accepted: 40, reset: 10 })
  t.equal(server.seen.length, 50)
})

t.test('a connection that the server closes after its answer loses nothing', async (t) => {
  const closing = { ...OK, headers: { Connection: 'close' } }
  const server = await startServer(t, () => closing)
  const { tally } = await sendAll(server.port, 50)
  t.match(tally.counts, { sent: 50, accepted: 50, reset: 0, protocol: 0 })
})

t.test('a request without an answer counts as the timeout', async (t) => {
  const server = await startServer(t, (_request, index) => ({ ...OK, hang: index === 3 }))
  // The others are answered in time, unless the machine stands still for so long.
  const { tally } = await sendAll(server.port, 20, 1_500)
  t.match(tally.counts, { sent: 20, accepted: 19, timeout: 1 })
  t.equal(tally.service.totalCount, 20)
  t.ok(tally.service.maxValue >= 1_499_000, `${tally.service.maxValue} us`)
})

t.test('a server that is not there is said to be', async (t) => {
  const server = await startServer(t, () => OK)
  await server.close()
  // Ten seconds of attempts pass in a tenth of one.
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 100 }
  const run = new LoadRun(
    { clock, prng: createPrng(1), source },
    {
      target: { host: '127.0.0.1', port: server.port },
      connections: 2,
      model: { kind: 'closed' },
      timeoutMs: 1_000,
      backlogMax: 1,
    },
  )
  await t.rejects(run.connect(), { code: 'unavailable', message: /ECONNREFUSED/ })
})

function capturePlan(url: string, some: Partial<BenchPlan> = {}): BenchPlan {
  return {
    workload: {
      kind: 'batch',
      batch: 3,
      properties: 2,
      valueBytes: 4,
      shape: 'plain',
      gzipShare: 0.5,
      uuidVersion: 7,
    },
    url,
    projects: [{ apiKey: 'phc_x', projectId: 1, personalApiKey: 'phx_x' }],
    databaseUrl: undefined,
    model: { kind: 'open', ratePerS: 200, arrivals: 'poisson' },
    connections: 4,
    warmupMs: 50,
    durationMs: 200,
    runs: 2,
    timeoutMs: 5_000,
    backlogMax: 1_000,
    distinctIds: 100,
    zipfExponent: 1,
    seed: 1,
    expectedIntervalMs: undefined,
    thresholds: [],
    readBack: true,
    drainMs: 2_500,
    groups: [],
    settings: { seed: 1 },
    ...some,
  }
}

t.test('an open load prepares with a page view of each visitor, and no request more', async (t) => {
  let batches = 0
  const server = await startServer(t, ({ path }) => {
    if (path.startsWith('/batch/')) batches++
    return OK
  })
  const plan = capturePlan(`http://127.0.0.1:${server.port}`, { distinctIds: 500 })
  const pages = { ...plan.workload, shape: 'pages' } as EventWorkload
  await prepare(deps, { ...plan, workload: pages })
  t.equal(batches, 6, '96 visitors each')
  await prepare(deps, { ...plan, distinctIds: 5_000, workload: pages })
  t.equal(batches - 6, 53, 'also when the time of all is reckoned after the first ones')
})

t.test('an open model sends as many requests as a phase may have', async (t) => {
  const server = await startServer(t, () => OK)
  const run = new LoadRun(
    { ...deps, prng: createPrng(1), source },
    {
      target: { host: '127.0.0.1', port: server.port },
      connections: 4,
      model: { kind: 'open', ratePerS: 5_000, arrivals: 'poisson' },
      timeoutMs: 5_000,
      backlogMax: 1_000,
    },
  )
  await run.connect()
  const { tally } = await run.phase({ durationMs: 30_000, requestsMax: 50 })
  run.close()
  t.match(tally.counts, { sent: 50, accepted: 50 })
  t.equal(server.seen.length, 50)
})

/** Stores by counting: answers captures, and the count when it is asked for. */
function countingServer(t: Test, storedOf: (captures: number) => number) {
  let captures = 0
  const names = new Set<string>()
  const started = startServer(t, (request) => {
    const url = new URL(request.path, 'http://x')
    if (request.method === 'POST') {
      captures++
      return OK
    }
    names.add(url.searchParams.get('event') ?? '')
    const allowed = request.headers.authorization === 'Bearer phx_x'
    const count = storedOf(captures)
    return { status: allowed ? 200 : 401, body: JSON.stringify({ count, results: [] }) }
  })
  return { started, names }
}

t.test('a lost event fails the bench', async (t) => {
  const { started } = countingServer(t, (captures) => captures * 3 - 1)
  const { url } = await started
  const report = await runBench(deps, capturePlan(url))
  t.match(report.conservation, { verdict: 'broken', detail: '1 accepted events lost' })
  t.notOk(report.verdict.ok)
  t.match(report.verdict.reasons.at(-1), 'conservation: 1 accepted events lost')
})

t.test('every accepted event, of warm-up and runs, is found again', async (t) => {
  const { started, names } = countingServer(t, (captures) => captures * 3)
  const { url, seen } = await started
  const report = await runBench(deps, capturePlan(url))
  const captures = seen.filter((request) => request.method === 'POST').length
  t.match(report.conservation, { verdict: 'holds', sent: captures * 3, stored: captures * 3 })
  t.equal(names.size, 1)
  t.match([...names][0], /^sluice_bench_[0-9a-f]{12}$/)
  t.equal(report.latencyOf, 'response')
  t.equal(report.runs.length, 2)
  const shown = renderReport(report)
  t.match(shown, 'conservation (warm-up and all runs): holds: every accepted event, once')
  t.notMatch(JSON.stringify(report), 'phx_x', 'a report holds no key')
})

t.test('without a way to read back nothing is claimed', async (t) => {
  const { started } = countingServer(t, () => 0)
  const { url } = await started
  const projects = [{ apiKey: 'phc_x', projectId: undefined, personalApiKey: undefined }]
  const report = await runBench(deps, capturePlan(url, { projects }))
  t.equal(report.conservation?.verdict, 'not checked')
  t.equal(report.conservation?.stored, undefined)
})

t.test('a read-back that fails does not pass for one that holds', async (t) => {
  const { started } = countingServer(t, () => 0)
  const { url } = await started
  const projects = [{ apiKey: 'phc_x', projectId: 1, personalApiKey: 'phx_wrong' }]
  const report = await runBench(deps, capturePlan(url, { projects, drainMs: 600 }))
  t.match(report.conservation, { verdict: 'broken', stored: undefined })
  t.match(report.conservation?.detail, 'reading back failed: reading events back answered 401')
})

t.test('broken thresholds fail the bench and a search step', async (t) => {
  const { started } = countingServer(t, (captures) => captures * 3)
  const { url } = await started
  const impossible = capturePlan(url, {
    projects: [{ apiKey: 'phc_x', projectId: undefined, personalApiKey: undefined }],
    thresholds: [{ metric: 'rps', operator: '>=', limit: 1_000_000 }],
    runs: 1,
  })
  const report = await runBench(deps, impossible)
  t.match(report.verdict.reasons.at(-1), /^rps is .*, wanted >= 1000000$/)
  t.not(await tryRate(deps, impossible, 50), 'kept')
})

t.test('decide makes missing flags, primes every id, and asks them again', async (t) => {
  const flags = new Set(['bench-flag-2'])
  const server = await startServer(t, (request) => {
    if (request.method === 'GET') {
      const results = [...flags].map((key) => ({ key, active: true }))
      return { status: 200, body: JSON.stringify({ count: flags.size, results }) }
    }
    const body: { key?: string } = JSON.parse(request.body.toString())
    if (body.key === undefined)
      return { status: 200, body: '{"featureFlags":{"bench-flag-1":true}}' }
    if (flags.has(body.key)) return { status: 400, body: '{"code":"unique"}' }
    flags.add(body.key)
    return { status: 201, body: '{}' }
  })
  const report = await runBench(deps, {
    ...capturePlan(server.url, { runs: 1, distinctIds: 50, zipfExponent: undefined }),
    workload: { kind: 'decide', mode: 'hot', flags: 20 },
    model: { kind: 'closed' },
    expectedIntervalMs: 1,
  })
  t.equal(flags.size, 20)
  t.match(report.settings, { activeFlags: [20] })
  t.equal(report.conservation, undefined)
  t.equal(report.latencyOf, 'response', 'corrected with the expected interval')
  const asked = server.seen
    .filter((request) => request.path === '/decide/?v=2')
    .map((request) => JSON.parse(request.body.toString()).distinct_id)
  t.equal(new Set(asked).size, 50)
  t.equal(new Set(asked.slice(0, 50)).size, 50, 'the priming pass asks each once')
  t.ok(report.runs[0]?.counts.accepted)
})

t.test('a ramp runs its steps in turn and writes every file of its report', async (t) => {
  const { started } = countingServer(t, () => 0)
  const { url } = await started
  const plan = capturePlan(url, { ramp: [50, 100], durationMs: 1_100, readBack: false })
  const report = await runBench(deps, plan)
  // On a busy machine the generator may be late, which ends a ramp.
  const [first, second] = report.runs
  t.match(first, { name: '50/s', ratePerS: 50 })
  if (first?.generator.saturated === undefined) t.match(second, { name: '100/s', ratePerS: 100 })
  for (const { seconds, counts } of report.runs) {
    t.equal(seconds.length, 2)
    const sent = seconds.reduce((sum, { sent }) => sum + sent, 0)
    t.ok(sent > 0 && sent <= counts.sent, `${sent} of ${counts.sent}`)
    t.ok(seconds[0]?.usage[0]?.rssMb, 'the generator was looked at')
  }
  const folder = t.testdir()
  const path = (name: string) => join(folder, name)
  const paths = { json: path('a'), csv: path('b'), html: path('c'), hgrm: path('d') }
  t.equal(problemWithPaths(paths), undefined)
  t.match(problemWithPaths({ csv: path('none/x') }), /^--csv .* cannot be written$/)
  t.match(problemWithPaths({ html: folder }), /is a folder$/)
  writeReportFiles(report, paths)
  const written = (name: string) => readFileSync(path(name), 'utf8')
  t.match(JSON.parse(written('a')), { schema: 'sluice-bench/1', runs: [{ name: '50/s' }] })
  t.equal(written('b').trim().split('\r\n').length, 1 + 2 * report.runs.length)
  t.match(written('c'), '<td>50/s')
  const answers = report.runs.reduce((sum, { responseMs }) => sum + (responseMs?.count ?? 0), 0)
  t.match(written('d'), new RegExp(`Total count += +${answers}\\]`))
  const before = loadBaseline(paths.json)
  t.notOk(loadBaseline(path('none')).ok)
  const shown = before.ok ? renderReport(compared(report, before.value, 0)) : ''
  t.match(shown, /50\/s rps +\S+ +\S+ +1\.000/)
  t.notMatch(shown, 'WARNING')
})

/** Requests of a mix: captures, batches, flags, and one project's management. */
function wholeServer(t: Test) {
  let stored = 0
  const page = (results: unknown[]) => ({ count: results.length, results })
  const answer = (method: string, url: URL, body: string): unknown => {
    if (method === 'POST' && url.pathname === '/capture/') stored++
    if (method === 'POST' && url.pathname === '/batch/') stored += JSON.parse(body).batch.length
    if (url.pathname === '/decide/') return { featureFlags: {} }
    if (method === 'POST') return { status: 1 }
    const named = url.searchParams.get('event')
    if (named?.startsWith('sluice_bench_')) return { ...page([]), count: stored }
    return url.pathname === '/api/projects/1/' ? { id: 1 } : page([{ id: 1 }])
  }
  return startServer(t, ({ method, path, body }) => {
    const value = answer(method, new URL(path, 'http://x'), body.toString())
    return { status: 200, body: JSON.stringify(value) }
  })
}

t.test('a mix sends every kind, counts each apart and finds its events again', async (t) => {
  const server = await wholeServer(t)
  const report = await runBench(deps, {
    ...capturePlan(server.url, { runs: 1, durationMs: 1_000, drainMs: 600 }),
    model: { kind: 'closed' },
    workload: {
      kind: 'mixed',
      mix: { capture: 40, decide: 20, batch: 20, management: 20 },
      ...{ batch: 3, properties: 2, valueBytes: 4, shape: 'plain', gzipShare: 0 },
      ...{ uuidVersion: 7, mode: 'cold', flags: 0, route: 'project', events: 0 },
    },
  })
  const run = report.runs[0]
  const { reasons } = report.verdict
  // Client and server share a process here, and may use all of it.
  t.strictSame(
    reasons.filter((reason) => !reason.startsWith('generator saturated')),
    [],
  )
  t.equal(report.bench, 'mixed')
  const kinds = Object.entries(run?.kinds ?? {})
  t.strictSame(
    kinds.map(([name]) => name),
    ['capture', 'decide', 'batch', 'management'],
  )
  for (const [name, { counts, figures }] of kinds) {
    t.ok(counts.accepted > 0 && figures.p99 > 0, name)
    t.equal(figures.eps > 0, name === 'capture' || name === 'batch', name)
  }
  const sum = (read: (kind: (typeof kinds)[number][1]) => number) =>
    kinds.reduce((total, [, kind]) => total + read(kind), 0)
  t.equal(
    sum(({ counts }) => counts.accepted),
    run?.counts.accepted,
  )
  t.equal(Math.round(sum(({ figures }) => figures.eps)), Math.round(run?.figures.eps ?? 0))
  t.match(report.conservation, { verdict: 'holds' })
  t.match(renderReport(report), /^ {2}management +\d/m)
})
