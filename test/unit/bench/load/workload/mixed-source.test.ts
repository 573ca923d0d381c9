import fc from 'fast-check'
import t from 'tap'
import { partsOf } from '../../../../../bench/load/plan/plan.ts'
import { climb, parseRamp } from '../../../../../bench/load/plan/ramp.ts'
import { figuresTable } from '../../../../../bench/load/report/report-tables.ts'
import { renderReport } from '../../../../../bench/load/report/report-text.ts'
import { failures } from '../../../../../bench/load/report/verdict.ts'
import {
  createMixedSource,
  DEFAULT_MIX,
  parseMix,
} from '../../../../../bench/load/workload/mixed-source.ts'
import type { RequestSource } from '../../../../../bench/load/workload/request-source.ts'
import { sampleReport, sampleRun } from '../../../../support/bench-report.ts'

/** Requests that are one byte, and answers that must be the same one. */
function byteSource(byte: number, events: number): RequestSource {
  return {
    bytesMax: byte,
    eventsPerRequest: events,
    fill: (target) => {
      target[0] = byte
      return 1
    },
    accepts: (bytes, start) => bytes[start] === byte,
  }
}

t.test('shares are read with every kind, and nonsense is refused', async (t) => {
  t.strictSame(parseMix(DEFAULT_MIX), {
    ok: true,
    value: { capture: 70, decide: 20, batch: 5, management: 5 },
  })
  t.strictSame(parseMix('decide=1, capture=0.5'), {
    ok: true,
    value: { capture: 0.5, decide: 1, batch: 0, management: 0 },
  })
  const refused = ['', 'capture', 'capture=', 'capture=-1', 'capture=1,', 'other=1']
  for (const text of [...refused, 'capture=1,capture=2', 'capture=0,decide=0', 'decide=1e9']) {
    t.notOk(parseMix(text).ok, text)
  }
})

t.test('requests come in their shares, and answers are judged by the kind asked for', async (t) => {
  const parts = [
    { name: 'capture', share: 70, source: byteSource(7, 1) },
    { name: 'batch', share: 25, source: byteSource(8, 100) },
    { name: 'decide', share: 5, source: byteSource(9, 0) },
  ] as const
  const source = createMixedSource(parts, 1)
  t.strictSame(source.mix?.kinds, [
    { name: 'capture', events: 1 },
    { name: 'batch', events: 100 },
    { name: 'decide', events: 0 },
  ])
  t.equal(source.bytesMax, 9)
  const drawn = [0, 0, 0]
  const buffer = Buffer.alloc(source.bytesMax)
  for (let count = 0; count < 20_000; count++) {
    source.fill(buffer)
    const kind = source.mix?.last() ?? -1
    drawn[kind] = (drawn[kind] ?? 0) + 1
    if (buffer[0] !== 7 + kind) t.fail('the kind is the one that was filled')
  }
  for (const [kind, share] of [0.7, 0.25, 0.05].entries()) {
    t.ok(Math.abs((drawn[kind] ?? 0) / 20_000 - share) < 0.02, `${drawn[kind]} of kind ${kind}`)
  }
  t.ok(source.accepts(Buffer.from([8]), 0, 1, 1))
  t.notOk(source.accepts(Buffer.from([8]), 0, 1, 0))
  t.throws(() => createMixedSource([{ ...parts[0], share: 0 }], 1), { name: 'InvariantError' })
})

t.test('a kind without a share is no part of the mix', async (t) => {
  const events = { properties: 1, valueBytes: 1, shape: 'plain', gzipShare: 0 } as const
  const parts = partsOf({
    kind: 'mixed',
    mix: { capture: 1, batch: 2, decide: 0, management: 0 },
    ...events,
    batch: 50,
    uuidVersion: 7,
    mode: 'hot',
    flags: 1,
    route: 'project',
    events: 0,
  })
  t.match(parts, [
    { share: 1, workload: { kind: 'capture', batch: 1 } },
    { share: 2, workload: { kind: 'batch', batch: 50 } },
  ])
  t.equal(parts.length, 2)
})

t.test('a mix is shown by kind and in all', async (t) => {
  const report = sampleReport({ bench: 'mixed' })
  const { head, rows } = figuresTable({ ...report, kinds: { decide: report.summary } })
  t.equal(head[1], 'rps')
  t.strictSame(
    rows.map(([name]) => name),
    ['decide', 'all'],
  )
})

t.test('rates of a ramp are read, and only ones that rise', async (t) => {
  t.strictSame(parseRamp('1000, 2000,4000.5'), { ok: true, value: [1000, 2000, 4000.5] })
  for (const text of ['', '0', '-1', 'x', '1,', '2,1', '2,2', '1000001', '1e3']) {
    t.notOk(parseRamp(text).ok, text)
  }
  t.notOk(parseRamp(Array.from({ length: 101 }, (_, at) => at + 1).join(',')).ok)
  const rising = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), {
    minLength: 1,
    maxLength: 100,
  })
  fc.assert(
    fc.property(rising, (rates) => {
      const sorted = [...rates].sort((a, b) => a - b)
      const parsed = parseRamp(sorted.join(','))
      return parsed.ok && parsed.value.join() === sorted.join()
    }),
  )
})

t.test('a ramp ends with the step that finds the generator at its limit twice', async (t) => {
  const asked: [ratePerS: number, number: number][] = []
  const measure = (isBusy: (ratePerS: number) => boolean) => {
    asked.length = 0
    return async (ratePerS: number, number: number) => {
      asked.push([ratePerS, number])
      return { generator: { saturated: isBusy(ratePerS) ? 'too busy' : undefined } }
    }
  }
  const runs = await climb(
    [10, 20, 40],
    measure((ratePerS) => ratePerS > 15),
  )
  t.match(runs, [{ name: '10/s' }, { name: '20/s', generator: { saturated: 'too busy' } }])
  t.strictSame(asked, [
    [10, 1],
    [20, 2],
    [20, 2],
  ])
  const passing = await climb(
    [10, 20, 40],
    measure(() => asked.length === 1),
  )
  t.strictSame(
    passing.map(({ name, generator }) => [name, generator.saturated]),
    ['10/s', '20/s', '40/s'].map((name) => [name, undefined]),
  )
})

t.test('each step of a ramp must hold by itself, and one left out is told', async (t) => {
  const saturated = { ...sampleRun().generator, saturated: 'generator used 99 % of a core' }
  const report = sampleReport({
    runs: [
      sampleRun({ p99: 5 }, { name: '100/s' }),
      sampleRun({ p99: 50 }, { name: '200/s', generator: saturated }),
    ],
  })
  const thresholds = [{ metric: 'p99', operator: '<=', limit: 10 }] as const
  t.strictSame(failures({ thresholds, ramp: [100, 200, 400, 800] }, report), [
    'generator saturated: no verdict (step 200/s: generator used 99 % of a core)',
    'step 200/s: p99 is 50, wanted <= 10',
    'steps not measured: 400/s, 800/s',
  ])
  const shown = renderReport(report)
  t.match(shown, /^ {2}100\/s +1,000 /m)
  t.match(shown, /^ {2}200\/s \(generator saturated\) +1,000 /m)
})
