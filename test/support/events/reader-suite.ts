/**
 * Suite for every reader of events, run against each store. Expected values are computed here, from
 * the stored events.
 */
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import type { Condition } from '../../../src/conditions/condition.ts'
import { type ProjectId, projectId } from '../../../src/core/ids.ts'
import type {
  EventOrder,
  EventPiece,
  EventReader,
  EventsAsked,
  ListPage,
  PiecePlace,
  QueriedEvent,
} from '../../../src/events/ports.ts'
import { parseIsoTime } from '../../../src/events/time/iso-time.ts'
import type { FilterNode } from '../../../src/events/trees/filter.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { conditionOf } from '../conditions/conditions.ts'
import { putEvents, putPerson, type TestEvent } from '../ingest/events.ts'

export type ReaderUnderTest = {
  /** Postgres, where persons are, and events before they are copied. */
  readonly sql: Sql
  readonly reader: EventReader
  /** Brings a project's events from Postgres to the store. Called once for each project. */
  copy(project: ProjectId): Promise<void>
}

const PROJECT = projectId(1)
const OTHER = projectId(2)
const EMPTY = projectId(3)
const CALL = { signal: new AbortController().signal, time: { left: () => 60_000 } }
const EVERYTHING: FilterNode = { kind: 'and', nodes: [] }
const ASKED: EventsAsked = {
  project: PROJECT,
  before: '253402300800000000',
  after: undefined,
  event: undefined,
  distinctId: undefined,
  person: undefined,
  filter: EVERYTHING,
  where: undefined,
}
const PAGE: ListPage = {
  order: 'newest',
  limit: 1_000,
  offset: 0,
  bytesMax: 100_000_000,
  personBytesMax: 100_000_000,
}

type Stored = Required<Omit<TestEvent, 'elementsChain'>>

/** Times with years between them, ties, and neighbours a microsecond apart. */
function storedEvents(): Stored[] {
  const times = [
    '1850-06-01T01:02:03.999999Z',
    '1965-02-28T23:59:59.000001Z',
    '1969-12-31T23:59:59.999999Z',
    '2026-03-29T00:59:59.999999Z',
    '2026-03-29T01:00:00.000000Z',
    '2026-03-29T01:00:00.000001Z',
    '2026-10-25T01:30:00.000000Z',
    '2026-10-25T01:30:00.000000Z',
    '2300-01-01T00:00:00.000000Z',
  ]
  const ids = ['ann', 'ann@home', 'ben', 'nobody']
  return Array.from({ length: 90 }, (_, place) => ({
    uuid: randomUUID(),
    event: ['seen', 'clicked', 'é'][place % 3] ?? '',
    distinctId: ids[(place * 7) % ids.length] ?? '',
    timestamp: times[(place * 5) % times.length] ?? '',
    properties: {
      place,
      even: place % 2 === 0,
      ...(place % 4 === 0 ? { text: `v${place % 8}` } : {}),
    },
  }))
}

function microsOf(timestamp: string): bigint {
  const instant = parseIsoTime(timestamp)
  if (instant === undefined) throw new Error('no time')
  return BigInt(instant.ms) * 1_000n + BigInt(instant.us)
}

/** Their uuids in order. */
function inOrder(events: readonly Stored[], order: EventOrder = 'newest'): string[] {
  const newest = events
    .map(({ uuid, timestamp }) => ({ uuid, micros: microsOf(timestamp) }))
    .sort((a, b) => {
      if (a.micros !== b.micros) return a.micros > b.micros ? -1 : 1
      return a.uuid < b.uuid ? -1 : 1
    })
    .map(({ uuid }) => uuid)
  return order === 'newest' ? newest : newest.reverse()
}

const uuidsOf = (events: readonly QueriedEvent[]) => events.map(({ uuid }) => uuid)

const property = (key: string, condition: Condition, source: 'event' | 'person' = 'event') =>
  ({ kind: 'property', source, key, condition }) as const
const isOneOf = (values: readonly string[], negated = false) =>
  conditionOf(negated ? 'is_not' : 'exact', values)
const all = (...nodes: readonly FilterNode[]): FilterNode => ({ kind: 'and', nodes })
const either = (...nodes: readonly FilterNode[]): FilterNode => ({ kind: 'or', nodes })

/** Runs the suite. Each store has a database of its own. */
export function testReader(t: Test, name: string, open: (t: Test) => Promise<ReaderUnderTest>) {
  t.test(`${name}: lists and pieces`, async (t) => {
    const under = await open(t)
    const events = storedEvents()
    const ann = await putPerson(under.sql, PROJECT, {
      distinctIds: ['ann', 'ann@home'],
      properties: { name: 'Ann', secret: 1, team: 'red' },
    })
    await putPerson(under.sql, PROJECT, { distinctIds: ['ben'], properties: { team: 'blue' } })
    await putEvents(under.sql, PROJECT, events)
    await putEvents(under.sql, OTHER, storedEvents())
    await under.copy(PROJECT)
    await under.copy(OTHER)
    const suite = { ...under, events, ann }
    await testLists(t, suite)
    await testFilters(t, suite)
    await testPersons(t, suite)
    await testMerge(t, suite)
    await testPieces(t, suite)
    await testSingles(t, suite)
  })
  t.test(`${name}: samples`, async (t) => await testSamples(t, await open(t)))
}

type Suite = ReaderUnderTest & {
  readonly events: readonly Stored[]
  readonly ann: { readonly id: string; readonly uuid: string }
}

async function listed(
  { reader }: ReaderUnderTest,
  asked: Partial<EventsAsked> = {},
  page: Partial<ListPage> = {},
) {
  const list = await reader.list({ ...ASKED, ...asked }, { ...PAGE, ...page }, CALL)
  return list === 'too_large' ? list : { count: list.count, uuids: uuidsOf(list.events) }
}

async function testLists(t: Test, suite: Suite): Promise<void> {
  const { events } = suite
  await t.test('a list has every event once, in either order', async (t) => {
    for (const order of ['newest', 'oldest'] as const) {
      const wanted = { count: events.length, uuids: inOrder(events, order) }
      t.strictSame(await listed(suite, {}, { order }), wanted, order)
    }
  })

  await t.test('pages of any size make up the list', async (t) => {
    for (const limit of [13, 89, 90, 91]) {
      const pages: string[] = []
      for (let offset = 0; offset < events.length + limit; offset += limit) {
        const page = await listed(suite, {}, { limit, offset })
        if (page === 'too_large') throw new Error(page)
        t.equal(page.count, events.length)
        pages.push(...page.uuids)
      }
      t.strictSame(pages, inOrder(events), `${limit}`)
    }
  })

  await t.test('bounds are exclusive, by the microsecond', async (t) => {
    for (const { timestamp } of events.slice(0, 4)) {
      const micros = microsOf(timestamp)
      const before = events.filter((each) => microsOf(each.timestamp) < micros)
      const after = events.filter((each) => microsOf(each.timestamp) > micros)
      const between = { after: String(micros - 1n), before: String(micros + 1n) }
      const at = events.filter((each) => microsOf(each.timestamp) === micros)
      const page = async (asked: Partial<EventsAsked>) => await listed(suite, asked)
      const wanted = (some: readonly Stored[]) => ({ count: some.length, uuids: inOrder(some) })
      t.strictSame(await page({ before: String(micros) }), wanted(before), timestamp)
      t.strictSame(await page({ after: String(micros) }), wanted(after), timestamp)
      t.strictSame(await page(between), wanted(at), timestamp)
      t.strictSame(await page({ after: String(micros), before: String(micros) }), wanted([]))
    }
  })
}

async function testFilters(t: Test, suite: Suite): Promise<void> {
  const { events } = suite
  await t.test('filters, names and distinct ids narrow a list', async (t) => {
    const place = (each: Stored) => Number((each.properties as { place: number }).place)
    const cases: readonly [Partial<EventsAsked>, (each: Stored) => boolean][] = [
      [{ event: 'é' }, ({ event }) => event === 'é'],
      [{ event: 'none' }, () => false],
      [{ distinctId: 'ann' }, ({ distinctId }) => distinctId === 'ann'],
      [{ filter: property('even', isOneOf(['true'])) }, (each) => place(each) % 2 === 0],
      [
        { filter: all(property('text', isOneOf(['v4'], true)), { kind: 'named', event: 'seen' }) },
        (each) => each.event === 'seen' && place(each) % 8 !== 4,
      ],
      [
        {
          filter: property('place', conditionOf('gte', 80)),
          where: either({ kind: 'named', event: 'seen' }, { kind: 'named', event: 'é' }),
        },
        (each) => place(each) >= 80 && each.event !== 'clicked',
      ],
      [{ filter: either() }, () => false],
    ]
    for (const [asked, passes] of cases) {
      const wanted = events.filter(passes)
      const said = JSON.stringify(asked)
      for (const order of ['newest', 'oldest'] as const) {
        const list = { count: wanted.length, uuids: inOrder(wanted, order) }
        t.strictSame(await listed(suite, asked, { order }), list, said)
        const part = { count: wanted.length, uuids: list.uuids.slice(2, 5) }
        t.strictSame(await listed(suite, asked, { order, limit: 3, offset: 2 }), part, said)
      }
    }
  })

  await t.test('events that are too large together are not sent, one alone is', async (t) => {
    t.equal(await listed(suite, {}, { bytesMax: 1_000 }), 'too_large')
    const one = await listed(suite, {}, { bytesMax: 1, limit: 1 })
    t.strictSame(one, { count: events.length, uuids: inOrder(events).slice(0, 1) })
  })
}

async function testPersons(t: Test, suite: Suite): Promise<void> {
  const { events, reader, ann } = suite
  const isOfAnn = ({ distinctId }: Stored) => distinctId.startsWith('ann')
  await t.test('events are found by their person, and show what is to be seen of it', async (t) => {
    const wanted = inOrder(events.filter(isOfAnn))
    for (const person of [{ id: ann.id }, { uuid: ann.uuid }]) {
      const list = await reader.list({ ...ASKED, person }, PAGE, CALL)
      if (list === 'too_large') throw new Error(list)
      t.strictSame(uuidsOf(list.events), wanted)
      t.equal(list.count, wanted.length)
      const shown = list.events.map(({ person: text }) => JSON.parse(text ?? '') as object)
      t.match(shown[0], { id: Number(ann.id), uuid: ann.uuid, properties: { name: 'Ann' } })
      t.notMatch(shown[0], { properties: { secret: 1 } })
    }
    const nobody = { count: 0, uuids: [] }
    t.strictSame(await listed(suite, { person: 'none' }), nobody)
    t.strictSame(await listed(suite, { person: { uuid: randomUUID() } }), nobody)
    const without = await reader.list({ ...ASKED, distinctId: 'nobody' }, PAGE, CALL)
    if (without === 'too_large') throw new Error(without)
    t.ok(without.events.length > 0)
    t.ok(without.events.every(({ person }) => person === null))
  })

  await t.test('tests of persons match events of nobody only when they are negated', async (t) => {
    const red = isOneOf(['red'])
    const notRed = isOneOf(['red'], true)
    const isRed = isOfAnn
    const cases: readonly [FilterNode, (each: Stored) => boolean][] = [
      [property('team', red, 'person'), isRed],
      [property('team', notRed, 'person'), (each) => !isRed(each)],
      [
        property('team', conditionOf('is_not_set'), 'person'),
        (each) => each.distinctId === 'nobody',
      ],
      [property('gone', red, 'person'), () => false],
      [property('gone', notRed, 'person'), () => true],
      [
        either(property('team', red, 'person'), property('even', isOneOf(['true']))),
        (each) => isRed(each) || (each.properties as { even: boolean }).even,
      ],
      [
        all(property('team', notRed, 'person'), property('even', isOneOf(['true']))),
        (each) => !isRed(each) && (each.properties as { even: boolean }).even,
      ],
      [{ kind: 'cohort', members: { kind: 'nobody' }, negated: false }, () => false],
      [{ kind: 'cohort', members: { kind: 'nobody' }, negated: true }, () => true],
    ]
    for (const [filter, passes] of cases) {
      const wanted = events.filter(passes)
      const list = { count: wanted.length, uuids: inOrder(wanted) }
      t.strictSame(await listed(suite, { filter }), list, JSON.stringify(filter))
    }
  })
}

async function testMerge(t: Test, suite: Suite): Promise<void> {
  const { events, ann, sql } = suite
  const isOfAnn = ({ distinctId }: Stored) => distinctId.startsWith('ann')
  await t.test('a merge shows at once, in events of before', async (t) => {
    const move = async (from: string, to: string) => {
      await sql`
        update distinct_ids set person_id = (
          select person_id from distinct_ids where project_id = ${PROJECT} and distinct_id = ${to})
        where project_id = ${PROJECT} and distinct_id = ${from}`
    }
    await move('ben', 'ann')
    const wanted = events.filter((each) => isOfAnn(each) || each.distinctId === 'ben')
    const list = { count: wanted.length, uuids: inOrder(wanted) }
    t.strictSame(await listed(suite, { person: { id: ann.id } }), list)
    t.strictSame(
      await listed(suite, { filter: property('team', isOneOf(['red']), 'person') }),
      list,
    )
  })
}

async function testPieces(t: Test, suite: Suite): Promise<void> {
  const { events, reader } = suite
  const readAll = async (asked: Partial<EventsAsked>, place: PiecePlace) => {
    const given: string[] = []
    let next: EventPiece['next']
    let pieces = 0
    do {
      const piece: EventPiece = await reader.piece(
        { ...ASKED, ...asked },
        { ...place, ...next },
        CALL,
      )
      given.push(...uuidsOf(piece.events))
      next = piece.next
      pieces += 1
    } while (next !== undefined && pieces < 1_000)
    return given
  }

  await t.test('pieces of any size give every event once, in order', async (t) => {
    const place = { position: undefined, skip: 0, left: 1_000, bytesMax: 1_000_000 }
    for (const order of ['newest', 'oldest'] as const) {
      for (const rowsMax of [19, 200]) {
        t.strictSame(await readAll({}, { ...place, order, rowsMax }), inOrder(events, order))
      }
      const some = events.filter(({ event }) => event === 'seen')
      const filter = { kind: 'named', event: 'seen' } as const
      const asked = await readAll({ filter }, { ...place, order, rowsMax: 13 })
      t.strictSame(asked, inOrder(some, order), 'with a filter')
      const bounded = await readAll({}, { ...place, order, rowsMax: 40, bytesMax: 1_500 })
      t.strictSame(bounded, inOrder(events, order), 'few bytes')
    }
  })

  await t.test('a long list begins where it is told to, and ends there', async (t) => {
    const place = { position: undefined, order: 'newest', rowsMax: 7, bytesMax: 1_000_000 } as const
    const wanted = inOrder(events)
    for (const [skip, left] of [
      [0, 5],
      [20, 30],
      [80, 100],
      [90, 5],
      [5, 0],
    ] as const) {
      const given = await readAll({}, { ...place, skip, left })
      t.strictSame(given, wanted.slice(skip, skip + left), `${skip} ${left}`)
    }
  })
}

async function testSingles(t: Test, { events, reader }: Suite): Promise<void> {
  await t.test('one event is found by its uuid, in its own project', async (t) => {
    for (const { uuid, event, distinctId, timestamp, properties } of events.slice(0, 5)) {
      for (const id of [uuid, uuid.replaceAll('-', '')]) {
        const found = await reader.find(PROJECT, id, CALL)
        t.match(found, { uuid, event, distinctId, micros: String(microsOf(timestamp)) })
        t.strictSame(JSON.parse(found?.properties ?? ''), properties)
      }
      t.equal(await reader.find(OTHER, uuid, CALL), undefined)
    }
    t.equal(await reader.find(PROJECT, randomUUID(), CALL), undefined)
  })

  await t.test('the newest event of each distinct id is found, before a time', async (t) => {
    for (const before of [ASKED.before, String(microsOf('2026-03-29T01:00:00.000001Z'))]) {
      const ids = ['ben', 'ann', 'nowhere', 'nobody', '']
      const wanted = new Map<string, bigint>()
      for (const { distinctId: id, timestamp } of events) {
        const micros = microsOf(timestamp)
        const isNewer = micros < BigInt(before) && micros > (wanted.get(id) ?? -(10n ** 18n))
        if (isNewer && ids.includes(id)) wanted.set(id, micros)
      }
      const texts = [...wanted].map(([id, micros]) => [id, String(micros)])
      const found = await reader.newest({ project: PROJECT, distinctIds: ids, before }, CALL)
      t.strictSame([...found].sort(), texts.sort())
      const foreign = await reader.newest({ project: EMPTY, distinctIds: ids, before }, CALL)
      t.strictSame([...foreign], [])
    }
  })

  await t.test('a condition selects among given events', async (t) => {
    const places = events.slice(0, 40).map(({ uuid: id, timestamp }) => ({ id, timestamp }))
    const where = property('even', isOneOf(['true']))
    const wanted = events
      .slice(0, 40)
      .filter(({ properties }) => (properties as { even: boolean }).even)
    const found = await reader.matching(PROJECT, places, where, CALL)
    t.strictSame([...found].sort(), wanted.map(({ uuid }) => uuid).sort())
    t.strictSame(await reader.matching(OTHER, places, where, CALL), new Set())
    t.strictSame(await reader.matching(PROJECT, [], where, CALL), new Set())
  })
}

async function testSamples(t: Test, under: ReaderUnderTest): Promise<void> {
  const { sql, reader } = under
  const at = (place: number) => `2026-03-01T00:00:0${place}.000000Z`
  const values = [1, '1', 'Ärger', 'Ärger', 'Ärger', [1, 'x'], { a: 1.5 }, null, true, '[no list']
  await putEvents(sql, PROJECT, [
    ...values.map((value, place) => ({ timestamp: at(place), properties: { value } })),
    { timestamp: '2026-02-01T00:00:00.000000Z', properties: { value: 'old', older: 1 } },
    { timestamp: at(1), event: 'other', properties: { value: 'elsewhere' } },
  ])
  await putEvents(sql, OTHER, [{ timestamp: at(0), properties: { value: 'foreign', foreign: 1 } }])
  await under.copy(PROJECT)
  await under.copy(OTHER)
  const wanted = {
    project: PROJECT,
    key: 'value',
    part: '',
    events: ['e'],
    lengthMax: 100,
    limit: 100,
    from: String(microsOf(at(0))),
    before: String(microsOf(at(9)) + 1n),
  }

  await t.test('the most frequent values come first, numbers as their text', async (t) => {
    const value = (text: string, isNested = false) => ({ text, isNested })
    t.strictSame(await reader.values(wanted, CALL).then((all) => [...all]), [
      value('Ärger'),
      value('1'),
      value('[1, "x"]', true),
      value('[no list'),
      value('true'),
      value('{"a": 1.5}', true),
    ])
    const texts = async (more: Partial<typeof wanted>) =>
      (await reader.values({ ...wanted, ...more }, CALL)).map(({ text }) => text)
    t.strictSame(await texts({ part: 'äRG' }), ['Ärger'])
    t.strictSame(await texts({ events: [], part: 'e' }), ['Ärger', 'elsewhere', 'true'])
    t.strictSame(await texts({ lengthMax: 4, limit: 2 }), ['1', 'true'])
    t.strictSame(await texts({ before: wanted.from }), [])
    t.strictSame(await texts({ key: 'none' }), [])
  })

  await t.test('names of properties are those of the newest events', async (t) => {
    const sample = { events: 100, bytes: 1_000_000, nameLengthMax: 5, namesMax: 10 }
    const names = async (more: Partial<typeof sample>) =>
      await reader.propertyNames(PROJECT, { ...sample, ...more }, CALL)
    t.strictSame([...(await names({}))], ['value', 'older'])
    t.strictSame([...(await names({ events: 5 }))], ['value'])
    t.strictSame([...(await names({ namesMax: 1 }))], ['value'])
    t.strictSame([...(await names({ nameLengthMax: 4 }))], [])
    t.strictSame([...(await names({ bytes: 1 }))], ['value'], 'one event counts in any case')
  })
}
