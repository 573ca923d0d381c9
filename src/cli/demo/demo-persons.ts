/** The persons of the demo. Each follows from its number alone. */
import type { JsonObject } from '../../core/json.ts'
import { randomOf, type Some } from './random.ts'

export const PERSON_PREFIX = 'demo-person-'
/** Every event and person of the demo has it, so that they can be taken away. */
export const DEMO_MARK = { key: 'sluice_demo', value: 'yes' } as const

export type Plan = 'free' | 'pro'

export type DemoPerson = {
  readonly distinctId: string
  /** Distinct id of the person before they were identified. */
  readonly anonymousId: string
  readonly plan: Plan
  readonly country: string
  /** Properties of the place and the device that the person's events have. */
  readonly about: JsonObject
  /** Offset of the person's clock from UTC in hours, the whole year. */
  readonly hoursAhead: number
  /** Person properties that the events set. */
  readonly set: JsonObject
}

const FIRST: Some<string> = [
  ...(['Ada', 'Ben', 'Cleo', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'June', 'Kai'] as const),
  ...['Lea', 'Milo', 'Nora', 'Otto', 'Pia', 'Quin', 'Rosa', 'Sam', 'Tara', 'Uma', 'Vito', 'Wim'],
]
const LAST: Some<string> = [
  ...(['Abel', 'Berg', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haas', 'Ito'] as const),
  ...['Jansen', 'Kim', 'Lopez', 'Meyer', 'Novak', 'Olsen', 'Park', 'Rossi', 'Silva', 'Weber'],
]
type Country = {
  readonly code: string
  readonly hoursAhead: number
  readonly share: number
  readonly timezone: string
  readonly language: string
  readonly cities: Some<readonly [region: string, city: string]>
}
const COUNTRIES: Some<Country> = [
  {
    code: 'US',
    hoursAhead: -5,
    share: 34,
    timezone: 'America/New_York',
    language: 'en-US',
    cities: [
      ['New York', 'New York'],
      ['California', 'San Francisco'],
      ['Illinois', 'Chicago'],
    ],
  },
  {
    code: 'DE',
    hoursAhead: 1,
    share: 20,
    timezone: 'Europe/Berlin',
    language: 'de-DE',
    cities: [
      ['Berlin', 'Berlin'],
      ['Bavaria', 'Munich'],
      ['Hamburg', 'Hamburg'],
    ],
  },
  {
    code: 'GB',
    hoursAhead: 0,
    share: 14,
    timezone: 'Europe/London',
    language: 'en-GB',
    cities: [
      ['England', 'London'],
      ['Scotland', 'Edinburgh'],
    ],
  },
  {
    code: 'FR',
    hoursAhead: 1,
    share: 11,
    timezone: 'Europe/Paris',
    language: 'fr-FR',
    cities: [
      ['Île-de-France', 'Paris'],
      ['Auvergne-Rhône-Alpes', 'Lyon'],
    ],
  },
  {
    code: 'NL',
    hoursAhead: 1,
    share: 8,
    timezone: 'Europe/Amsterdam',
    language: 'nl-NL',
    cities: [['North Holland', 'Amsterdam']],
  },
  {
    code: 'JP',
    hoursAhead: 9,
    share: 7,
    timezone: 'Asia/Tokyo',
    language: 'ja-JP',
    cities: [['Tokyo', 'Tokyo']],
  },
  {
    code: 'BR',
    hoursAhead: -3,
    share: 6,
    timezone: 'America/Sao_Paulo',
    language: 'pt-BR',
    cities: [['São Paulo', 'São Paulo']],
  },
]
const VIEWPORTS: Record<'Desktop' | 'Mobile', Some<readonly [width: number, height: number]>> = {
  Desktop: [
    [1_536, 730],
    [1_920, 947],
    [1_440, 789],
  ],
  Mobile: [
    [390, 664],
    [412, 785],
  ],
}
const DESKTOPS: Some<readonly [browser: string, os: string]> = [
  ['Chrome', 'Windows'],
  ['Chrome', 'Mac OS X'],
  ['Safari', 'Mac OS X'],
  ['Firefox', 'Linux'],
  ['Microsoft Edge', 'Windows'],
]
const PHONES: Some<readonly [browser: string, os: string]> = [
  ['Mobile Safari', 'iOS'],
  ['Chrome', 'Android'],
]
const NUMBER_CHARS = 5

export function demoPerson(index: number): DemoPerson {
  const random = randomOf(`person ${index}`)
  const number = String(index + 1).padStart(NUMBER_CHARS, '0')
  const name = `${random.pick(FIRST)} ${random.pick(LAST)}`
  const plan = random.chance(0.22) ? 'pro' : 'free'
  const { code: country, hoursAhead, timezone, language, cities } = random.weighted(COUNTRIES)
  const [region, city] = random.pick(cities)
  const device = random.chance(0.4) ? 'Mobile' : 'Desktop'
  const [$browser, $os] = random.pick(device === 'Mobile' ? PHONES : DESKTOPS)
  const [$viewport_width, $viewport_height] = random.pick(VIEWPORTS[device])
  const email = `${name.toLowerCase().replace(' ', '.')}.${number}@example.com`
  return {
    distinctId: PERSON_PREFIX + number,
    anonymousId: `${PERSON_PREFIX}${number}-before`,
    plan,
    country,
    hoursAhead,
    about: {
      $browser,
      $os,
      $device_type: device,
      $viewport_width,
      $viewport_height,
      $browser_language: language,
      $timezone: timezone,
      $geoip_country_code: country,
      $geoip_subdivision_1_name: region,
      $geoip_city_name: city,
    },
    set: { name, email, plan, country, [DEMO_MARK.key]: DEMO_MARK.value },
  }
}
