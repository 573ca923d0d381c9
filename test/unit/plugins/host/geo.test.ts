import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLog, silentLog } from '../../../../src/core/log.ts'
import { createGeo } from '../../../../src/plugins/host/geo.ts'
import { type MmdbNetworks, mmdb } from '../../../support/plugins/mmdb.ts'

const LONDON = {
  city: { geoname_id: 1, names: { en: 'London', de: 'London' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { geoname_id: 2, iso_code: 'GB', names: { en: 'United Kingdom' } },
  location: { latitude: 51.5, longitude: -0.13, accuracy_radius: 10, time_zone: 'Europe/London' },
  postal: { code: 'E1' },
  registered_country: { iso_code: 'GB' },
  subdivisions: [{ iso_code: 'ENG', names: { en: 'England' } }],
}
const FOUND = {
  city: { names: { en: 'London', de: 'London' } },
  continent: { code: 'EU', names: { en: 'Europe' } },
  country: { isoCode: 'GB', names: { en: 'United Kingdom' } },
  location: { latitude: 51.5, longitude: -0.13, accuracyRadius: 10, timeZone: 'Europe/London' },
  postal: { code: 'E1' },
  subdivisions: [{ isoCode: 'ENG', names: { en: 'England' } }],
}

async function geoOf(t: Test, networks: MmdbNetworks, ipVersion: 4 | 6 = 6) {
  const file = join(t.testdir({}), 'geo.mmdb')
  await writeFile(file, mmdb(networks, ipVersion))
  return await createGeo(file, silentLog)
}

t.test('an address has the record of its network', async (t) => {
  const geo = await geoOf(t, {
    '81.2.69.0/24': LONDON,
    '2a02:cf40::/29': { country: { iso_code: 'NO' } },
  })
  t.strictSame(geo.locate('81.2.69.142'), FOUND)
  t.strictSame(geo.locate('::ffff:81.2.69.142'), FOUND)
  t.equal(geo.locate('81.2.69.1'), geo.locate('81.2.69.2'), 'it is made once')
  t.strictSame(geo.locate('2a02:cf47::1'), { country: { isoCode: 'NO' } })
})

t.test('an address that is unknown, private or none is nowhere', async (t) => {
  const geo = await geoOf(t, { '10.0.0.0/8': LONDON, '127.0.0.0/8': LONDON, 'fe80::/10': LONDON })
  for (const ip of ['81.2.69.142', '10.1.2.3', '127.0.0.1', '::1', 'fe80::1', '::ffff:10.1.2.3']) {
    t.equal(geo.locate(ip), null, ip)
  }
  for (const odd of ['', 'x', '81.2.69', '81.2.69.142:80', '81.2.69.142 ', '1.2.3.4.5']) {
    t.equal(geo.locate(odd), null, odd)
  }
})

t.test('a database of IPv4 knows no IPv6 address', async (t) => {
  const geo = await geoOf(t, { '42.0.0.0/8': LONDON, '81.2.69.0/24': LONDON }, 4)
  t.strictSame(geo.locate('81.2.69.142'), FOUND)
  t.equal(geo.locate('2a02:cf40::1'), null)
})

t.test('members of other types than expected are left out', async (t) => {
  const odd = {
    city: 'x',
    country: { iso_code: true, names: { en: 7, de: 'Y' } },
    subdivisions: [1],
  }
  const geo = await geoOf(t, { '81.2.69.0/24': odd, '82.0.0.0/8': 'text' })
  t.strictSame(geo.locate('81.2.69.142'), { country: { names: { de: 'Y' } } })
  t.equal(geo.locate('82.1.1.1'), null)
})

t.test('without a file, or with one that cannot be read, everything is nowhere', async (t) => {
  t.equal((await createGeo(undefined, silentLog)).locate('81.2.69.142'), null)
  const odd = join(t.testdir({ odd: 'x'.repeat(1_000) }), 'odd')
  for (const file of [odd, join(odd, 'missing')]) {
    const lines: string[] = []
    const log = createLog({}, { write: (line) => void lines.push(line) })
    t.equal((await createGeo(file, log)).locate('81.2.69.142'), null)
    t.match(lines, [/"level":"error".*geo database cannot be read/])
  }
})

t.test('a record that cannot be read is nowhere, and told once', async (t) => {
  const whole = mmdb({ '81.2.69.0/24': LONDON })
  const at = whole.indexOf('London') - 1
  whole[at] = 0x0f // A type that there is not.
  const file = join(t.testdir({}), 'geo.mmdb')
  await writeFile(file, whole)
  const lines: string[] = []
  const geo = await createGeo(
    file,
    createLog({ level: 'warn' }, { write: (l) => void lines.push(l) }),
  )
  t.equal(geo.locate('81.2.69.142'), null)
  t.equal(geo.locate('81.2.69.142'), null)
  t.equal(lines.length, 1)
})
