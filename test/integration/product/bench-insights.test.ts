import t from 'tap'
import {
  BESIDES,
  type BesideKind,
  besideLines,
  measureBeside,
} from '../../../bench/insights/beside.ts'
import { insightsReportText, runInsightsBench } from '../../../bench/insights/insights-bench.ts'
import { BENCH_QUESTIONS } from '../../../bench/insights/questions.ts'
import { startProduct } from '../../../bench/load/machine/product.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { silentLog } from '../../../src/core/log.ts'

t.test('a bench of questions has each of them cold, cached and after new events', async (t) => {
  const load = { capture: undefined, beside: 'questions' as const, duration: 1 }
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
  t.match(text, /5,000 events over 90 days, 200 persons, in postgres/)
  t.notMatch(text, 'captures', 'no load was asked for')
})

t.test('captures and decides have figures alone and beside each load, in turn', async (t) => {
  const product = await startProduct(systemClock, {
    topology: 'standalone',
    projects: 1,
    environment: {},
    signal: new AbortController().signal,
  })
  t.teardown(() => product.stop())
  const [project] = product.projects
  if (project === undefined) throw new Error('the product has no project')
  const server = { url: product.url, project }
  for (const kind of Object.keys(BESIDES) as BesideKind[]) {
    const options = { kind, ratePerS: 40, durationMs: 300 }
    const figures = await measureBeside(systemClock, product, server, options)
    const { rounds } = figures
    t.strictSame(
      rounds.map(({ answers }) => answers !== undefined),
      [false, true, false, true],
      `${kind}: alone and beside, in turn`,
    )
    for (const { capture, decide, answers } of rounds) {
      for (const { counts, figures, processes } of [capture, decide]) {
        t.ok(counts.accepted > 0 && figures.p99 >= figures.p50 && figures.p50 > 0)
        t.strictSame([figures.errors, figures.shed], [0, 0])
        t.strictSame(
          processes.map(({ name }) => name),
          ['sluice', 'postgres'],
        )
      }
      if (answers === undefined) continue
      t.equal(answers.failed, 0, kind)
      t.equal(answers.answered > 0, kind !== 'spin', `${kind}: answers`)
    }
    const text = besideLines(figures).join('\n')
    t.match(text, BESIDES[kind])
    t.match(text, /p99 of captures: [\d.]+ alone, [\d.]+ beside/)
  }
})
