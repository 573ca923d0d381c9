import fc from 'fast-check'
import t from 'tap'
import { renderCsv } from '../../../../../bench/load/report/report-csv.ts'
import { TimeSeries } from '../../../../../bench/load/report/time-series.ts'
import { sampleReport, sampleRun } from '../../../../support/bench-report.ts'

t.test('a second holds what came in during it, and empty seconds are rows too', async (t) => {
  const series = new TimeSeries({ startedAt: 500, durationMs: 3_500 })
  series.sent(500)
  series.outcome(1_499, 'accepted')
  series.latency(1_499, 10)
  series.sent(1_500)
  series.outcome(3_600, 'shed')
  series.outcome(3_600, 'timeout')
  const rows = series.finish(4_000)
  const empty = { sent: 0, accepted: 0, errors: 0, shed: 0, p50: undefined, p99: undefined }
  t.strictSame(
    rows.map((row) => ({ ...row, p50: row.p50 && Math.round(row.p50), p99: row.p99 && 0 })),
    [
      { ...empty, second: 1, sent: 1, accepted: 1, p50: 10, p99: 0 },
      { ...empty, second: 2, sent: 1 },
      { ...empty, second: 3 },
      { ...empty, second: 4, errors: 1, shed: 1 },
    ],
  )
})

t.test('an answer a little after the plateau belongs to its last second', async (t) => {
  const series = new TimeSeries({ startedAt: 0, durationMs: 2_000 })
  series.sent(2_004)
  t.strictSame(
    series.finish(2_005).map(({ sent }) => sent),
    [0, 1],
  )
})

t.test('every request and answer is in one row', async (t) => {
  const moments = fc.array(fc.nat(9_000), { maxLength: 200 })
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 9_000 }), (unordered, durationMs) => {
      const series = new TimeSeries({ startedAt: 0, durationMs })
      const ordered = unordered.filter((now) => now <= durationMs).sort((a, b) => a - b)
      for (const now of ordered) {
        series.sent(now)
        series.outcome(now, 'accepted')
      }
      const rows = series.finish(durationMs)
      const sum = (read: (row: (typeof rows)[number]) => number) =>
        rows.reduce((total, row) => total + read(row), 0)
      return (
        rows.length === Math.ceil(durationMs / 1000) &&
        rows.every(({ second }, index) => second === index + 1) &&
        sum(({ sent }) => sent) === ordered.length &&
        sum(({ accepted }) => accepted) === ordered.length
      )
    }),
  )
  t.pass('in every case')
})

t.test(
  'the table has a row for each second of each run and what is unknown is empty',
  async (t) => {
    const runs = [sampleRun({}, { ratePerS: 100 }), sampleRun({}, { ratePerS: 200 })]
    t.strictSame(renderCsv(sampleReport({ runs })).split('\r\n'), [
      'run,rate,second,sent,accepted,errors,shed,p50_ms,p99_ms,' +
        'generator_cpu_percent,generator_rss_mb,gateway_cpu_percent,gateway_rss_mb',
      '1,100,1,50,49,1,0,2,10,30,80,,',
      '1,100,2,50,49,1,0,,,30,80,,',
      '2,200,1,50,49,1,0,2,10,30,80,,',
      '2,200,2,50,49,1,0,,,30,80,,',
      '',
    ])
  },
)

t.test('a name of a process group cannot break the table', async (t) => {
  const group = { name: 'a "b"\nc', cpuPercent: 1, rssMbStart: 1, rssMbPeak: 1 }
  const csv = renderCsv(
    sampleReport({ runs: [sampleRun({}, { processes: [group], seconds: [] })] }),
  )
  t.match(csv, '"a ""b""\nc_cpu_percent","a ""b""\nc_rss_mb"\r\n')
})
