import fc from 'fast-check'
import t from 'tap'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { EVENT_PAGE_KEYS_MAX } from '../../../src/core/limits/limits-query.ts'
import { EVENT_OWNERS_MAX } from '../../../src/event-store/postgres/reads/event-page.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { parseEventList } from '../../../src/query/list/event-list-query.ts'
import { listEvents } from '../../../src/query/list/events-list.ts'
import { putEvents, putPerson } from '../../support/ingest/events.ts'
import { createProject } from '../../support/ingest/ingest-store.ts'
import { anyScans } from '../../support/query/any-scans.ts'
import { testDatabase } from '../../support/servers/database.ts'

const clock: Clock = { ...systemClock, now: () => Date.parse('2024-03-10T12:00:00Z') }
const NAMES = { event: undefined, distinctId: undefined, personId: undefined }

type Properties = Readonly<Record<string, string>>
type Stored = {
  readonly event: string
  readonly distinctId: string
  readonly properties: Properties
  readonly person: Properties | undefined
}

type Filter =
  | {
      readonly key: string
      readonly operator: string
      readonly value: string
      readonly type: 'event' | 'person'
    }
  | { readonly type: 'AND' | 'OR'; readonly values: readonly Filter[] }

/** Meaning of the operators (`docs/QUERYING.md`), written again without SQL. */
function passes(filter: Filter, event: Stored): boolean {
  if ('values' in filter) {
    // An empty group restricts nothing.
    if (filter.values.length === 0 || filter.type === 'AND') {
      return filter.values.every((each) => passes(each, event))
    }
    return filter.values.some((each) => passes(each, event))
  }
  const { key, operator, value, type } = filter
  const found = (type === 'person' ? event.person : event.properties)?.[key]
  switch (operator) {
    case 'exact':
      return found?.toLowerCase() === value
    case 'is_not':
      return found?.toLowerCase() !== value
    case 'icontains':
      return found?.toLowerCase().includes(value) === true
    case 'not_icontains':
      return found?.toLowerCase().includes(value) !== true
    case 'regex':
      return found !== undefined && new RegExp(value).test(found)
    case 'not_regex':
      return found === undefined || !new RegExp(value).test(found)
    case 'is_set':
      return found !== undefined
    default:
      return found === undefined
  }
}

const leaf = fc.record({
  key: fc.constantFrom('a', 'b'),
  operator: fc.constantFrom(
    ...['exact', 'is_not', 'icontains', 'not_icontains'],
    ...['regex', 'not_regex', 'is_set', 'is_not_set'],
  ),
  value: fc.constantFrom('x', 'y', 'xy'),
  type: fc.constantFrom('event' as const, 'person' as const),
})
const { group } = fc.letrec<{ group: Filter }>((tie) => ({
  group: fc.record({
    type: fc.constantFrom('AND' as const, 'OR' as const),
    values: fc.oneof(
      { maxDepth: 3 },
      fc.array(leaf, { maxLength: 3 }),
      fc.array(tie('group'), { maxLength: 3 }),
    ),
  }),
}))

t.test('filtered lists', async (t) => {
  const { sql } = await testDatabase(t)
  const project = projectId(await createProject(sql))
  const deps = { sql, events: createPostgresEvents(sql), clock, scans: anyScans() }
  const { signal } = new AbortController()
  const list = async (filters: unknown, page: { limit: number; offset?: number }, fields = {}) => {
    const properties = JSON.stringify(filters)
    const request = { ...NAMES, after: '', before: '', orderBy: '', properties, ...fields }
    const query = parseEventList(request, clock.now())
    if (!query.ok) throw new Error(query.error.detail)
    const found = await listEvents(deps, project, query.value, { offset: 0, ...page }, signal)
    if (!found.ok) throw new Error(found.error.detail)
    const { count, events } = found.value
    return { count, names: events.map(({ event }) => event) }
  }
  const clear = async () => {
    await sql`delete from events`
    await sql`delete from event_counts`
  }
  /** In seconds, for the order; the first is the oldest. */
  const put = (events: readonly object[]) =>
    putEvents(
      sql,
      project,
      events.map((each, index) => {
        return { timestamp: new Date(Date.UTC(2024, 0, 1, 0, 0, index)).toISOString(), ...each }
      }),
    )
  const byPerson = (key: string, value: string, operator = 'exact') => [
    { key, value, operator, type: 'person' },
  ]

  await t.test('find what reading each event finds, however they are put', async (t) => {
    const values = [undefined, 'x', 'y', 'xy', 'Xy']
    const propertiesOf = (index: number): Properties => {
      const [a, b] = [values[index % 5], values[Math.floor(index / 5) % 5]]
      return { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }
    }
    const persons = Array.from({ length: 25 }, (_, index) => propertiesOf(index))
    for (const [index, properties] of persons.entries()) {
      await putPerson(sql, project, { distinctIds: [`p${index}`], properties })
    }
    const stored = Array.from({ length: 150 }, (_, index): Stored => {
      const owner = (index * 7) % 30
      return {
        event: `e${index}`,
        distinctId: `p${owner}`,
        properties: propertiesOf((index * 11) % 25),
        person: persons[owner],
      }
    })
    await put(stored)
    await fc.assert(
      fc.asyncProperty(group, fc.integer({ min: 0, max: 30 }), async (filter, offset) => {
        const expected = stored
          .filter((event) => passes(filter, event))
          .map(({ event }) => event)
          .reverse()
        for (const limit of [1, 10, 1_000]) {
          const { count, names } = await list(filter, { limit, offset })
          t.equal(count, expected.length, JSON.stringify(filter))
          t.same(names, expected.slice(offset, offset + limit), JSON.stringify(filter))
        }
      }),
      { numRuns: 60 },
    )
    await clear()
  })

  await t.test('find the events of persons, be they few or many', async (t) => {
    for (const many of [EVENT_OWNERS_MAX, EVENT_OWNERS_MAX + 1]) {
      const name = `owner of ${many}`
      const distinctIds = Array.from({ length: many }, (_, index) => `${many}-${index}`)
      await putPerson(sql, project, { distinctIds, properties: { name } })
      const ids = [distinctIds[0], 'nobody', distinctIds.at(-1), distinctIds[5]]
      await put(ids.map((distinctId, index) => ({ distinctId, event: `e${index}` })))
      for (const limit of [1, 2, 3, 100]) {
        const found = await list(byPerson('name', name), { limit })
        t.same(found, { count: 3, names: ['e3', 'e2', 'e0'].slice(0, limit) })
        const others = await list(byPerson('name', name, 'is_not'), { limit })
        t.same(others, { count: 1, names: ['e1'] })
      }
      const both = [...byPerson('name', name), ...byPerson('other', 'x', 'is_not')]
      t.match(await list(both, { limit: 5 }), { count: 3 })
      const distinctId = distinctIds[5]
      t.match(await list(both, { limit: 5 }, { distinctId }), { count: 1, names: ['e3'] })
      await clear()
    }
    t.same(await list(byPerson('name', 'nobody'), { limit: 5 }), { count: 0, names: [] })
    await putPerson(sql, project, { distinctIds: ['busy'], properties: { name: 'busy' } })
    const busy = Array.from({ length: EVENT_PAGE_KEYS_MAX + 1 }, (_, index) => ({
      distinctId: 'busy',
      event: `e${index}`,
    }))
    await put(busy)
    const found = await list(byPerson('name', 'busy'), { limit: 1, offset: 1 })
    t.same(found, { count: busy.length, names: [`e${busy.length - 2}`] })
    await clear()
  })

  await t.test('match nothing by a pattern that only RE2 reads, however it is asked', async (t) => {
    await putPerson(sql, project, { distinctIds: ['owner'], properties: { name: 'owner' } })
    await put([
      { distinctId: 'owner', event: 'owned', properties: { name: 'x' } },
      { distinctId: 'of nobody', event: 'lone', properties: {} },
    ])
    for (const operator of ['regex', 'not_regex']) {
      for (const type of ['event', 'person', 'group']) {
        const filter = { key: 'name', operator, value: '\\pL', type, group_type_index: 0 }
        for (const limit of [1, 10]) {
          const found = await list([filter], { limit })
          t.same(found, { count: 0, names: [] }, `${operator} of ${type}`)
        }
      }
    }
    const either = [
      { key: 'name', operator: 'not_regex', value: '\\pL' },
      ...byPerson('name', 'owner'),
    ]
    const found = await list({ type: 'OR', values: either }, { limit: 10 })
    t.same(found, { count: 1, names: ['owned'] })
    await clear()
  })

  await t.test('find what is not among the newest, be it little or much', async (t) => {
    const newest = Array.from({ length: 300 }, (_, index) => ({
      event: 'new',
      timestamp: new Date(Date.UTC(2024, 1, 1, 0, 0, index)).toISOString(),
    }))
    const filters = [{ key: 'old', operator: 'is_set' }]
    for (const many of [3, EVENT_PAGE_KEYS_MAX, EVENT_PAGE_KEYS_MAX + 1]) {
      await put(newest)
      await put(
        Array.from({ length: many }, (_, index) => ({
          event: `e${index}`,
          properties: { old: true },
        })),
      )
      const found = await list(filters, { limit: 2 })
      t.same(found, { count: many, names: [`e${many - 1}`, `e${many - 2}`] })
      const oldest = await list(filters, { limit: 2 }, { orderBy: '["timestamp"]' })
      t.same(oldest, { count: many, names: ['e0', 'e1'] })
      const last = await list(filters, { limit: 2, offset: many - 1 })
      t.same(last, { count: many, names: ['e0'] })
      t.same(await list(filters, { limit: 2, offset: many }), { count: many, names: [] })
      await clear()
    }
  })
})
