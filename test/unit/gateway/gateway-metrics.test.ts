import t from 'tap'
import { gatewayMetrics, routeLabel } from '../../../gateway/gateway-metrics.ts'
import { createMetrics } from '../../../src/core/metrics/metrics.ts'
import { readValue } from '../../support/metric-value.ts'

t.test('requests count by route and status, and are timed by route', async (t) => {
  const metrics = createMetrics()
  const { finished } = gatewayMetrics(metrics)
  finished('e', 200, 4)
  finished('e', 200, 6)
  finished('e', 503, 30_000)
  finished('batch', 200, 5)
  finished('batch', 0, 0)
  const requests = (route: string, status: number) =>
    readValue(metrics, `sluice_http_requests_total{route="${route}",status="${status}"}`)
  t.same(
    [await requests('e', 200), await requests('e', 503), await requests('e', 0)],
    [2, 1, undefined],
  )
  t.same([await requests('batch', 200), await requests('batch', 0)], [1, 1])
  const time = (what: string) => readValue(metrics, `sluice_http_request_seconds_${what}`)
  const within = (le: string) => time(`bucket{le="${le}",route="e"}`)
  t.same([await within('0.0025'), await within('0.005'), await within('0.01')], [0, 1, 2])
  t.same([await within('10'), await within('+Inf')], [2, 3])
  t.equal(await time('sum{route="e"}'), 0.004 + 0.006 + 30)
  t.same([await time('count{route="e"}'), await time('count{route="batch"}')], [3, 2])
})

t.test('answers, failovers and hedges count', async (t) => {
  const metrics = createMetrics()
  const { decided, failedOver, hedged } = gatewayMetrics(metrics)
  for (const cached of [true, false, true]) decided(cached)
  hedged()
  const answers = (cache: string) =>
    readValue(metrics, `sluice_decide_answers_total{cache="${cache}"}`)
  t.same([await answers('hit'), await answers('miss')], [2, 1])
  failedOver()
  failedOver()
  t.equal(await readValue(metrics, 'sluice_worker_failovers_total'), 2)
  t.equal(await readValue(metrics, 'sluice_worker_hedges_total'), 1)
})

t.test('a path has the label of its first segment, or none of its own', async (t) => {
  t.same(
    ['/e', '/e/', '/i/v0/e/', '/api/projects/1/', '/', '/wp-admin/e', '/__proto__'].map(routeLabel),
    ['e', 'e', 'i', 'api', 'other', 'other', 'other'],
  )
})
