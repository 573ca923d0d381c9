/**
 * The vectors of single conditions through HTTP: whoever a flag is on for is in the cohort of its
 * condition, in the lists with it and behind the trend with it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { packageRoot } from '../../../src/core/package-root.ts'
import { answered, type Product, startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

type Case = {
  readonly id: string
  readonly filter: Readonly<Record<string, unknown>>
  readonly person: Readonly<Record<string, unknown>>
  readonly expected: boolean
  readonly now?: string
}

const CASES: readonly Case[] = JSON.parse(
  readFileSync(join(packageRoot, 'test', 'fixtures', 'property-match.json'), 'utf8'),
).property_cases
/** Relative dates need a clock of their own; these have one in `test/unit/flags/fixtures.test.ts`. */
const LASTING = CASES.filter(({ now }) => now === undefined)
const PROJECT = '/api/projects/1'
const EVENT = 'seen'

const textOf = (value: unknown) => JSON.stringify(value)
const distinct = <T>(items: readonly T[]): readonly T[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
]

const PERSONS = distinct(LASTING.map(({ person }) => person))
const FILTERS = distinct(LASTING.map(({ filter }) => filter))
const idOf = (person: object) =>
  `person-${PERSONS.findIndex((each) => textOf(each) === textOf(person))}`

function callsOf({ url, personalKey: key }: Product) {
  return async (method: string, path: string, body?: object) =>
    await answered(`${url}${path}`, { key, method, ...(body && { body }) })
}

t.test('conditions through HTTP', async (t) => {
  const product = await startStandalone(t)
  const call = callsOf(product)
  const { url, projectKey } = product
  const batch = PERSONS.map((person) => ({
    ...{ event: EVENT, distinct_id: idOf(person) },
    properties: { $set: person },
  }))
  const captured = await answered(`${url}/batch/`, { body: { api_key: projectKey, batch } })
  t.equal(captured.status, 200)
  await until('all persons are there', async () => {
    const { body } = await call('GET', `${PROJECT}/persons/?limit=1`)
    return Object(body).count === PERSONS.length
  })

  /** Key of the flag with a condition, by the condition. What is refused is refused by all. */
  const keys = new Map<string, string>()
  await t.test('what can never hold is refused wherever it is written', async (t) => {
    for (const [place, filter] of FILTERS.entries()) {
      const key = `flag-${place}`
      const properties = [{ ...filter, type: 'person' }]
      const list = encodeURIComponent(textOf(properties))
      const query = {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: EVENT, properties }],
      }
      const group = { type: 'AND', values: properties }
      const answers = [
        await call('POST', `${PROJECT}/feature_flags/`, {
          ...{ key, filters: { groups: [{ properties, rollout_percentage: 100 }] } },
        }),
        await call('POST', `${PROJECT}/cohorts/`, { name: key, filters: { properties: group } }),
        await call('GET', `${PROJECT}/persons/?properties=${list}`),
        await call('GET', `${PROJECT}/events/?properties=${list}`),
        await call('POST', `${PROJECT}/query/`, { query }),
      ]
      const looksAround = /\(\?[=!<]/.test(String(filter['value']))
      const statuses = answers.map(({ status }) => (status === 400 ? 400 : 200))
      if (looksAround) continue
      t.equal(new Set(statuses).size, 1, `${textOf(filter)}: ${statuses.join()}`)
      if (statuses[0] === 200) keys.set(textOf(filter), key)
      const said = answers.map(({ body }) => sentenceOf(body))
      if (statuses[0] === 400) t.equal(new Set(said).size, 1, said.join(' | '))
    }
    for (const { id, filter, expected } of LASTING) {
      if (!keys.has(textOf(filter)) && !/\(\?[=!<]/.test(String(filter['value']))) {
        t.equal(expected, false, `${id} is refused`)
      }
    }
  })

  await t.test('a flag, its cohort, the lists and a trend find the same persons', async (t) => {
    const on = new Map<string, ReadonlySet<string>>()
    for (const person of PERSONS) {
      const body = { api_key: projectKey, distinct_id: idOf(person) }
      const { body: answer } = await answered(`${url}/decide/?v=3`, { body })
      const flags: Record<string, unknown> = Object(answer).featureFlags
      const names = Object.keys(flags).filter((key) => flags[key] === true)
      on.set(idOf(person), new Set(names))
    }
    for (const { id, filter, person, expected } of LASTING) {
      const key = keys.get(textOf(filter))
      if (key !== undefined) t.equal(on.get(idOf(person))?.has(key) === true, expected, id)
    }
    for (const filter of FILTERS) {
      const key = keys.get(textOf(filter))
      if (key === undefined) continue
      const wanted = [...on].filter(([, flags]) => flags.has(key)).map(([distinctId]) => distinctId)
      const properties = [{ ...filter, type: 'person' }]
      const list = encodeURIComponent(textOf(properties))
      const persons = await call('GET', `${PROJECT}/persons/?limit=1000&properties=${list}`)
      t.strictSame(
        idsOf(persons.body, 'distinct_ids'),
        [...wanted].sort(),
        `persons: ${textOf(filter)}`,
      )
      const events = await call(
        'GET',
        `${PROJECT}/events/?event=${EVENT}&limit=1000&properties=${list}`,
      )
      t.strictSame(
        idsOf(events.body, 'distinct_id'),
        [...wanted].sort(),
        `events: ${textOf(filter)}`,
      )
      const cohorts = await call('GET', `${PROJECT}/cohorts/?search=${key}&limit=1000`)
      const cohort = Object(cohorts.body).results.find(({ name }: { name: string }) => name === key)
      const members = await call('GET', `${PROJECT}/cohorts/${cohort?.id}/persons/?limit=1000`)
      t.strictSame(
        idsOf(members.body, 'distinct_ids'),
        [...wanted].sort(),
        `cohort: ${textOf(filter)}`,
      )
      const series = [{ kind: 'EventsNode', event: EVENT, math: 'dau', properties }]
      const query = { kind: 'TrendsQuery', series, dateRange: { date_from: '-1d' } }
      const trend = await call('POST', `${PROJECT}/query/`, { query })
      t.equal(Object(trend.body).results?.[0]?.count, wanted.length, `trend: ${textOf(filter)}`)
    }
  })
})

/** Without the place that an interface puts in front of it. */
function sentenceOf(body: unknown): string {
  return /The operator .*$/.exec(String(Object(body).detail))?.[0] ?? String(Object(body).detail)
}

function idsOf(body: unknown, member: 'distinct_id' | 'distinct_ids'): readonly string[] {
  const rows: readonly Record<string, unknown>[] = Object(body).results
  return rows
    .flatMap((row) => row[member])
    .map(String)
    .sort()
}
