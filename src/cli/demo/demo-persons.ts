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
  /** Offset of the person's clock from UTC in hours, the whole year. */
  readonly hoursAhead: number
  readonly browser: string
  readonly os: string
  readonly device: 'Desktop' | 'Mobile'
  /** Person properties that the events set. */
  readonly set: JsonObject
}

const FIRST: Some<string> = [
  ...(['Ada', 'Ben', 'Cleo', 'Dana', 'Emil', 'Fay', 'Gus', 'Hana', 'Ivo', 'June', 'Kai'] as const),
  'Lea',
  'Milo',
  'Nora',
  'Otto',
  'Pia',
  'Quin',
  'Rosa',
  'Sam',
  'Tara',
  'Uma',
  'Vito',
  'Wim',
]
const LAST: Some<string> = [
  ...(['Abel', 'Berg', 'Costa', 'Diaz', 'Evans', 'Fischer', 'Garcia', 'Haas', 'Ito'] as const),
  'Jansen',
  'Kim',
  'Lopez',
  'Meyer',
  'Novak',
  'Olsen',
  'Park',
  'Rossi',
  'Silva',
  'Weber',
]
type Country = { readonly code: string; readonly hoursAhead: number; readonly share: number }
const COUNTRIES: Some<Country> = [
  { code: 'US', hoursAhead: -5, share: 34 },
  { code: 'DE', hoursAhead: 1, share: 20 },
  { code: 'GB', hoursAhead: 0, share: 14 },
  { code: 'FR', hoursAhead: 1, share: 11 },
  { code: 'NL', hoursAhead: 1, share: 8 },
  { code: 'JP', hoursAhead: 9, share: 7 },
  { code: 'BR', hoursAhead: -3, share: 6 },
]
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
  const { code: country, hoursAhead } = countryAt(random.next())
  const isPhone = random.chance(0.4)
  const [browser, os] = random.pick(isPhone ? PHONES : DESKTOPS)
  const email = `${name.toLowerCase().replace(' ', '.')}.${number}@example.com`
  return {
    distinctId: PERSON_PREFIX + number,
    anonymousId: `${PERSON_PREFIX}${number}-before`,
    plan,
    country,
    hoursAhead,
    browser,
    os,
    device: isPhone ? 'Mobile' : 'Desktop',
    set: { name, email, plan, country, [DEMO_MARK.key]: DEMO_MARK.value },
  }
}

function countryAt(place: number): Country {
  let left = place * COUNTRIES.reduce((all, { share }) => all + share, 0)
  for (const country of COUNTRIES) {
    left -= country.share
    if (left < 0) return country
  }
  return COUNTRIES[0]
}
