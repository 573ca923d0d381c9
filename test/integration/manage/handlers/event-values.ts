import t from 'tap'
import { type Clock, systemClock } from '../../../../src/core/clock.ts'
import { projectId } from '../../../../src/core/ids.ts'
import { createPostgresEvents } from '../../../../src/event-store/postgres/reads/event-reader.ts'
import {
  EVENT_VALUE_CHARS_MAX,
  EVENT_VALUES_MAX,
  listEventValues,
} from '../../../../src/query/list/event-values.ts'
import { as, makeKey, makeUser, refusal, startManagement } from '../../../support/api/management.ts'
import { putEvents, type TestEvent } from '../../../support/ingest/events.ts'
import { anyScans } from '../../../support/query/any-scans.ts'

const clock: Clock = { ...systemClock, now: () => Date.parse('2024-03-10T12:00:00Z') }
const TIME = '2024-03-10T00:00:00Z'

t.test('values of events', async (t) => {
  const { sql, owner, events } = await startManagement(t, clock)
  const project = owner.project?.id ?? 0
  const project_id = String(project)
  const key = owner.personalApiKey
  const outsider = await makeUser(sql, 'outsider@example.com')
  const values = async (fields: object, by: string | undefined = key) => {
    const request = { project_id, event_name: [] as string[], ...fields }
    return ((await events.ListEventValues(request, as(by))).results ?? []).map(({ name }) => name)
  }
  const put = async (all: readonly Omit<TestEvent, 'timestamp'>[], timestamp = TIME) =>
    await putEvents(
      sql,
      project,
      all.map((each) => ({ timestamp, ...each })),
    )
  const having = (...all: unknown[]) => put(all.map((p) => ({ properties: { p } })))
  t.afterEach(async () => {
    await sql`delete from events`
    await sql`delete from event_counts`
  })

  t.test('are for members, and without a key for nobody in particular', async (t) => {
    const scoped = await makeKey(sql, owner, { scopes: ['event_definition:write'] })
    for (const by of [outsider.personalApiKey, scoped]) {
      t.match(await refusal(values({ key: 'p' }, by)), { is: 'permission_denied' })
    }
    await having('a')
    t.same(await values({}), [])
    t.same(await values({ key: '' }), [])
    t.same(await values({ key: 'q' }), [])
    const theirs = { project_id: String(outsider.project?.id), key: 'p' }
    t.same(await values(theirs, outsider.personalApiKey), [])
  })

  t.test('come most frequent first, ties by text', async (t) => {
    await having('b', 'a', 'c', 'c', 'B', 'ä')
    t.same(await values({ key: 'p' }), ['c', 'B', 'a', 'b', 'ä'])
  })

  t.test('are texts of whatever they were', async (t) => {
    await having(true, false, false, 12, 1.5, '', null, 12_345_678_901_234)
    t.same(await values({ key: 'p' }), ['false', '', '1.5', '12', '12345678901234', 'true'])
    await sql`update events set properties = '{"p": 12345678901234567890}'`
    t.same(await values({ key: 'p' }), ['12345678901234567890'])
  })

  t.test('a number and the text that spells it are one', async (t) => {
    await having(7, '7', 'x')
    t.same(await values({ key: 'p' }), ['7', 'x'])
  })

  t.test('lists are taken apart, objects become JSON with sorted keys', async (t) => {
    await having(['a', ['b', null, 3], { z: 1, a: [{ y: 1, b: 2 }] }], ['a', 'd'], {
      b: 1,
      a: null,
    })
    const found = await values({ key: 'p' })
    t.same([...found].sort(), [
      '3',
      'a',
      'b',
      'd',
      '{"a":[{"b":2,"y":1}],"z":1}',
      '{"a":null,"b":1}',
    ])
    await having('[1]', '{"a": 1}', [])
    const texts = await values({ key: 'p' })
    t.ok(texts.includes('[1]') && texts.includes('{"a": 1}'), 'a text is no list')
  })

  t.test('no more than ten are looked at, lists as one each', async (t) => {
    const ten = Array.from({ length: EVENT_VALUES_MAX }, (_, index) => `v${index}`)
    await having(...ten, ...ten, 'eleventh')
    t.same(await values({ key: 'p' }), ten)
    await having(...Array.from({ length: 3 }, () => ['x', 'y', 'z']))
    t.same(await values({ key: 'p' }), ['x', 'y', 'z', ...ten.slice(0, -1)])
  })

  t.test('are narrowed by part of their text and by event', async (t) => {
    await put([
      { event: 'one', properties: { p: 'Pro_Plan' } },
      { event: 'two', properties: { p: 'pro' } },
      { event: 'three', properties: { p: 'free', q: 'pro' } },
      { event: 'three', properties: { p: 170 } },
    ])
    t.same(await values({ key: 'p', value: 'PRO' }), ['Pro_Plan', 'pro'])
    t.same(await values({ key: 'p', value: '_' }), ['Pro_Plan'])
    t.same(await values({ key: 'p', value: '%' }), [])
    t.same(await values({ key: 'p', value: '7' }), ['170'])
    t.same(await values({ key: 'p', event_name: ['two', 'three'] }), ['170', 'free', 'pro'])
    t.same(await values({ key: 'p', event_name: ['', 'two'] }), ['pro'])
    t.same(await values({ key: 'p', event_name: ["x') or true --"] }), [])
    t.same(await values({ key: 'p', event_name: ['one'], value: 'free' }), [])
  })

  t.test('are of the last seven days, from midnight on', async (t) => {
    await put([{ properties: { p: 'too old' } }], '2024-03-02T23:59:59.999999Z')
    await put([{ properties: { p: 'first' } }], '2024-03-03T00:00:00Z')
    await put([{ properties: { p: 'last' } }], '2024-03-10T12:00:04.999999Z')
    await put([{ properties: { p: 'to come' } }], '2024-03-10T12:00:05Z')
    t.same(await values({ key: 'p' }), ['first', 'last'])
  })

  t.test('values that are too long to choose are not offered', async (t) => {
    const long = 'x'.repeat(EVENT_VALUE_CHARS_MAX)
    await having(long, `${long}x`, [long], 'short')
    t.same(await values({ key: 'p' }), ['short', long])
  })

  t.test('names of events are of all time, without those that every project has', async (t) => {
    const usual = ['$autocapture', '$pageview', '$identify', '$pageleave', '$screen']
    await put(
      [...usual, 'b', 'a', 'c'].map((event) => ({ event })),
      '1999-01-01T00:00:00Z',
    )
    await put([{ event: 'c' }, { event: '$groupidentify' }])
    const names = ['c', '$groupidentify', 'a', 'b']
    t.same(await values({ key: 'custom_event' }), names)
    t.same(await values({ key: 'custom_event', value: 'x', event_name: ['a'] }), names)
    const foreign = { project_id: String(outsider.project?.id), key: 'custom_event' }
    t.same(await values(foreign, outsider.personalApiKey), [])
  })

  t.test('a search that takes too long is an error', async (t) => {
    await having('a')
    const deps = { sql, events: createPostgresEvents(sql), clock, scans: anyScans(), timeoutMs: 20 }
    const { signal } = new AbortController()
    const asked = { key: 'p', value: '', events: [] }
    await sql.begin(async (tx) => {
      await tx`lock table events in access exclusive mode`
      const found = await listEventValues(deps, projectId(project), asked, signal)
      t.match(found, { ok: false, error: { code: 'query_timeout', attr: null } })
    })
  })
})
