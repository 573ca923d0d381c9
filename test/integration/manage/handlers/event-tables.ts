import t from 'tap'
import { as, makeKey, makeUser, refusal, startManagement } from '../../../support/api/management.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { fixedClock } from '../../../support/query/event-table.ts'

const NONE = { after: '', before: '', properties: '', order_by: '', limit: 100, offset: 0 }

t.test('events by expressions', async (t) => {
  const { sql, owner, events } = await startManagement(t, fixedClock)
  const project = owner.project?.id ?? 0
  const project_id = String(project)
  const outsider = await makeUser(sql, 'outsider@example.com')
  const list = (fields: object, by = owner.personalApiKey) =>
    events.ListEvents({ ...NONE, project_id, select: [], where: [], ...fields }, as(by))
  await putPerson(sql, project, { distinctIds: ['anna'], properties: { plan: 'pro' } })
  await putEvents(sql, project, [
    { event: 'view', distinctId: 'anna', timestamp: '2024-01-01T00:00:00Z', properties: { n: 1 } },
    { event: 'buy', distinctId: 'anna', timestamp: '2024-01-02T00:00:00Z', properties: { n: 2 } },
    { event: 'view', distinctId: 'ben', timestamp: '2024-01-03T00:00:00Z', properties: { n: 3 } },
  ])
  await putEvents(sql, outsider.project?.id ?? 0, [
    { event: 'foreign', distinctId: 'anna', timestamp: '2024-01-02T00:00:00Z' },
  ])

  t.test('outsiders are 403, a key without the scope too', async (t) => {
    const scoped = await makeKey(sql, owner, { scopes: ['project:write'] })
    for (const by of [outsider.personalApiKey, scoped]) {
      t.match(await refusal(list({ select: ['count()'] }, by)), { is: 'permission_denied' })
    }
  })

  t.test('select answers a table in place of events', async (t) => {
    const answer = await list({ select: ['event', 'count()'], where: ['properties.n > 1'] })
    t.match(answer, {
      pinned_before: '2024-03-10T12:00:05.000000Z',
      table: {
        columns: ['event', 'count()'],
        types: ['String', 'UInt64'],
        results: '[["buy", 1],["view", 1]]',
        has_more: false,
        count: 2,
      },
    })
    t.notOk('results' in answer)
    t.notOk('table' in (await list({ select: [''] })), 'an empty text asks for nothing')
  })

  t.test('where without select filters events, in every shape', async (t) => {
    for (const where of [['properties.n > 1', "event = 'view'"], ['["properties.n = 3"]']]) {
      const text = await list({ where })
      t.match(text, { count: 1, results: [{ event: 'view', distinct_id: 'ben' }] })
      t.notOk('table' in text)
      const native = await list({ where, shape: 'native' })
      t.match(JSON.parse(native.native?.results ?? ''), [{ event: 'view', properties: { n: 3 } }])
    }
    const ofPersons = { where: ["person.properties.plan = 'pro'"], order_by: '["timestamp"]' }
    t.match(await list(ofPersons), { count: 2, results: [{ event: 'view' }, { event: 'buy' }] })
    const pages = { where: ['true'], limit: 1, offset: 2 }
    t.match(await list(pages), { count: 3, results: [{ event: 'view', distinct_id: 'anna' }] })
    t.match(await list({ where: ['[]'] }), { count: 3 })
    t.match(await list({ where: ['true or true', "event = 'foreign' or true"] }), { count: 3 })
  })

  t.test('an expression among filters, of persons too', async (t) => {
    const properties = (...filters: object[]) => ({ properties: JSON.stringify(filters) })
    const expression = (key: string) => ({ type: 'hogql', key })
    t.match(await list(properties(expression("person.properties.plan = ''"))), { count: 1 })
    t.match(await list(properties(expression('not empty(person.properties.plan)'))), { count: 2 })
    const pro = { key: 'plan', value: 'pro', type: 'person' }
    t.match(await list(properties(pro, expression('properties.n > 1'))), { count: 1 })
    const either = { type: 'OR', values: [pro, expression('properties.n = 3')] }
    t.match(await list({ properties: JSON.stringify(either) }), { count: 3 })
  })

  t.test('numbers in texts are read by their ASCII digits and blanks alone', async (t) => {
    const wide = ['\u300012', '\u00a012', '１２', '1\u20002', '12'].map((n, index) => ({
      ...{ event: 'wide', timestamp: `2024-02-0${index + 1}T00:00:00Z`, properties: { n } },
    }))
    await putEvents(sql, project, wide)
    const filter = (operator: string) =>
      JSON.stringify([
        { key: 'n', operator, value: 11 },
        { key: 'n', operator: 'is_set' },
      ])
    t.match(await list({ event: 'wide', properties: filter('gt') }), { count: 1 })
    t.match(await list({ event: 'wide', where: ['properties.n = 12'] }), { count: 1 })
  })

  t.test('an error names its parameter', async (t) => {
    for (const [fields, attr] of [
      [{ select: ['1 +'] }, 'select'],
      [{ where: ['1 +'] }, 'where'],
      [{ where: ['count() = 1'] }, 'where'],
      [{ where: ['["true"'] }, 'where'],
      [{ select: ['event'], order_by: '["1 +"]' }, 'orderBy'],
      [{ select: ['event'], order_by: 'event' }, 'orderBy'],
      [{ order_by: '["event"]', where: ['true'] }, 'orderBy'],
      [{ select: ['event'], after: 'soon' }, 'after'],
      [{ select: ['1 +'], properties: '[1]' }, 'properties'],
    ] as const) {
      t.match(await refusal(list(fields)), { is: 'invalid_argument', code: 'invalid_input', attr })
    }
  })
})
