import fc from 'fast-check'
import t from 'tap'
import { compared, readBaseline } from '../../../../../bench/load/report/baseline.ts'
import {
  histogramOf,
  latencyCurve,
  renderHgrm,
} from '../../../../../bench/load/report/latency-histogram.ts'
import { renderHtml } from '../../../../../bench/load/report/report-html.ts'
import {
  escapeHtml,
  niceTicks,
  svgChart,
  thinned,
} from '../../../../../bench/load/report/svg-chart.ts'
import { sampleReport, sampleRun } from '../../../../support/bench-report.ts'

t.test('no text of a report becomes markup', async (t) => {
  const evil = `"'><script>alert(1)</script>&`
  const report = sampleReport({
    startedAt: evil,
    verdict: { ok: false, reasons: [evil] },
    settings: { [evil]: evil, list: [evil] },
    environment: { ...sampleReport().environment, cpuModel: evil, revision: evil },
    runs: [sampleRun({}, { name: evil, statuses: { [evil]: 1 } })],
  })
  const earlier = readBaseline(JSON.stringify({ ...report, settings: {} }))
  const html = renderHtml(earlier.ok ? compared(report, earlier.value, 1) : report)
  t.match(html, 'Compared with a baseline')
  t.notMatch(html, /<script/i)
  t.notMatch(html, evil)
  t.ok(html.split(escapeHtml(evil)).length > 8, 'it is all there')
})

t.test('escaped text holds no character that markup is made of', async (t) => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const escaped = escapeHtml(text)
      const back = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      return !/[<>"']/.test(escaped) && back === text
    }),
  )
  t.equal(escapeHtml('<'), '&#60;')
})

t.test('a page asks for nothing outside itself', async (t) => {
  const html = renderHtml(sampleReport())
  t.notMatch(html, /https?:|\bsrc=|<link|<script|@import|url\(/)
  t.match(html, "default-src 'none'")
  t.match(html, /prefers-color-scheme: dark/)
})

t.test('a page shows figures, curves by percentile and the course of each run', async (t) => {
  const html = renderHtml(sampleReport({ runs: [sampleRun(), sampleRun({ rps: 3 })] }))
  t.equal(html.match(/<svg /g)?.length, 3)
  t.equal(html.match(/<path class="line line-1"/g)?.length, 3, 'the second run in each')
  t.match(html, '99.99 %')
  t.match(html, '<td>rps</td><td>501.5</td><td>3</td>')
  t.notMatch(html, /NaN|undefined|Infinity/)
})

t.test('a page of runs without an answer is whole', async (t) => {
  const empty = sampleRun({ p50: Number.NaN }, { seconds: [] })
  t.notMatch(renderHtml(sampleReport({ runs: [empty] })), /NaN|undefined|Infinity/)
})

t.test('charts hold any figures', async (t) => {
  const y = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(fc.array(y, { maxLength: 50 }), (ys) => {
      const points = ys.map((each, at) => [at, each] as const)
      const svg = svgChart({ title: 't', xLabel: 'x', yLabel: 'y', lines: [{ name: 'n', points }] })
      return !/NaN|undefined|Infinity/.test(svg)
    }),
  )
  t.pass('and stay numbers')
})

t.test('ticks are round, start at zero and reach the highest value', async (t) => {
  t.strictSame(
    niceTicks(0.93).map(({ label }) => label),
    ['0', '0.2', '0.4', '0.6', '0.8', '1'],
  )
  fc.assert(
    fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (max) => {
      const ticks = niceTicks(max)
      const last = ticks.at(-1)?.at ?? 0
      return ticks[0]?.at === 0 && last >= max * (1 - 1e-9) && ticks.length <= 7
    }),
  )
})

t.test('thinning a long line keeps its highest point and bounds it', async (t) => {
  const points = Array.from({ length: 86_400 }, (_, x) => [x, x === 40_001 ? 99 : 1] as const)
  const thin = thinned(points)
  t.ok(thin.length <= 400)
  t.equal(Math.max(...thin.map(([, y]) => y ?? 0)), 99)
})

t.test('a curve rises, starts at the fastest answer and ends where answers end', async (t) => {
  const curve = latencyCurve(sampleRun())
  t.equal(curve[0]?.quantile, 0)
  t.ok(Math.abs((curve[0]?.ms ?? 0) - 1) < 0.01, 'from 1 ms')
  t.equal(Math.round((curve.at(-1)?.quantile ?? 0) * 1000), 990, 'of a hundred answers')
  t.ok(curve.every(({ ms }, at) => at === 0 || ms >= (curve[at - 1]?.ms ?? 0)))
})

t.test('the distribution of all runs is printed in milliseconds', async (t) => {
  const text = renderHgrm(sampleReport({ runs: [sampleRun(), sampleRun()] }))
  t.match(text, /^ +Value +Percentile TotalCount 1\/\(1-Percentile\)\n\n/)
  t.match(text, /#\[Max += {2,}100\.0\d\d, Total count += {2,}200\]/)
  t.equal(histogramOf(sampleRun()).totalCount, 100)
})
