import t from 'tap'
import { EXPRESSION_NODES_MAX } from '../../../src/core/limits/limits-query.ts'
import { refusal } from '../../support/api/management.ts'
import { putEvents, putPerson } from '../../support/ingest/events.ts'
import { tablesOf } from '../../support/query/event-table.ts'
import { testDatabase } from '../../support/servers/database.ts'

const PROJECT = 1
const OTHER = 2

t.test('tables of events', async (t) => {
  const { sql } = await testDatabase(t)
  await putPerson(sql, PROJECT, {
    distinctIds: ['anna', 'phone'],
    properties: { email: 'anna@example.com', plan: 'pro' },
    isIdentified: true,
  })
  const day = (day: number) => `2024-01-${String(day).padStart(2, '0')}T00:00:00Z`
  const uuids = await putEvents(sql, PROJECT, [
    { event: 'view', distinctId: 'anna', timestamp: day(1), properties: { n: 1 } },
    { event: 'view', distinctId: 'ben', timestamp: day(2), properties: { n: 2 } },
    { event: 'buy', distinctId: 'phone', timestamp: day(3), properties: { n: '10' } },
    { event: 'view', distinctId: 'anna', timestamp: day(4), properties: { n: 'x' } },
    { event: 'leave', distinctId: 'ben', timestamp: day(5), elementsChain: 'a:href="/x"' },
  ])
  const foreign = { distinctIds: ['anna', 'ben'], properties: { plan: 'foreign' } }
  await putPerson(sql, OTHER, foreign)
  await putEvents(sql, OTHER, [{ event: 'foreign', distinctId: 'anna', timestamp: day(3) }])
  const { list, rows } = tablesOf(sql, PROJECT)

  t.test('grouped by what is no aggregate, the largest count first', async (t) => {
    const { columns, types, results, count, has_more } = await list(['event', 'count()'])
    t.strictSame(
      { columns, types, count, has_more },
      {
        columns: ['event', 'count()'],
        types: ['String', 'UInt64'],
        count: 3,
        has_more: false,
      },
    )
    t.strictSame(JSON.parse(String(results)), [
      ['view', 3],
      ['buy', 1],
      ['leave', 1],
    ])
    t.strictSame(await rows(['person.properties.plan', 'count()']), [
      ['pro', 3],
      ['', 2],
    ])
    t.strictSame(await rows(['toStartOfWeek(timestamp)', 'count()']), [
      ['2024-01-01T00:00:00+00:00', 5],
    ])
  })

  t.test('each aggregate', async (t) => {
    const values: Record<string, unknown> = {
      'count()': 5,
      "countIf(event = 'view')": 3,
      'countDistinct(event)': 3,
      "countDistinctIf(distinct_id, event = 'view')": 2,
      'min(event)': 'buy',
      'max(timestamp)': '2024-01-05T00:00:00+00:00',
      'min(toFloat(properties.n))': 1,
      'min(uuid)': [...uuids].sort()[0],
      'max(uuid)': [...uuids].sort().at(-1),
      "minIf(timestamp, event = 'buy')": '2024-01-03T00:00:00+00:00',
      "maxIf(event, event != 'view')": 'leave',
      "min(event = 'view')": false,
      "any(event = 'view')": false,
      "max(event = 'view')": true,
      'sum(properties.n)': 13,
      "sumIf(properties.n, event = 'view')": 3,
      'sumIf(1, false)': 0,
      'sum(length(event))': 20,
      'avg(properties.n)': 13 / 3,
      "avgIf(properties.n, event = 'none')": null,
      "anyIf(event, event like 'l%')": 'leave',
      'any(person_id) is not null': true,
      'count() * 2 + 1': 11,
      'sum(properties.n) / count()': 2.6,
    }
    t.strictSame(await rows(Object.keys(values)), [Object.values(values)])
    t.strictSame(await rows(['count()', 'sum(1)', 'max(event)'], { event: 'none' }), [[0, 0, null]])
    t.strictSame(await rows(['event', 'count()'], { event: 'none' }), [])
    const never = { before: '2024-01-01', after: '2024-01-02' }
    t.strictSame(await rows(['count()'], never), [[0]], 'no event can match')
    t.match(await list(['event', 'count()'], never), { results: '[]', count: 0, has_more: false })
  })

  t.test('where filters events, and groups where it holds an aggregate', async (t) => {
    const where = ["event != 'leave'", 'count() > 1', "event like properties.none || '%w'"]
    t.match(await refusal(list(['event', 'count()'], { where: ['count() > 1 and distinct_id'] })), {
      attr: 'where',
      detail: /"distinct_id" is neither selected .* at character 17 of/,
    })
    t.strictSame(await rows(['event', 'count()'], { where }), [['view', 3]])
    t.strictSame(await rows(['event'], { where: ['count() > 1'] }), [['view']])
    t.strictSame(await rows(['count()'], { where: ['count() > 9'] }), [])
    t.strictSame(await rows(['event', 'count()'], { where: ["event = 'view' and count() = 3"] }), [
      ['view', 3],
    ])
    t.strictSame(await rows(['event'], { where: ['properties.n >= 2', '[]'] }).catch(() => 1), 1)
    t.strictSame(await rows(['event'], { where: ['["properties.n >= 2"]'] }), [['buy'], ['view']])
    t.strictSame(await rows(['event'], { where: ["person.properties.plan = 'pro'"] }), [
      ['buy'],
      ['view'],
      ['view'],
    ])
  })

  t.test('beside the filters of a list', async (t) => {
    const properties = JSON.stringify([{ key: 'n', value: 2, operator: 'lt' }])
    t.strictSame(await rows(['properties.n'], { properties }), [['1']])
    const person = JSON.stringify([{ key: 'plan', value: 'pro', type: 'person' }])
    t.strictSame(await rows(['event', 'count()'], { properties: person }), [
      ['view', 2],
      ['buy', 1],
    ])
    const expression = JSON.stringify([{ key: 'properties.n > 1', type: 'hogql' }])
    t.strictSame(await rows(['count()'], { properties: expression }), [[2]])
    t.strictSame(await rows(['count()'], { event: 'view', distinctId: 'anna' }), [[2]])
    t.strictSame(await rows(['event'], { after: day(3), before: day(5) }), [['view']])
  })

  t.test('orders', async (t) => {
    const days = async (orderBy: string[], select = ['toString(timestamp)']) =>
      (await rows(select, { orderBy })).map(([time]) => String(time).slice(9, 10)).join('')
    t.equal(await days(['timestamp']), '12345')
    t.equal(await days(['-timestamp']), '54321')
    t.equal(await days(['event']), '35421', 'ties are the newest first')
    t.equal(await days(['-event', 'timestamp']), '12453')
    t.equal(await days(['toFloat(properties.n)']), '12354', 'null comes last')
    t.equal(await days(['-toFloat(properties.n)']), '32154', 'in both directions')
    t.equal(await days(['-length(event)', '-event', 'distinct_id']), '54123')
    t.equal(await days(['person.properties.plan', '-timestamp']), '52431')
    t.equal(await days([], ['timestamp', 'event']), '54321', 'a selected time decides')
    t.strictSame(await rows(['event', '*']).then((all) => all.map(([event]) => event)), [
      ...['leave', 'view', 'buy', 'view', 'view'],
    ])
    t.strictSame(await rows(['event']), [['buy'], ['leave'], ['view'], ['view'], ['view']])
    t.strictSame(await rows(['event', 'count()'], { orderBy: ['event'] }), [
      ['buy', 1],
      ['leave', 1],
      ['view', 3],
    ])
    t.strictSame(await rows(['event'], { orderBy: ['-count()', '-event'] }), [
      ['view'],
      ['leave'],
      ['buy'],
    ])
    t.strictSame(await rows(['person', 'event']).then((all) => all.at(-1)?.[0]), null)
  })

  t.test('pages follow one another, of events and of groups', async (t) => {
    for (const [select, count] of [
      [['event', 'distinct_id'], 5],
      [['event', '*'], 5],
      [['uuid', 'timestamp'], 5],
      [['event', 'count()'], 3],
    ] as const) {
      const whole = await rows(select)
      const paged: unknown[] = []
      for (let offset = 0; offset < count; offset++) {
        const page = await list(select, { limit: 1, offset })
        t.match(page, { count, has_more: offset + 1 < count })
        t.equal(page.pinned_before, '2024-03-10T12:00:05.000000Z')
        paged.push(...JSON.parse(String(page.results)))
      }
      t.strictSame(paged, whole)
      t.match(await list(select, { limit: 2, offset: 9 }), {
        results: '[]',
        count,
        has_more: false,
      })
    }
  })

  t.test('the whole event and its person are objects', async (t) => {
    const select = ['*', 'event', '*', 'person']
    const { results, types } = await list(select, { where: ["event = 'leave'"] })
    t.match(types, [/^Tuple\(id UUID, /, 'String', /^Tuple/, /^Tuple\(id UUID, distinct_id /])
    const event = {
      id: uuids[4],
      distinct_id: 'ben',
      properties: {},
      event: 'leave',
      timestamp: '2024-01-05T00:00:00+00:00',
      person: null,
      elements: [{ tag_name: 'a', href: '/x' }],
      elements_chain: 'a:href="/x"',
    }
    t.match(JSON.parse(String(results)), [[event, 'leave', event, null]])
    const [[person]] = (await rows(['person'], { event: 'buy' })) as [[unknown]]
    t.match(person, {
      distinct_id: 'phone',
      is_identified: true,
      properties: { email: 'anna@example.com', plan: 'pro' },
    })
    t.strictSame((await rows(['[]'])).length, 5, 'an empty list is the whole event')
    t.match(await rows(['[]'], { limit: 1 }), [[event]])
    for (const item of ['*', 'person']) {
      t.match(await refusal(list([item, 'count()'])), {
        attr: 'select',
        detail: /cannot be grouped by/,
      })
    }
  })

  t.test('no condition reaches into another project', async (t) => {
    const all = ['true', '1 = 1 or true', 'team_id = 2 or 1 = 1', 'not false', 'true -- and']
    const none = ["event = 'foreign'", 'team_id = 2']
    const broken = ['true) or (1 = 1', "' or true --"]
    const own = new Set(['view', 'buy', 'leave'])
    /** How many rows come; `undefined` when the condition is refused. */
    const asked = async (select: string[], condition: string, more: object) => {
      if (broken.includes(condition)) {
        t.match(await refusal(rows(select, more)), { code: 'invalid_input' }, condition)
        return undefined
      }
      const found = await rows(select, more)
      for (const [event, ...values] of found) {
        t.ok(own.has(String(event)), `${condition} finds ${event}`)
        t.notOk(values.includes('foreign') || values.includes(OTHER), condition)
      }
      return found.length
    }
    for (const condition of [...all, ...none, ...broken]) {
      const filter = JSON.stringify([{ type: 'hogql', key: condition }])
      for (const [select, count] of [
        [['event', 'team_id', 'person.properties.plan'], 5],
        [['event', 'count()'], 3],
      ] as const) {
        const expected = none.includes(condition) ? 0 : count
        for (const more of [{ where: [condition] }, { properties: filter }]) {
          const isBroken = broken.includes(condition)
          t.equal(await asked([...select], condition, more), isBroken ? undefined : expected)
        }
      }
    }
    t.match(await list(['team_id'], { where: ['true or true'] }), { count: 5 })
    t.match(await tablesOf(sql, OTHER).list(['event']), { count: 1, results: '[["foreign"]]' })
    t.match(await tablesOf(sql, 3).list(['count()'], { where: ['true'] }), { results: '[[0]]' })
  })

  t.test('an error names its parameter and its place', async (t) => {
    const wrong = async (select: string[], asked = {}) => {
      const { code, attr, detail } = await refusal(list(select, asked))
      t.equal(code, 'invalid_input')
      return `${attr}: ${detail}`
    }
    t.equal(
      await wrong(['event', '1 +']),
      'select: Expected a value but found the end at character 4 of "1 +".',
    )
    t.equal(await wrong(['[1]']), 'select: Must be a JSON list of expressions, each a text.')
    t.equal(await wrong(['["event"']), 'select: The list is not JSON.')
    t.equal(await wrong(['event'], { where: ['["'] }), 'where: The list is not JSON.')
    t.equal(
      await wrong(['event'], { where: ['😀 = 1'] }),
      'where: Unexpected "😀" at character 1 of "😀 = 1".',
    )
    t.equal(
      await wrong(["'😀' || 1 = 1"]),
      `select: A number stands where a text is needed at character 12 of "'😀' || 1 = 1".`,
    )
    t.match(await wrong(['event'], { where: ['event'] }), /^where: A text stands where a condition/)
    t.match(
      await wrong(['event'], { orderBy: ['x'] }),
      /^orderBy: Unknown field "x" at character 1/,
    )
    t.match(await wrong(['x'], { orderBy: ['1 1'], where: ['1 1'] }), /^orderBy: /)
    t.match(await wrong(['1 1'], { where: ['1 1'] }), /^select: /)
    const many = Array.from({ length: 33 }, () => 'event')
    t.equal(await wrong(many), 'select: There are more than 32 expressions.')
    t.match(await wrong([`'${'x'.repeat(4_095)}'`]), /longer than 4096 characters/)
    const filter = JSON.stringify([{ type: 'hogql', key: 'foo' }])
    t.match(await wrong(['event'], { properties: filter }), /^properties: Unknown field "foo"/)
    const half = Array.from({ length: EXPRESSION_NODES_MAX / 4 + 1 }, () => '1').join('+')
    t.match(await wrong([half, half]), /^select: .* more than 512 parts together/)
    t.match(await wrong([half], { where: [`${half} > 1`] }), /^where: .* more than 512 parts/)
  })
})
