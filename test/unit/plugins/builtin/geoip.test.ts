import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import {
  pluginEvent,
  pluginHost,
  processed,
  refusedSettings,
  startBuiltin,
} from '../../../support/plugins/builtins.ts'

const LONDON: Json = {
  city: { names: { en: 'London', de: 'Londinium' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { isoCode: 'GB', names: { en: 'United Kingdom' } },
  location: { latitude: 51.5, longitude: -0.1, accuracyRadius: 10, timeZone: 'Europe/London' },
  postal: { code: 'E1' },
  subdivisions: [
    { isoCode: 'ENG', names: { en: 'England' } },
    { isoCode: 'LND', names: { de: 'nur deutsch' } },
  ],
}
const FIELDS = {
  city_name: 'London',
  country_name: 'United Kingdom',
  country_code: 'GB',
  continent_name: 'Europe',
  continent_code: 'EU',
  postal_code: 'E1',
  latitude: 51.5,
  longitude: -0.1,
  accuracy_radius: 10,
  time_zone: 'Europe/London',
  subdivision_1_code: 'ENG',
  subdivision_1_name: 'England',
  subdivision_2_code: 'LND',
}
const named = (prefix: string) =>
  Object.fromEntries(Object.entries(FIELDS).map(([name, value]) => [`${prefix}${name}`, value]))
const host = pluginHost({ locate: (ip) => (ip === '81.2.69.142' ? LONDON : null) })
const start = (settings = {}) => startBuiltin('geoip', settings, host)

t.test('an event has the place of its address, and so has its person', async (t) => {
  const event = pluginEvent({ $ip: '81.2.69.142', $set: { plan: 'pro' } })
  t.equal(await processed(await start(), event), event)
  t.strictSame(event.properties, {
    $ip: '81.2.69.142',
    ...named('$geoip_'),
    $set: { plan: 'pro', ...named('$geoip_') },
    $set_once: named('$initial_geoip_'),
  })
})

t.test('fields beside the properties have it too, lest they win without', async (t) => {
  const event = pluginEvent({ $ip: '81.2.69.142' }, { $set: { $geoip_city_name: 'Old' } })
  await processed(await start(), event)
  t.strictSame(event.$set, named('$geoip_'))
})

t.test('the address of the event serves where no property has one', async (t) => {
  const event = pluginEvent({}, { ip: '81.2.69.142' })
  await processed(await start(), event)
  t.equal(event.properties['$geoip_country_code'], 'GB')
})

t.test('persons are left alone when asked for, or when the event has none', async (t) => {
  const event = pluginEvent({ $ip: '81.2.69.142' })
  await processed(await start({ person_properties: 'no' }), event)
  t.strictSame(event.properties, { $ip: '81.2.69.142', ...named('$geoip_') })
  const nobody = pluginEvent({ $ip: '81.2.69.142', $process_person_profile: false })
  await processed(await start(), nobody)
  t.notOk('$set' in nobody.properties)
})

t.test('an event that says so, or whose address is nowhere, stays as it is', async (t) => {
  const instance = await start()
  for (const properties of [
    { $ip: '81.2.69.142', $geoip_disable: true },
    { $ip: '81.2.69.142', $geoip_disable: 'true' },
    { $ip: '10.0.0.1' },
    { $ip: 7 },
    {},
  ]) {
    const event = pluginEvent(properties)
    await processed(instance, event)
    t.strictSame(event.properties, properties)
  }
})

t.test('members of other types than expected are left out', async (t) => {
  const odd: Json = {
    city: 'London',
    country: { isoCode: { a: 1 }, names: [] },
    location: { latitude: null, longitude: 1 },
    subdivisions: { a: 1 },
  }
  const instance = await startBuiltin('geoip', {}, pluginHost({ locate: () => odd }))
  const event = pluginEvent({ $ip: '81.2.69.142' })
  await processed(instance, event)
  t.strictSame(event.properties['$set'], { $geoip_longitude: 1 })
})

t.test('without a database the log says why nothing is added', async (t) => {
  const lines: unknown[] = []
  const nowhere = pluginHost({ log: (...line) => lines.push(line) })
  await startBuiltin('geoip', {}, nowhere)
  t.match(lines, [['WARN', /GEOIP_FILE/]])
  lines.length = 0
  const somewhere = pluginHost({ locate: () => LONDON, log: (...line) => lines.push(line) })
  await startBuiltin('geoip', {}, somewhere)
  t.strictSame(lines, [])
})

t.test('settings that cannot be used fail the set-up', (t) =>
  refusedSettings(t, 'geoip', [
    [{ person_properties: 'on' }, /^The setting "person_properties" must be one of yes, no\.$/],
  ]),
)
