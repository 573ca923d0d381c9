/** Random projects: few actors, odd values, times around the changes of clocks. */
import fc from 'fast-check'
import type { Json } from '../../../src/core/json.ts'
import { NONE, OTHER } from './breakdowns.ts'
import type { World, WorldEvent } from './world.ts'
import { DAY, HOUR, type LocalZone, MINUTE, startOfDay } from './zones.ts'

/** A zone, and a day on which its clocks change. */
export type Place = { readonly zone: LocalZone; readonly day: number }

function place(name: string, date: string): Place {
  return { zone: { name, weekStartDay: 1 }, day: (Date.parse(date) * 1_000) / DAY }
}

export const PLACES: readonly Place[] = [
  place('UTC', '2023-05-10'),
  place('Europe/Berlin', '2023-03-26'),
  place('Europe/Berlin', '2023-10-29'),
  place('Asia/Kolkata', '2023-05-10'),
  place('America/St_Johns', '2023-03-12'),
  place('America/St_Johns', '2023-11-05'),
  place('Pacific/Apia', '2020-09-27'),
  place('Pacific/Apia', '2021-04-04'),
  place('Africa/Casablanca', '2023-03-19'),
  place('Africa/Casablanca', '2023-04-23'),
  place('Australia/Lord_Howe', '2023-04-02'),
  place('Australia/Lord_Howe', '2023-10-01'),
  place('America/Santiago', '2023-04-02'),
  place('America/Santiago', '2023-09-03'),
  place('Asia/Beirut', '2022-03-27'),
  place('Asia/Beirut', '2022-10-30'),
]

export const EVENTS = ['view', 'paid', "it's", 'x', '$pageview', '$screen'] as const
const IDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

/** For `browser`: values that are hard for a breakdown. */
const TEXTS: readonly Json[] = [
  'Chrome',
  'Safari',
  'Firefox',
  '',
  null,
  'é',
  'Z',
  'a',
  '\u{1d4b3}',
  '\uff21',
  '5',
  5,
  true,
  `${'l'.repeat(399)}\u{1f600}1`,
  `${'l'.repeat(399)}\u{1f600}2`,
  'l'.repeat(400),
  { a: 1 },
  [1, 'x'],
  "O'Neil",
  '$$x',
  ' Chrome',
  NONE,
  OTHER,
]
/** For `amount`: numbers, and texts that are some or look like some. */
const AMOUNTS: readonly Json[] = [
  1,
  2,
  10,
  -3.5,
  0,
  0.1,
  0.2,
  '7',
  '-2.25',
  '007',
  '5.',
  '.5',
  '+3',
  '1e3',
  ' 4',
  'NaN',
  '',
  null,
  true,
  [3],
  { n: 1 },
  '٣',
  '3\n',
]

function some<T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values)
}

const properties = fc.record(
  {
    browser: some(TEXTS),
    amount: some(AMOUNTS),
    $session_id: some<Json>(['s1', 's2', 's3', '', null]),
    $pathname: some<Json>(['/', '/a', '', null]),
    $screen_name: some<Json>(['Home', 'x']),
    'a.b': some<Json>(['dots', 'Dots', 1]),
    a: fc.constant<Json>({ b: 'nested' }),
    $groups: some<Json>([
      { company: 'acme' },
      { company: 'x' },
      { company: 'x', team: 'acme' },
      { company: 7 },
      { company: '' },
      { company: null },
      { team: 'x' },
      'company',
      null,
    ]),
  },
  { requiredKeys: [] },
)

/** Since the start of a local day: its edges, hours and seconds of it, and a few equal times. */
const within = fc.oneof(
  some([
    0,
    -1,
    1,
    HOUR,
    2 * HOUR,
    12 * HOUR,
    12 * HOUR,
    12 * HOUR + MINUTE,
    DAY - 1,
    12.5 * HOUR,
    12.5 * HOUR + 1,
  ]),
  fc.integer({ min: 0, max: 48 }).map((halves) => (halves * HOUR) / 2),
  fc.integer({ min: 0, max: 25 * 60 }).map((minutes) => minutes * MINUTE),
  fc.integer({ min: 0, max: 24 * 3_600_000_000 }),
)

function event({ zone, day }: Place): fc.Arbitrary<WorldEvent> {
  return fc
    .record({
      event: some(EVENTS),
      distinctId: some(IDS),
      days: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -4, max: 4 }) }, farAway()),
      within,
      properties,
    })
    .map(({ days, within, ...rest }) => ({ ...rest, at: startOfDay(zone, day + days) + within }))
}

function farAway(): { weight: number; arbitrary: fc.Arbitrary<number> } {
  return { weight: 1, arbitrary: fc.integer({ min: -40, max: 20 }) }
}

/** Owners of the ids: some have no person. */
const persons = fc
  .record({
    owners: fc.array(fc.integer({ min: -1, max: 3 }), {
      minLength: IDS.length,
      maxLength: IDS.length,
    }),
    properties: fc.array(
      fc.record(
        { plan: some<Json>(['free', 'team', '', null]), email: some<Json>(['a@x.io', 'b@y.io']) },
        { requiredKeys: [] },
      ),
      { minLength: 4, maxLength: 4 },
    ),
  })
  .map(({ owners, properties }) =>
    properties
      .map((each, index) => ({
        distinctIds: IDS.filter((_, nth) => owners[nth] === index),
        properties: each,
      }))
      .filter(({ distinctIds }) => distinctIds.length > 0),
  )

export function worldAt(place: Place): fc.Arbitrary<World> {
  return fc
    .record({
      events: fc.array(event(place), { maxLength: 30, size: 'max' }),
      persons,
      nowDays: fc.integer({ min: -2, max: 6 }),
      nowHours: fc.integer({ min: 0, max: 23 }),
      weekStartDay: some([0, 1] as const),
    })
    .map(({ events, persons, nowDays, nowHours, weekStartDay }) => ({
      zone: { ...place.zone, weekStartDay },
      now: startOfDay(place.zone, place.day + nowDays) + nowHours * HOUR + 17 * MINUTE,
      events,
      persons,
      testAccountFilters: [
        { key: 'email', type: 'person', operator: 'not_icontains', value: '@x.io' },
      ],
    }))
}
