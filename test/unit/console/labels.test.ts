/** Display names of events and properties. */
import t from 'tap'
import { labelOf } from '../../../src/core/charts/label.ts'
import { nameOfRow, type TrendRow } from '../../../src/core/charts/trends.ts'

t.test('names of client libraries are shown by words that people know', (t) => {
  const shown = {
    $pageview: 'Pageview',
    $autocapture: 'Autocapture',
    $feature_flag_called: 'Feature flag called',
    $current_url: 'Current URL',
    $browser: 'Browser',
    $os_version: 'OS version',
    $geoip_country_code: 'Country code',
    $initial_geoip_city_name: 'Initial city name',
    $initial_utm_source: 'Initial UTM source',
    utm_campaign: 'UTM campaign',
    $session_id: 'Session ID',
    $ip: 'IP address',
    $lib: 'Library',
    '$feature/new-checkout': 'Feature flag new-checkout',
    $$client_ingestion_warning: 'Client ingestion warning',
  }
  for (const [name, label] of Object.entries(shown)) t.equal(labelOf(name), label)
  t.end()
})

t.test('names of a project are shown as they are', (t) => {
  const own = ['signed up', 'plan', 'order_total', 'URL', '', '$', '$$', 'utm', '5$', 'toString']
  for (const name of own) t.equal(labelOf(name), name)
  t.end()
})

t.test('values of a breakdown have the name of their series where there are several', (t) => {
  const plain = { count: 1, data: [1], days: [], buckets: [], incomplete_from: null }
  const row = (label: string, order: number, value: string): TrendRow => ({
    ...plain,
    label,
    breakdown_value: value,
    action: { order },
  })
  const namesOf = (rows: readonly TrendRow[]) => rows.map((each) => nameOfRow(each, rows))
  const views = [row('$pageview', 0, 'Chrome'), row('$pageview', 0, 'Safari')]
  t.strictSame(namesOf(views), ['Chrome', 'Safari'])
  t.strictSame(namesOf([...views, row('paid', 1, 'Chrome')]), [
    'Pageview · Chrome',
    'Pageview · Safari',
    'paid · Chrome',
  ])
  t.equal(nameOfRow(row('$pageview', 0, 'Chrome')), 'Pageview · Chrome', 'alone')
  t.strictSame(namesOf([{ ...plain, label: '$pageview' }]), ['Pageview'])
  t.end()
})
