/** Asks the product, by each of its interfaces, for the actors that meet each condition. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { answered, type Product, startStandalone } from '../servers/product.ts'
import { pause, until } from '../until.ts'

type Filter = Readonly<Record<string, unknown>>

type Case = {
  readonly id: string
  readonly filter: Filter
  readonly person: Readonly<Record<string, unknown>>
  readonly expected: boolean
  /** The clock to use. */
  readonly now?: string
  /** Time zone of the project; UTC by default. */
  readonly zone?: string
}

const CASES: readonly Case[] = JSON.parse(
  readFileSync(join(packageRoot, 'test', 'fixtures', 'property-match.json'), 'utf8'),
).property_cases

export const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata']
const EVENT = 'seen'
const GROUP = 'team'
const HOUR_MS = 3_600_000

/**
 * Vectors of a zone, with all values of `filtersMax` filters of each operator. Vectors with their own clock
 * are in `test/unit/flags/fixtures.test.ts`. Relative dates are asked two hours from their bound.
 */
function casesOf(zone: string, filtersMax: number): readonly Case[] {
  const ofZone = CASES.filter((each) => each.now === undefined && (each.zone ?? 'UTC') === zone)
  const filters = distinct(ofZone.map(({ filter }) => filter))
  const chosen = new Set(
    filters
      .filter((filter) => {
        const same = filters.filter(({ operator }) => operator === filter['operator'])
        return same.indexOf(filter) < filtersMax
      })
      .map(textOf),
  )
  const lasting = ofZone.filter(({ filter }) => chosen.has(textOf(filter)))
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

/** Requests under way at once: the product and Postgres work while the next are written. */
const AT_ONCE = 8
const BUSY_PAUSE_MS = 200
/** Series of one trend. */
const SERIES = 10

const textOf = (value: unknown) => JSON.stringify(value)
const distinct = <T>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
]
/** Patterns that look around, which the store's own regular expressions do not support. */
const looksAround = ({ value }: Filter) => /\(\?[=!<]/.test(String(value))

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

type Call = (method: string, path: string, body?: object) => ReturnType<typeof answered>

type Owner = 'person' | 'group'
const OWNERS: readonly Owner[] = ['person', 'group']

/** Condition that all accept, with the distinct ids or group keys that it holds for. */
type Taken = { readonly filter: Filter; readonly owner: Owner; readonly ids: readonly string[] }

/**
 * A project in a zone, with a person and a group of each set of properties in the vectors, and an
 * event of each that has the same.
 */
export type Tried = {
  readonly zone: string
  readonly call: Call
  readonly taken: readonly Taken[]
}

/**
 * Refusals are the same in each place, and flags are on for the persons and groups of the vectors.
 * @param filtersMax of each operator; all without it.
 */
export async function tryFlags(
  t: Test,
  product: Product,
  zone: string,
  filtersMax = Number.POSITIVE_INFINITY,
): Promise<Tried> {
  const { url, personalKey: key } = product
  const site: Call = async (method, path, body) => {
    for (;;) {
      const answer = await answered(`${url}${path}`, { key, method, ...(body && { body }) })
      // A busy machine has too many queries under way.
      if (answer.status !== 429) return answer
      await pause(BUSY_PAUSE_MS)
    }
  }
  const made = await site('POST', '/api/projects/', { name: zone, timezone: zone })
  t.equal(made.status, 201, textOf(made.body))
  const { id, api_token } = Object(made.body)
  const call: Call = async (method, path, body) =>
    await site(method, `/api/projects/${id}${path}`, body)
  const cases = casesOf(zone, filtersMax)
  const persons = distinct(cases.map(({ person }) => person))
  const places = new Map(persons.map((person, place) => [textOf(person), `person-${place}`]))
  const idOf = (person: object) => places.get(textOf(person)) ?? ''
  const batch = persons.flatMap((person) => eventsOf(idOf(person), person))
  const captured = await answered(`${url}/batch/`, { body: { api_key: api_token, batch } })
  t.equal(captured.status, 200)
  await until('all events are there', async () => {
    const { body } = await call('GET', '/events/?limit=1')
    return Object(body).count === batch.length
  })
  const kinds = distinct(cases.map(({ filter }) => filter)).flatMap((filter) =>
    OWNERS.map((owner) => ({ filter, owner, flag: flagOf(filter, owner) })),
  )
  const refused = new Set<string>()
  await forEach(kinds, async ({ filter, owner, flag }) => {
    const { status, body } = await makeFlag(call, filter, owner)
    if (status === 201) return
    refused.add(flag)
    await expectRefused(t, call, { filter, owner, said: sentenceOf(body) })
  })
  const on = new Map<string, Readonly<Record<string, unknown>>>()
  await forEach(persons, async (person) => {
    const distinctId = idOf(person)
    const body = { api_key: api_token, distinct_id: distinctId, groups: { [GROUP]: distinctId } }
    const { body: answer } = await answered(`${url}/decide/?v=3`, { body })
    on.set(distinctId, Object(answer).featureFlags)
  })
  const isOn = (flag: string, distinctId: string) => on.get(distinctId)?.[flag] === true
  for (const { id: name, filter, person, expected } of cases) {
    for (const owner of OWNERS) {
      const found = isOn(flagOf(filter, owner), idOf(person))
      t.equal(found, expected, `${owner} of ${zone}: ${name}`)
    }
  }
  const taken = kinds
    .filter(({ filter, flag }) => !refused.has(flag) && !looksAround(filter))
    .map(({ flag, ...kind }) => ({
      ...kind,
      ids: [...on.keys()].filter((id) => isOn(flag, id)).sort(),
    }))
  return { zone, call, taken }
}

/** Events that give these properties to a person and a group, and an event that has them itself. */
function eventsOf(distinctId: string, properties: object): readonly object[] {
  const group = { $group_type: GROUP, $group_key: distinctId, $group_set: properties }
  const seen = { ...properties, $set: properties, $groups: { [GROUP]: distinctId } }
  return [
    { event: '$groupidentify', distinct_id: distinctId, properties: group },
    { event: EVENT, distinct_id: distinctId, properties: seen },
  ]
}

type FilterType = Owner | 'event'

const asType = (filter: Filter, type: FilterType) => [
  { ...filter, type, ...(type === 'group' && { group_type_index: 0 }) },
]
const listOf = (properties: readonly object[]) => encodeURIComponent(textOf(properties))
const eventsPath = (filter: Filter, type: FilterType) =>
  `/events/?event=${EVENT}&limit=1000&properties=${listOf(asType(filter, type))}`
const personsPath = (filter: Filter) =>
  `/persons/?limit=1000&properties=${listOf(asType(filter, 'person'))}`
/** Flag key of a condition. */
const flagOf = (filter: Filter, owner: Owner) =>
  `${owner}-${createHash('sha256').update(textOf(filter)).digest('hex')}`

async function makeFlag(call: Call, filter: Filter, owner: Owner) {
  const groups = [{ properties: asType(filter, owner), rollout_percentage: 100 }]
  const filters = { groups, ...(owner === 'group' && { aggregation_group_type_index: 0 }) }
  return await call('POST', '/feature_flags/', { key: flagOf(filter, owner), filters })
}

async function makeCohort(call: Call, filter: Filter) {
  const filters = { properties: { type: 'AND', values: asType(filter, 'person') } }
  return await call('POST', '/cohorts/', { name: textOf(filter), filters })
}

function trendOf(filters: readonly Filter[], type: FilterType): object {
  const series = filters.map((filter) => ({
    kind: 'EventsNode',
    event: EVENT,
    math: 'dau',
    properties: asType(filter, type),
  }))
  return { kind: 'TrendsQuery', series, dateRange: { date_from: '-1d' } }
}

type Refused = { readonly filter: Filter; readonly owner: Owner; readonly said: string }

/** A filter that a flag has refused is refused everywhere, with the same message. */
async function expectRefused(t: Test, call: Call, { filter, owner, said }: Refused): Promise<void> {
  const types: readonly FilterType[] = owner === 'person' ? ['person', 'event'] : ['group']
  const answers = await Promise.all([
    ...(owner === 'person' ? [makeCohort(call, filter), call('GET', personsPath(filter))] : []),
    ...types.map((type) => call('GET', eventsPath(filter, type))),
    ...types.map((type) => call('POST', '/query/', { query: trendOf([filter], type) })),
    ...types.flatMap((type) => elsewhere(call, filter, type)),
  ])
  for (const { status, body } of answers) {
    t.equal(status, 400, `${owner}: ${textOf(filter)}`)
    t.equal(sentenceOf(body), said)
  }
}

/** Other calls with a refused condition; not live events, whose stream would not end. */
function elsewhere(call: Call, filter: Filter, type: FilterType) {
  const properties = asType(filter, type)
  return [
    call('GET', `/live/?properties=${listOf(properties)}`),
    call('POST', '/insights/', { name: 'refused', query: trendOf([filter], type) }),
    call('POST', '/deletions/', { properties: textOf(properties), dry_run: true }),
    call('PATCH', '/', { test_account_filters: properties }),
    call('PATCH', '/', { test_account_filters: { type: 'AND', values: properties } }),
  ]
}

/** Persons for whom a flag is on are in the cohort of its condition and in the list of persons. */
async function tryPersons(t: Test, { call, zone, taken }: Tried): Promise<void> {
  await forEach(taken, async ({ filter, owner, ids }) => {
    if (owner === 'group') return
    const said = `${zone}: ${textOf(filter)}`
    const cohort = await makeCohort(call, filter)
    const members = await call('GET', `/cohorts/${Object(cohort.body).id}/persons/?limit=1000`)
    expectIds(t, members, ids, `cohort: ${said}`)
    expectIds(t, await call('GET', personsPath(filter)), ids, `persons: ${said}`)
  })
}

/** Conditions with each type of filter that they have in questions about events. */
function typesOf(taken: readonly Taken[]): readonly (Taken & { readonly type: FilterType })[] {
  return taken.flatMap((each) => {
    const types: readonly FilterType[] = each.owner === 'group' ? ['group'] : ['person', 'event']
    return types.map((type) => ({ ...each, type }))
  })
}

/** Lists of events match the same, by properties of persons, of groups and of the events. */
export async function tryEvents(t: Test, { call, zone, taken }: Tried): Promise<void> {
  await forEach(typesOf(taken), async ({ filter, type, ids }) => {
    const answer = await call('GET', eventsPath(filter, type))
    expectIds(t, answer, ids, `events: ${zone}: ${type}: ${textOf(filter)}`)
  })
}

/**
 * Trends count the same, by properties of persons, of groups and of the events.
 * @param store that has to answer, as the timings name it.
 */
export async function tryTrends(t: Test, tried: Tried, store: 'sql' | 'clickhouse') {
  const { call, zone, taken } = tried
  const typed = typesOf(taken)
  const asked = ['person', 'event', 'group'] as const
  const questions = asked.flatMap((type) => {
    const own = typed.filter((each) => each.type === type)
    return Array.from({ length: Math.ceil(own.length / SERIES) }, (_, place) => ({
      type,
      series: own.slice(place * SERIES, (place + 1) * SERIES),
    }))
  })
  await forEach(questions, async ({ type, series }) => {
    const query = trendOf(
      series.map(({ filter }) => filter),
      type,
    )
    const { body } = await call('POST', '/query/', { query, refresh: 'force_blocking' })
    const { results, timings } = Object(body)
    t.equal(timings?.[0]?.k, store, textOf(body).slice(0, 1_000))
    for (const [place, { filter, ids }] of series.entries()) {
      t.equal(results?.[place]?.count, ids.length, `trend: ${zone}: ${type}: ${textOf(filter)}`)
    }
  })
}

/** Without the place that an interface puts in front of it. */
function sentenceOf(body: unknown): string {
  return /The operator .*$/.exec(String(Object(body).detail))?.[0] ?? String(Object(body).detail)
}

type Listed = { readonly distinct_id?: unknown; readonly distinct_ids?: readonly unknown[] }

/** An answer lists these distinct ids, of persons or of events. */
function expectIds(
  t: Test,
  { status, body }: { readonly status: number; readonly body: unknown },
  ids: readonly string[],
  said: string,
): void {
  const rows: readonly Listed[] = Object(body).results ?? []
  const found = rows.flatMap((row) => row.distinct_ids ?? [row.distinct_id]).map(String)
  t.strictSame({ status, ids: found.sort() }, { status: 200, ids }, said)
}

/** All of it over one product. @param filtersMax filters of each operator; all without it. */
export async function checkConditions(t: Test, filtersMax?: number): Promise<void> {
  const product = await startStandalone(t)
  const tried: Tried[] = []
  await t.test('a condition that can never hold is refused wherever it is written', async (t) => {
    for (const zone of ZONES) tried.push(await tryFlags(t, product, zone, filtersMax))
  })
  await t.test('each finds the same persons and groups', async (t) => {
    t.equal(tried.length, ZONES.length)
    for (const each of tried) {
      await tryPersons(t, each)
      await tryEvents(t, each)
      await tryTrends(t, each, 'sql')
    }
  })
}
