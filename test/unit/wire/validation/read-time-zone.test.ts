import t from 'tap'
import { readTimeZone, suggestTimeZone } from '../../../../src/wire/validation/read-time-zone.ts'
import { TIME_ZONE_ALIASES } from '../../../../src/wire/validation/time-zone-aliases.ts'
import { TIME_ZONES } from '../../../../src/wire/validation/time-zones.ts'

const WEEK_MS = 604_800_000
const FROM = Date.UTC(2026, 0, 1)

/** The zone's distance to UTC in each week of three years; undefined where Node has no such zone. */
function clockOf(timeZone: string): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    const weeks = Array.from({ length: 156 }, (_, at) => FROM + at * WEEK_MS)
    return weeks.map((at) => format.format(at).split(', ')[1]).join()
  } catch {
    return undefined
  }
}

t.test('a listed name is taken in whatever case, and is itself', async (t) => {
  for (const zone of TIME_ZONES) {
    t.equal(readTimeZone(zone), zone)
    t.equal(readTimeZone(zone.toLowerCase()), zone)
    t.equal(readTimeZone(zone.toUpperCase()), zone)
  }
})

t.test('an alias is stored as a listed name that has its clock', async (t) => {
  t.ok(TIME_ZONE_ALIASES.size > 140)
  for (const [alias, listed] of TIME_ZONE_ALIASES) {
    t.notOk(TIME_ZONES.has(alias), alias)
    t.ok(TIME_ZONES.has(listed), listed)
    t.equal(readTimeZone(alias), listed)
    t.equal(readTimeZone(alias.toUpperCase()), listed)
    const clock = clockOf(alias)
    if (clock !== undefined) t.equal(clock, clockOf(listed), `${alias} is ${listed}`)
  }
})

t.test('whatever name a browser may report is taken', async (t) => {
  for (const zone of Intl.supportedValuesOf('timeZone')) t.type(readTimeZone(zone), 'string', zone)
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  t.type(readTimeZone(timeZone), 'string', timeZone)
})

t.test('a name without a listed equal has a suggestion, nonsense has none', async (t) => {
  const near = {
    'Etc/GMT+12': 'Pacific/Pago_Pago',
    'Europe/Berlim': 'Europe/Berlin',
    'Asia/Berlin': 'Europe/Berlin',
    'america/new york': 'America/New_York',
    'New York': 'America/New_York',
    'Asia/Calcuta': 'Asia/Kolkata',
    'Europe/Kiyv': 'Europe/Kiev',
  }
  for (const [text, listed] of Object.entries(near)) {
    t.equal(readTimeZone(text), undefined, text)
    t.equal(suggestTimeZone(text), listed, text)
  }
  for (const text of ['', 'x', ' UTC', '+02:00', 'Mars/Base', 'Europe', 'x'.repeat(1_000_000)]) {
    t.equal(readTimeZone(text), undefined, text.slice(0, 20))
    t.equal(suggestTimeZone(text), undefined, text.slice(0, 20))
  }
})
