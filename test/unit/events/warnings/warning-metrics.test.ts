import t from 'tap'
import { createMetrics } from '../../../../src/core/metrics/metrics.ts'
import {
  WARNING_LABEL_PROJECTS_MAX,
  warningMetrics,
} from '../../../../src/events/warnings/warning-metrics.ts'
import { readValue } from '../../../support/metric-value.ts'

t.test('the first projects have labels of their own, the others share one', async (t) => {
  const metrics = createMetrics()
  const warned = warningMetrics(metrics)
  const events = (reason: string, project: string) =>
    readValue(metrics, `sluice_events_dropped_total{reason="${reason}",project="${project}"}`)
  for (let project = 1; project <= WARNING_LABEL_PROJECTS_MAX; project++) {
    warned('no_name', project, 1)
  }
  warned('duplicate', 1, 5)
  warned('no_name', WARNING_LABEL_PROJECTS_MAX + 1, 2)
  warned('no_name', WARNING_LABEL_PROJECTS_MAX + 2, 3)
  warned('unknown_key', 0, 1)
  t.same([await events('no_name', '1'), await events('duplicate', '1')], [1, 5])
  t.equal(await events('no_name', String(WARNING_LABEL_PROJECTS_MAX)), 1)
  t.equal(await events('no_name', String(WARNING_LABEL_PROJECTS_MAX + 1)), undefined)
  t.same([await events('no_name', 'other'), await events('unknown_key', 'none')], [5, 1])
})
