/** The bench of questions, answered by ClickHouse. */
import t from 'tap'
import { insightsReportText, runInsightsBench } from '../../bench/insights/insights-bench.ts'
import { systemClock as clock } from '../../src/core/clock.ts'
import { silentLog as log } from '../../src/core/log.ts'
import {
  columnServer,
  freshDatabase,
  openColumns,
  rowsOf,
} from '../support/columns/column-store.ts'

t.setTimeout(300_000)

t.test('a bench of questions fills ClickHouse, which answers', async (t) => {
  const eventsUrl = await freshDatabase(t, await columnServer(t))
  const columns = await openColumns(t, eventsUrl)
  const load = { capture: undefined, beside: 'questions' as const, duration: 1 }
  const settings = { events: 5_000, persons: 200, runs: 1, ...load, store: 'clickhouse' as const }
  const deps = { clock, log, eventsUrl }
  const report = await runInsightsBench(deps, settings, new AbortController().signal)
  t.match(insightsReportText(report), /5,000 events over 90 days, 200 persons, in clickhouse/)
  t.ok((await rowsOf(columns)) > 5_000, 'with those that were captured')
})
