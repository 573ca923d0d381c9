/** Asks the product, in each way that it has, who meets each condition of the vectors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { answered, type Product } from '../servers/product.ts'
import { until } from '../until.ts'

type Filter = Readonly<Record<string, unknown>>

type Case = {
  readonly id: string
  readonly filter: Filter
  readonly person: Readonly<Record<string, unknown>>
  readonly expected: boolean
  /** The clock to use. */
  readonly now?: string
  /** Of the project; UTC where there is none. */
  readonly zone?: string
}

const CASES: readonly Case[] = JSON.parse(
  readFileSync(join(packageRoot, 'test', 'fixtures', 'property-match.json'), 'utf8'),
).property_cases

export const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata']
const EVENT = 'seen'
const HOUR_MS = 3_600_000

/**
 * The vectors of a zone. Those with a clock of their own are left to
 * `test/unit/flags/fixtures.test.ts`; relative dates are asked two hours from their bound.
 */
function casesOf(zone: string): readonly Case[] {
  const lasting = CASES.filter((each) => each.now === undefined && (each.zone ?? 'UTC') === zone)
  const now = Date.now()
  const relative = ['is_date_before', 'is_relative_date_after'].flatMap((operator) =>
    [50, 46].flatMap((hours) => {
      const wall = new Date(zoneOf(zone).wallAt(now - hours * HOUR_MS)).toISOString().slice(0, 19)
      return ['-2d', '48h'].map((value) => ({
        id: `${operator} ${value} of ${hours} hours ago`,
        filter: { key: 'key', type: 'person', operator, value },
        person: { key: wall },
        expected: (operator === 'is_date_before') === hours > 48,
      }))
    }),
  )
  return [...lasting, ...relative]
}

const textOf = (value: unknown) => JSON.stringify(value)
const distinct = <T>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
]
/** What the store's own patterns do not have is none of a list. */
const looksAround = ({ value }: Filter) => /\(\?[=!<]/.test(String(value))

type Call = (method: string, path: string, body?: object) => ReturnType<typeof answered>

/** A project in a zone, with the persons of its vectors and a flag and a cohort of each condition. */
export type Tried = {
  readonly zone: string
  readonly cases: readonly Case[]
  readonly call: Call
  readonly filters: readonly Filter[]
  /** Distinct ids that a flag is on for, by the text of its condition. What is refused has none. */
  readonly wanted: ReadonlyMap<string, readonly string[]>
}

/** Refusals are the same in each place, and flags are on for whom the vectors say. */
export async function tryFlags(t: Test, product: Product, zone: string): Promise<Tried> {
  const { url, personalKey: key } = product
  const site: Call = async (method, path, body) =>
    await answered(`${url}${path}`, { key, method, ...(body && { body }) })
  const made = await site('POST', '/api/projects/', { name: zone, timezone: zone })
  t.equal(made.status, 201, textOf(made.body))
  const { id, api_token } = Object(made.body)
  const call: Call = async (method, path, body) =>
    await site(method, `/api/projects/${id}${path}`, body)
  const cases = casesOf(zone)
  const persons = distinct(cases.map(({ person }) => person))
  const filters = distinct(cases.map(({ filter }) => filter))
  const places = new Map(persons.map((person, place) => [textOf(person), `person-${place}`]))
  const idOf = (person: object) => places.get(textOf(person)) ?? ''
  const batch = persons.map((person) => ({
    ...{ event: EVENT, distinct_id: idOf(person) },
    properties: { ...person, $set: person },
  }))
  const captured = await answered(`${url}/batch/`, { body: { api_key: api_token, batch } })
  t.equal(captured.status, 200)
  await until('all persons are there', async () => {
    const { body } = await call('GET', '/persons/?limit=1')
    return Object(body).count === persons.length
  })
  const keys = new Map<string, string>()
  for (const [place, filter] of filters.entries()) {
    const name = nameOf(place)
    if (await isTaken(t, call, name, filter)) keys.set(textOf(filter), name)
  }
  const on = new Map<string, ReadonlySet<string>>()
  for (const person of persons) {
    const body = { api_key: api_token, distinct_id: idOf(person) }
    const { body: answer } = await answered(`${url}/decide/?v=3`, { body })
    const flags: Record<string, unknown> = Object(answer).featureFlags
    on.set(idOf(person), new Set(Object.keys(flags).filter((each) => flags[each] === true)))
  }
  for (const { id: name, filter, person, expected } of cases) {
    if (looksAround(filter)) continue
    const flag = keys.get(textOf(filter))
    const isOn = flag !== undefined && on.get(idOf(person))?.has(flag) === true
    t.equal(isOn, expected, `${zone}: ${name}`)
  }
  const wanted = [...keys].map(([text, flag]): [string, readonly string[]] => [
    text,
    [...on].flatMap(([distinctId, flags]) => (flags.has(flag) ? [distinctId] : [])).sort(),
  ])
  return { zone, cases, call, filters, wanted: new Map(wanted) }
}

const nameOf = (place: number) => `flag-${place}`
const asType = (filter: Filter, type: string) => [{ ...filter, type }]
const listOf = (properties: readonly object[]) => encodeURIComponent(textOf(properties))

/** Makes a flag and a cohort of the condition. False where all refuse it with the same sentence. */
async function isTaken(t: Test, call: Call, name: string, filter: Filter): Promise<boolean> {
  const properties = asType(filter, 'person')
  const list = listOf(properties)
  const answers = await Promise.all([
    call('POST', '/feature_flags/', {
      ...{ key: name, filters: { groups: [{ properties, rollout_percentage: 100 }] } },
    }),
    call('POST', '/cohorts/', {
      ...{ name, filters: { properties: { type: 'AND', values: properties } } },
    }),
    call('GET', `/persons/?properties=${list}`),
    call('GET', `/events/?properties=${list}`),
    call('POST', '/query/', { query: trendOf(properties) }),
  ])
  if (looksAround(filter)) return false
  const statuses = answers.map(({ status }) => (status === 400 ? 400 : 200))
  t.equal(new Set(statuses).size, 1, `${textOf(filter)}: ${statuses.join()}`)
  if (statuses[0] === 200) return true
  const said = answers.map(({ body }) => sentenceOf(body))
  t.equal(new Set(said).size, 1, said.join(' | '))
  return false
}

function trendOf(properties: readonly object[]): object {
  const series = [{ kind: 'EventsNode', event: EVENT, math: 'dau', properties }]
  return { kind: 'TrendsQuery', series, dateRange: { date_from: '-1d' } }
}

/** Whoever a flag is on for is in the cohort of its condition and in the list of persons. */
export async function tryPersons(t: Test, { call, zone, filters, wanted }: Tried): Promise<void> {
  const { body } = await call('GET', '/cohorts/?limit=1000')
  const cohorts: readonly { id: number; name: string }[] = Object(body).results
  for (const [place, filter] of filters.entries()) {
    const ids = wanted.get(textOf(filter))
    if (ids === undefined) continue
    const said = `${zone}: ${textOf(filter)}`
    const cohort = cohorts.find(({ name }) => name === nameOf(place))
    const [persons, members] = await Promise.all([
      call('GET', `/persons/?limit=1000&properties=${listOf(asType(filter, 'person'))}`),
      call('GET', `/cohorts/${cohort?.id}/persons/?limit=1000`),
    ])
    t.strictSame(idsOf(persons.body, 'distinct_ids'), ids, `persons: ${said}`)
    t.strictSame(idsOf(members.body, 'distinct_ids'), ids, `cohort: ${said}`)
  }
}

/** Lists of events find the same, by the properties of persons and by those of events. */
export async function tryEvents(t: Test, { call, zone, filters, wanted }: Tried): Promise<void> {
  for (const filter of filters) {
    const ids = wanted.get(textOf(filter))
    if (ids === undefined) continue
    for (const type of ['person', 'event']) {
      const properties = asType(filter, type)
      const path = `/events/?event=${EVENT}&limit=1000&properties=${listOf(properties)}`
      const { body } = await call('GET', path)
      const said = `events: ${zone}: ${textOf(properties)}`
      t.strictSame(idsOf(body, 'distinct_id'), ids, said)
    }
  }
}

/**
 * Trends count the same, by the properties of persons and by those of events.
 * @param store that has to answer, as the timings name it.
 */
export async function tryTrends(t: Test, tried: Tried, store: 'sql' | 'clickhouse') {
  const { call, zone, filters, wanted } = tried
  for (const filter of filters) {
    const ids = wanted.get(textOf(filter))
    if (ids === undefined) continue
    for (const type of ['person', 'event']) {
      const properties = asType(filter, type)
      const body = { query: trendOf(properties), refresh: 'force_blocking' }
      const { results, timings } = Object((await call('POST', '/query/', body)).body)
      const said = `trend: ${zone}: ${textOf(properties)}`
      t.equal(results?.[0]?.count, ids.length, said)
      t.equal(timings?.[0]?.k, store, said)
    }
  }
}

/** Without the place that an interface puts in front of it. */
function sentenceOf(body: unknown): string {
  return /The operator .*$/.exec(String(Object(body).detail))?.[0] ?? String(Object(body).detail)
}

function idsOf(body: unknown, member: 'distinct_id' | 'distinct_ids'): readonly string[] {
  const rows: readonly Record<string, unknown>[] = Object(body).results ?? []
  return rows
    .flatMap((row) => row[member])
    .map(String)
    .sort()
}
