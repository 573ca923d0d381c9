import t from 'tap'
import { insightsReportText, runInsightsBench } from '../../../bench/insights/insights-bench.ts'
import { BENCH_QUESTIONS } from '../../../bench/insights/questions.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'

t.test('a bench of questions has each of them cold, cached and after new events', async (t) => {
  const load = { capture: undefined, duration: 1 }
  const settings = { events: 5_000, persons: 200, runs: 2, ...load, store: 'postgres' as const }
  const deps = { clock: systemClock, log: silentLog, eventsUrl: undefined }
  const report = await runInsightsBench(deps, settings, new AbortController().signal)
  t.strictSame(
    report.questions.map(({ name }) => name),
    BENCH_QUESTIONS.map(({ name }) => name),
  )
  for (const { coldMs, cachedMs, movedMs } of report.questions) {
    for (const { min, median } of [coldMs, cachedMs, movedMs]) t.ok(min > 0 && median >= min)
  }
  const text = insightsReportText(report)
  for (const { name } of BENCH_QUESTIONS) t.match(text, name)
  t.match(text, /5,000 events over 90 days, 200 persons, in postgres;/)
  t.notMatch(text, 'captures', 'no load was asked for')
})
