import t from 'tap'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../../../../src/core/clock.ts'
import { systemClock } from '../../../../src/core/clock.ts'
import { projectId } from '../../../../src/core/ids.ts'
import {
  EVENT_PAGE_BYTES_MAX,
  EVENT_QUERY_TIMEOUT_MS,
} from '../../../../src/core/limits/limits-query.ts'
import { createPostgresEvents } from '../../../../src/event-store/postgres/reads/event-reader.ts'
import { parseEventList } from '../../../../src/query/list/event-list-query.ts'
import { listEvents } from '../../../../src/query/list/events-list.ts'
import { as, makeKey, makeUser, refusal, startManagement } from '../../../support/api/management.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { anyScans } from '../../../support/query/any-scans.ts'

const NOW = '2024-03-10T12:00:00.000000Z'
const clock: Clock = { ...systemClock, now: () => Date.parse(NOW) }
const NONE = {
  ...{ after: '', before: '', properties: '', order_by: '', limit: 0, offset: 0 },
  ...{ select: [], where: [] },
}
const NO_NAMES = { event: undefined, distinctId: undefined, personId: undefined }

t.test('stored events', async (t) => {
  const m = await startManagement(t, clock)
  const { sql, owner, events } = m
  const project = owner.project?.id ?? 0
  const project_id = String(project)
  const key = owner.personalApiKey
  const outsider = await makeUser(sql, 'outsider@example.com')
  const list = (fields: object, by = key) =>
    events.ListEvents({ ...NONE, project_id, ...fields }, as(by))
  const names = async (fields: object) =>
    ((await list(fields)).results ?? []).map((event) => event.event)
  const matching = async (filters: unknown) =>
    (await names({ properties: JSON.stringify(filters), order_by: '["timestamp"]' })).join(' ')

  t.test('outsiders are 403, a key without the scope too', async (t) => {
    const scoped = await makeKey(sql, owner, { scopes: ['project:write'] })
    const id = uuidv7()
    for (const by of [outsider.personalApiKey, scoped]) {
      t.match(await refusal(list({}, by)), { is: 'permission_denied' })
      const get = events.GetEvent({ project_id, id }, as(by))
      t.match(await refusal(get), { is: 'permission_denied' })
    }
  })

  t.test('bad parameters are named', async (t) => {
    const wrong = (fields: object) => refusal(list(fields))
    t.match(await wrong({ after: 'yesterday' }), { code: 'invalid_input', attr: 'after' })
    t.match(await wrong({ before: '2024-13-01' }), { code: 'invalid_input', attr: 'before' })
    t.match(await wrong({ order_by: '["event"]' }), { code: 'invalid_input', attr: 'orderBy' })
    t.match(await wrong({ order_by: 'nonsense' }), { code: 'invalid_input', attr: 'orderBy' })
    t.match(await wrong({ properties: '{' }), { code: 'invalid_input', attr: null })
    t.match(await wrong({ properties: '[1]' }), { code: 'invalid_input', attr: 'properties' })
  })

  await t.test('a project without events has an empty page', async (t) => {
    t.match(await list({}), { count: 0, results: [], pinned_before: '2024-03-10T12:00:05.000000Z' })
  })

  await putPerson(sql, project, {
    distinctIds: ['anna', 'anna-laptop'],
    properties: { email: 'anna@example.com', plan: 'pro', age: 41 },
    isIdentified: true,
  })
  const ben = await putPerson(sql, project, { distinctIds: ['ben'] })
  await putEvents(sql, project, [
    { event: 'old', timestamp: '1996-02-29T00:00:00Z', distinctId: 'nobody' },
    { event: 'jan', timestamp: '2024-01-15T10:00:00Z', distinctId: 'ben', properties: { n: 1 } },
    { event: 'feb', timestamp: '2024-02-29T23:59:59.999999Z', distinctId: 'anna' },
    { event: 'edge', timestamp: '2024-03-10T00:00:00Z', distinctId: 'anna-laptop' },
    { event: 'now', timestamp: '2024-03-10T12:00:04.999999Z', distinctId: 'anna' },
    { event: 'soon', timestamp: '2024-03-10T12:00:05Z', distinctId: 'anna' },
    { event: 'tomorrow', timestamp: '2024-03-11T01:00:00Z', distinctId: 'anna' },
  ])
  await putEvents(sql, outsider.project?.id ?? 0, [
    { event: 'foreign', timestamp: '2024-03-01T00:00:00Z', distinctId: 'anna' },
  ])

  t.test('newest first, up to five seconds ahead of now', async (t) => {
    const page = await list({})
    t.same(
      page.results?.map((event) => event.event),
      ['now', 'edge', 'feb', 'jan', 'old'],
    )
    t.equal(page.count, 5)
    t.same(await names({ order_by: '["timestamp"]' }), ['old', 'jan', 'feb', 'edge', 'now'])
  })

  t.test('bounds are exclusive, and the count is exact at every bound', async (t) => {
    const bounds = async (after: string, before: string) => {
      const page = await list({ after, before })
      t.equal(page.count, page.results?.length, `${after} to ${before}`)
      return page.results?.map((event) => event.event).join(' ')
    }
    t.equal(await bounds('', '2024-03-10T12:00:05Z'), 'now edge feb jan old')
    t.equal(await bounds('', '2024-03-10T12:00:05.000001Z'), 'soon now edge feb jan old')
    t.equal(await bounds('2024-03-10', '2024-03-12'), 'tomorrow soon now')
    t.equal(await bounds('2024-03-09T23:59:59.999999Z', ''), 'now edge')
    t.equal(await bounds('2024-02-29T23:59:59.999998', '2024-03-10'), 'feb')
    t.equal(await bounds('2024-02-29T23:59:59.999999+00:00', '2024-03-10'), '')
    t.equal(await bounds('2024-03-01T00:59:59.999998 01:00', '2024-03-10'), 'feb', 'a + as space')
    t.equal(await bounds('1996-02-29', '2024-01-16'), 'jan')
    t.equal(await bounds('2024-03-12', '2024-03-11'), '')
    t.equal(await bounds('-1d', ''), 'now edge')
    t.equal(await bounds('12h', ''), 'now')
    t.equal(await bounds('0000-01-01', '9999-12-31'), 'tomorrow soon now edge feb jan old')
  })

  t.test('by event, distinct id and person, with exact counts', async (t) => {
    t.match(await list({ event: 'jan' }), { count: 1, results: [{ event: 'jan' }] })
    t.match(await list({ event: 'soon' }), { count: 0, results: [] })
    t.match(await list({ event: 'foreign' }), { count: 0, results: [] })
    t.match(await list({ event: "x' or true --" }), { count: 0 })
    t.match(await refusal(list({ event: 'nul\0' })), { attr: 'event' })
    t.same(await names({ distinct_id: 'anna' }), ['now', 'feb'])
    t.equal((await list({ distinct_id: 'anna', limit: 1 })).count, 2)
    for (const person_id of [ben.id, ben.uuid, ben.uuid.toUpperCase()]) {
      t.same(await names({ person_id }), ['jan'])
    }
    for (const person_id of ['0', '999999', 'abc', '99999999999999999999', outsider.userUuid]) {
      t.match(await list({ person_id }), { count: 0, results: [] })
    }
    t.same(await names({ distinct_id: 'anna', event: 'feb', after: '-1m' }), ['feb'])
  })

  t.test('pages follow one another under a pinned bound', async (t) => {
    const first = await list({ limit: 2 })
    t.same(
      first.results?.map((event) => event.event),
      ['now', 'edge'],
    )
    await putEvents(sql, project, [{ event: 'late', timestamp: '2024-03-10T12:00:05.5Z' }])
    const before = String(first.pinned_before)
    const second = await list({ before, limit: 2, offset: 2 })
    t.same(
      second.results?.map((event) => event.event),
      ['feb', 'jan'],
    )
    t.match(second, { count: 5, pinned_before: before })
    t.match(await list({ before, limit: 2, offset: 9 }), { count: 5, results: [] })
    await sql`delete from events where event = 'late'`
    await sql`delete from event_counts where event = 'late'`
  })

  t.test('equal times are ordered by uuid, the other way round when ascending', async (t) => {
    const timestamp = '2010-05-05T05:05:05Z'
    const same = Array.from({ length: 6 }, () => ({ event: 'tie', timestamp }))
    const uuids = (await putEvents(sql, project, same)).sort()
    const ids = async (fields: object) =>
      ((await list({ event: 'tie', ...fields })).results ?? []).map((event) => event.id)
    t.same(await ids({}), uuids)
    t.same(await ids({ order_by: '["timestamp"]' }), uuids.toReversed())
    t.same([...(await ids({ limit: 4 })), ...(await ids({ limit: 4, offset: 4 }))], uuids)
    const filtered = JSON.stringify([{ key: 'x', operator: 'is_not_set' }])
    t.same(await ids({ properties: filtered, limit: 4, offset: 2 }), uuids.slice(2))
    await sql`delete from events where event = 'tie'`
    await sql`delete from event_counts where event = 'tie'`
  })

  t.test('all eight members are texts', async (t) => {
    const elementsChain = 'a.btn:href="/x"nth-child="2"nth-of-type="1"text="Say \\"hi\\"";body:'
    const [id] = await putEvents(sql, project, [
      {
        event: 'full',
        timestamp: '2005-01-01T00:00:00.120Z',
        distinctId: 'anna',
        properties: { a: [1, null], 'b"c': 'ü' },
        elementsChain,
      },
    ])
    const [event] = (await list({ event: 'full' })).results ?? []
    t.match(event, { id, distinct_id: 'anna', timestamp: '2005-01-01T00:00:00.120000+00:00' })
    t.same(JSON.parse(event?.properties ?? ''), { a: [1, null], 'b"c': 'ü' })
    const { id: personId, uuid: personUuid, ...shown } = JSON.parse(event?.person ?? '')
    for (const person_id of [String(personId), personUuid]) {
      const found = (await list({ event: 'full', person_id })).results ?? []
      t.same(
        found.map((each) => each.id),
        [id],
        'by an id that an answer shows',
      )
    }
    t.same(shown, {
      is_identified: true,
      distinct_ids: ['anna'],
      properties: { email: 'anna@example.com' },
    })
    t.equal(event?.elements_chain, elementsChain)
    t.match(JSON.parse(event?.elements ?? ''), [
      { tag_name: 'a', attr_class: ['btn'], href: '/x', text: 'Say "hi"', nth_child: 2 },
      { tag_name: 'body', order: 1 },
    ])
    const [plain] = (await list({ event: 'old' })).results ?? []
    t.match(plain, {
      timestamp: '1996-02-29T00:00:00+00:00',
      elements: '[]',
      elements_chain: '',
      properties: '{}',
    })
    t.equal(plain?.person, 'null', 'nobody owns this distinct id, and it is a text')
    await sql`delete from events where event = 'full'`
  })

  t.test('the native shape has JSON where the other has texts of it', async (t) => {
    const [id] = await putEvents(sql, project, [
      {
        event: 'native "1"',
        timestamp: '2005-01-01T00:00:00Z',
        distinctId: 'anna',
        properties: { 'k"': [1, null] },
        elementsChain: 'a:text="\\"x\\""',
      },
    ])
    await sql`update events set properties = properties || '{"big": 12345678901234567890}'
      where uuid = ${String(id)}`
    const page = await list({ event: 'native "1"', shape: 'native' })
    t.match(page, { count: 1, native: { count: 1 }, pinned_before: /^2024/ })
    t.notOk('results' in page)
    t.ok(page.native?.results?.includes('"big": 12345678901234567890'), 'with all its digits')
    const [text] = (await list({ event: 'native "1"', shape: 'text' })).results ?? []
    const expected = {
      ...text,
      properties: JSON.parse(text?.properties ?? ''),
      person: JSON.parse(text?.person ?? ''),
      elements: JSON.parse(text?.elements ?? ''),
    }
    t.same(JSON.parse(page.native?.results ?? ''), [expected])
    const request = { project_id, id: String(id), shape: 'native', include_person: '1' }
    const one = await events.GetEvent(request, as(key))
    t.same(JSON.parse(one.native ?? ''), expected)
    t.notOk('event' in one)
    const without = await events.GetEvent({ project_id, id: String(id), shape: 'native' }, as(key))
    t.same(JSON.parse(without.native ?? ''), expected)
    t.match(await list({ event: 'nothing', shape: 'native' }), { native: { results: '[]' } })
    t.match(await refusal(list({ shape: 'odd' })), { code: 'invalid_choice', attr: 'shape' })
    await sql`delete from events where uuid = ${String(id)}`
    await sql`delete from event_counts where event = 'native "1"'`
  })

  t.test('an event is found by its uuid, on whatever day it is', async (t) => {
    const near = uuidv7({ msecs: Date.parse('2024-02-10T23:59:59Z') })
    const far = uuidv7({ msecs: Date.parse('2031-01-01T00:00:00Z') })
    const times = [
      { uuid: near, timestamp: '2024-02-11T00:00:00Z' },
      { uuid: far, timestamp: '2016-07-01T00:00:00Z' },
      { timestamp: '1970-01-01T00:00:00Z' },
      { timestamp: '2250-01-01T00:00:00Z' },
      { timestamp: '2024-02-11T00:00:00Z', distinctId: 'anna' },
    ]
    const uuids = await putEvents(
      sql,
      project,
      times.map((each) => ({ ...each, event: 'get' })),
    )
    for (const id of uuids) {
      const { event } = await events.GetEvent({ project_id, id }, as(key))
      t.equal(event?.id, id)
      for (const [name, value] of Object.entries(event ?? {})) t.type(value, 'string', name)
      t.equal(Object.keys(event ?? {}).length, 8)
    }
    const id = String(uuids[4])
    const request = { project_id, id: id.toUpperCase(), include_person: '' }
    const withPerson = await events.GetEvent(request, as(key))
    t.match(JSON.parse(withPerson.event?.person ?? ''), { is_identified: true })
    const theirs = { project_id: String(outsider.project?.id), id }
    t.match(await refusal(events.GetEvent(theirs, as(outsider.personalApiKey))), {
      is: 'not_found',
    })
    const unknown = uuidv7()
    t.match(await refusal(events.GetEvent({ project_id, id: unknown }, as(key))), {
      is: 'not_found',
      detail: new RegExp(unknown),
    })
    t.match(await refusal(events.GetEvent({ project_id, id: 'abc' }, as(key))), {
      is: 'invalid_argument',
      code: 'invalid',
      attr: null,
    })
    await sql`delete from events where event = 'get'`
  })

  t.test('each operator', async (t) => {
    const at = (second: number) => `2001-01-01T00:00:${String(second).padStart(2, '0')}Z`
    const values: [string, object][] = [
      ['text', { p: 'Pro_Plan' }],
      ['digits', { p: '12' }],
      ['number', { p: 12.5 }],
      ['true', { p: true }],
      ['null', { p: null }],
      ['list', { p: ['a', 'b'] }],
      ['missing', {}],
      ['day', { p: '2023-05-01' }],
      ['time', { p: '2023-05-01T23:30:00+02:00' }],
      ['unix', { p: 1_682_985_600 }],
      ['baddate', { p: '2023-02-30' }],
    ]
    await sql`delete from events`
    await sql`delete from event_counts`
    const rows = values.map(([event, properties], index) => ({
      event,
      properties,
      timestamp: at(index),
    }))
    await putEvents(sql, project, rows)
    const all = values.map(([event]) => event)
    const but = (...names: string[]) => all.filter((name) => !names.includes(name)).join(' ')
    const p = (operator: string, value?: unknown) => matching([{ key: 'p', operator, value }])

    t.equal(await matching([{ key: 'p', value: 'Pro_Plan' }]), 'text')
    t.equal(await p('exact', ['12', true]), 'digits true')
    t.equal(await p('exact', 12.5), 'number')
    t.equal(await p('exact', []), '')
    t.equal(await p('is_not', ['12', 'Pro_Plan']), but('digits', 'text'))
    t.equal(await p('is_not', []), all.join(' '))
    t.equal(await p('icontains', 'pro_'), 'text')
    t.equal(await p('icontains', '%'), '')
    t.equal(await p('not_icontains', 'PRO'), but('text'))
    t.equal(await p('regex', '^pro'), '')
    t.equal(await p('regex', '(?i)^pro'), 'text')
    t.equal(await p('regex', '\\bPlan'), '', 'an underscore is of the word')
    t.equal(await p('regex', '^\\d+(\\.\\d)?$'), 'digits number unix')
    t.equal(await p('not_regex', '^Pro'), but('text'))
    for (const operator of ['regex', 'not_regex']) {
      for (const pattern of ['(', '(a)\\1', 'a(?=b)']) {
        t.match(await refusal(p(operator, pattern)), { attr: 'properties' }, pattern)
      }
      t.equal(await p(operator, 'a{300}'), '', 'one that Postgres refuses matches nothing')
    }
    t.equal(await p('gt', 12), 'number unix')
    t.equal(await p('gte', '12'), 'digits number unix')
    t.equal(await p('lt', 12.5), 'digits')
    t.equal(await p('lte', 12.5), 'digits number')
    t.match(await refusal(p('gt', 'many')), { attr: 'properties' })
    t.equal(await p('is_set'), but('missing'))
    t.equal(await p('is_not_set'), 'missing')
    t.equal(await p('is_date_exact', '2023-05-01'), 'day time')
    t.equal(await p('is_date_exact', '2023-05-01T21:30:00Z'), 'time')
    t.equal(await p('is_date_before', '2023-05-01T01:00:00Z'), 'digits number day')
    t.equal(await p('is_date_after', '2023-05-01'), 'time unix')
    t.equal(await p('is_date_after', '2023-05-01T00:00:00Z'), 'time unix')
    t.match(await refusal(p('is_date_after', 'someday')), { attr: 'properties' })
  })

  t.test('groups, persons and the flat form', async (t) => {
    await sql`delete from events`
    await sql`delete from event_counts`
    await putEvents(sql, project, [
      { event: 'a', distinctId: 'anna', properties: { x: 1 }, timestamp: '2001-01-01T00:00:00Z' },
      { event: 'b', distinctId: 'ben', properties: { x: 2 }, timestamp: '2001-01-01T00:00:01Z' },
      { event: 'c', distinctId: 'none', properties: { x: 3 }, timestamp: '2001-01-01T00:00:02Z' },
    ])
    const x = (value: number) => ({ key: 'x', value })
    t.equal(await matching([x(1), x(2)]), '')
    t.equal(await matching({ type: 'OR', values: [x(1), x(2)] }), 'a b')
    const nested = {
      type: 'AND',
      values: [
        { type: 'OR', values: [x(1), x(2)] },
        { type: 'OR', values: [x(2), x(3)] },
      ],
    }
    t.equal(await matching(nested), 'b')
    t.equal(await matching({ x__gt: 1, x__is_not: 3 }), 'b')
    t.equal(await matching({ x: '3' }), 'c')
    t.equal(await matching({}), 'a b c')
    const person = (operator: string, value?: unknown, key = 'plan') =>
      matching([{ key, operator, value, type: 'person' }])
    t.equal(await person('exact', 'pro'), 'a')
    t.equal(await person('is_not', 'pro'), 'b c')
    t.equal(await person('gt', 40, 'age'), 'a')
    t.equal(await person('is_set'), 'a')
    t.equal(await person('is_not_set'), 'b c')
    const both = [{ key: 'plan', value: 'pro', type: 'person' }, x(1)]
    t.match(await list({ properties: JSON.stringify(both) }), { count: 1 })
  })

  t.test('a page is cut by no more than its bytes, and one event is always sent', async (t) => {
    await sql`delete from events`
    await sql`delete from event_counts`
    const half = { text: 'x'.repeat(EVENT_PAGE_BYTES_MAX / 2) }
    const large = Array.from({ length: 2 }, () => ({
      timestamp: '2001-03-01T00:00:00Z',
      properties: half,
    }))
    await putEvents(sql, project, large)
    await putEvents(sql, project, [
      { timestamp: '2001-04-01T00:00:00Z', properties: { text: half.text.repeat(3) } },
    ])
    t.match(await refusal(list({})), { code: 'invalid_input', attr: 'limit' })
    t.match(await refusal(list({ offset: 1 })), { code: 'invalid_input', attr: 'limit' })
    for (const offset of [0, 1, 2]) {
      const page = await list({ limit: 1, offset })
      t.match(page, { count: 3, results: { length: 1 } })
    }
  })

  t.test('a query that takes too long is 400, and the next one is answered', async (t) => {
    const parsed = parseEventList(
      { ...NONE, ...NO_NAMES, orderBy: '', properties: '[{"key":"x","operator":"is_set"}]' },
      clock.now(),
    )
    if (!parsed.ok) throw new Error('the query is well-formed')
    const page = { limit: 1_000, offset: 0 }
    await putEvents(sql, project, [{ timestamp: '2001-05-01T00:00:00Z', properties: { x: 1 } }])
    const { signal } = new AbortController()
    const run = (deps: object = {}) => {
      const all = { sql, events: createPostgresEvents(sql), clock, scans: anyScans(), ...deps }
      return listEvents(all, projectId(project), parsed.value, page, signal)
    }
    const tooLong = { ok: false, error: { code: 'query_timeout', attr: null } }
    await sql.begin(async (tx) => {
      await tx`lock table events in access exclusive mode`
      t.match(await run({ timeoutMs: 20 }), tooLong, 'cut by the server')
    })
    // The rest is spent before the count, and between the count and the page.
    for (const readings of [2, 3]) {
      let read = 0
      const hasty = { ...clock, monotonic: () => (++read < readings ? 0 : EVENT_QUERY_TIMEOUT_MS) }
      t.match(await run({ clock: hasty }), tooLong)
    }
    t.match(await run(), { ok: true })
  })
})
