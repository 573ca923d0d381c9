import fc from 'fast-check'
import t from 'tap'
import {
  compare,
  compared,
  type Measured,
  readBaseline,
  regressions,
} from '../../../../../bench/load/report/baseline.ts'
import type { Comparison } from '../../../../../bench/load/report/comparison.ts'
import type { BenchReport } from '../../../../../bench/load/report/report.ts'
import { renderReport } from '../../../../../bench/load/report/report-text.ts'
import type { Figures } from '../../../../../bench/load/report/threshold.ts'
import { sampleReport, sampleRun } from '../../../../support/bench-report.ts'

function before(report: BenchReport): Measured {
  const read = readBaseline(JSON.stringify(report))
  if (!read.ok) throw new Error(read.error)
  return read.value
}

function comparison(earlier: BenchReport, report: BenchReport): Comparison {
  const made = compare(before(earlier), report)
  if (!made.ok) throw new Error(made.error)
  return made.value
}

const withFigures = (figures: Partial<Figures>) => sampleReport({ runs: [sampleRun(figures)] })

t.test('a file that is not a report is refused with the reason', async (t) => {
  const refused = (text: string) => {
    const read = readBaseline(text)
    return read.ok ? undefined : read.error
  }
  t.equal(refused('{'), 'is not JSON')
  for (const text of ['null', '[]', '{}', '{"schema":"sluice-bench/2"}']) {
    t.equal(refused(text), 'is not a report of schema sluice-bench/1', text)
  }
  t.match(refused('{"schema":"sluice-bench/1"}'), /what was run/)
  const { settings: _settings, ...bare } = sampleReport()
  t.match(refused(JSON.stringify(bare)), /lacks settings/)
  fc.assert(fc.property(fc.json(), (text) => refused(text) !== undefined))
})

t.test('a report compares with itself without a difference', async (t) => {
  const { differences, rows } = comparison(sampleReport(), sampleReport())
  t.strictSame(differences, [])
  t.strictSame(
    rows.map(({ of, metric, ratio }) => [of, metric, ratio]),
    ['rps', 'eps', 'p50', 'p99', 'cpu', 'cpu gateway'].map((metric) => ['all', metric, 1]),
  )
  t.strictSame(regressions({ ...comparison(sampleReport(), sampleReport()) }, 0, new Set()), [])
})

t.test(
  'settings and environment that differ are told, a revision and a nonce are not',
  async (t) => {
    const earlier = sampleReport({ settings: { connections: 32, nonce: 'bb', json: 'x.json' } })
    const report = sampleReport({
      environment: { ...sampleReport().environment, revision: 'def', cores: 4, loadBefore: 9 },
    })
    const made = comparison(earlier, report)
    t.strictSame(made.differences, [
      'setting connections was 32, is 64',
      'environment cores was 2, is 4',
    ])
    t.match(made.before, { revision: 'abc', ok: true, startedAt: '2025-01-02T03:04:05.000Z' })
    const shown = renderReport(compared(report, before(earlier), undefined))
    t.match(shown, /WARNING: not the same measurement/)
    t.match(shown, 'setting connections was 32, is 64')
  },
)

t.test('a rate that fell and a p99 that rose by more than allowed fail the bench', async (t) => {
  const earlier = before(sampleReport())
  const verdict = (figures: Partial<Figures>, percent: number | undefined) =>
    compared(withFigures(figures), earlier, percent).verdict
  t.strictSame(verdict({ rps: 900, p99: 11 }, 10), { ok: true, reasons: [] })
  t.strictSame(verdict({ rps: 899 }, 10).reasons, ['rps fell from 1000 to 899, more than 10 %'])
  t.strictSame(verdict({ p99: 11.5 }, 10).reasons, ['p99 rose from 10 to 11.5, more than 10 %'])
  t.ok(verdict({ rps: 1, p99: 999 }, undefined).ok, 'without a bound nothing fails')
  t.ok(verdict({ rps: 5000, p99: 1, p50: 99 }, 0).ok, 'better is never a regression')
  t.notOk(verdict({ p99: Number.NaN }, 50).ok, 'a figure that is not a number is one')
})

t.test('a regression is one exactly when its share is above the bound', async () => {
  const rate = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(rate, rate, fc.integer({ min: 0, max: 100 }), (from, to, percent) => {
      const { rows } = comparison(withFigures({ rps: from }), withFigures({ rps: to }))
      const told = regressions(
        { ...comparison(sampleReport(), sampleReport()), rows },
        percent,
        new Set(),
      )
      return told.length > 0 === (from - to) * 100 > from * percent
    }),
    { numRuns: 30 },
  )
})

t.test('steps of a ramp compare by their rates, and one that is new with nothing', async (t) => {
  const ramp = (...steps: [name: string, rps: number][]) =>
    sampleReport({ runs: steps.map(([name, rps]) => sampleRun({ rps }, { name })) })
  const made = comparison(ramp(['100/s', 100], ['200/s', 200]), ramp(['200/s', 150], ['400/s', 9]))
  t.strictSame(new Set(made.rows.map(({ of }) => of)), new Set(['200/s']))
  t.strictSame(regressions(made, 10, new Set()), [
    '200/s: rps fell from 200 to 150, more than 10 %',
  ])
})

t.test('kinds of a mix are shown, and only the whole can fail', async (t) => {
  const mixed = (rps: number) => {
    const report = sampleReport({ bench: 'mixed' })
    const spread = { median: rps, min: rps, max: rps }
    return { ...report, kinds: { decide: { ...report.summary, rps: spread } } }
  }
  const report = compared(mixed(1), before(mixed(100)), 10)
  t.ok(report.verdict.ok)
  t.match(renderReport(report), /decide rps +100 +1 +0\.010/)
})

t.test('another bench does not compare', async (t) => {
  const made = compare(before(sampleReport({ bench: 'decide' })), sampleReport())
  t.strictSame(made, { ok: false, error: 'is of bench decide, not capture' })
})
