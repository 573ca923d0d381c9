/** Options of a picker of names. */
import t from 'tap'
import { type Group, matches, unseen } from '../../../gateway/console/kit/picker/choice.ts'
import { MEANINGS, meaningOf } from '../../../gateway/console/kit/picker/known-names.ts'
import { sampled } from '../../../gateway/console/kit/picker/sampled.ts'

const EVENTS: Group = {
  source: 'event',
  options: [{ source: 'event', name: 'order placed' }],
  isWhole: true,
}

t.test('every word of a search is in a name or in what is shown for it', (t) => {
  t.ok(matches('', ['paid']))
  t.ok(matches('code COUNTRY', ['$geoip_country_code', 'Country code']))
  t.ok(matches(' geoip ', ['$geoip_country_code', 'Country code']))
  t.notOk(matches('country name', ['$geoip_country_code', 'Country code']))
  t.end()
})

t.test('typed text is offered as a name where it is none that is known', (t) => {
  t.strictSame(unseen(' order pl ', [EVENTS]), { source: 'event', name: 'order pl' })
  t.equal(unseen('order placed', [EVENTS]), undefined)
  t.equal(unseen('', [EVENTS]), undefined)
  t.equal(unseen('event', [{ source: 'metadata', options: [], isWhole: true }]), undefined)
  t.end()
})

t.test('properties are counted, with a few of their short values', (t) => {
  const all = [{ plan: 'pro', n: 1 }, { plan: 'free' }, { plan: 'pro', long: 'x'.repeat(61) }, null]
  t.strictSame(sampled(all), [
    { name: 'plan', count: 3, samples: ['pro', 'free'] },
    { name: 'n', count: 1, samples: ['1'] },
    { name: 'long', count: 1, samples: [] },
  ])
  t.end()
})

t.test('names of libraries have a meaning, those of a project have none', (t) => {
  t.equal(meaningOf('$initial_current_url'), `First value: ${MEANINGS['$current_url']}`)
  t.equal(meaningOf('$initial_utm_source'), `First value: ${MEANINGS['utm_source']}`)
  for (const name of ['paid', 'toString', '$nothing', '']) t.equal(meaningOf(name), undefined)
  t.end()
})
