import t from 'tap'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { EXPRESSION_TEXT_CHARS_MAX } from '../../../src/core/limits/limits-query.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { parseEventTable, readEventTable } from '../../../src/query/table/event-table.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { anyScans } from '../../support/query/any-scans.ts'
import { fixedClock, tablesOf } from '../../support/query/event-table.ts'
import { checkPagesAreCut } from '../../support/query/page-bytes.ts'
import { testDatabase } from '../../support/servers/database.ts'

const PROJECT = 1

t.test('the largest expressions there may be are answered', async (t) => {
  const { sql } = await testDatabase(t)
  const timestamp = '2024-01-01T00:00:00Z'
  await putEvents(sql, PROJECT, [
    { event: 'numbers', timestamp, properties: { n: 1.7e308, s: '9'.repeat(400), t: '5e-324' } },
    { event: 'texts', timestamp, properties: { x: 'ab'.repeat(40_000) } },
  ])
  const { list } = tablesOf(sql, PROJECT)
  const terms = (parts: number, term: string, operator: string) =>
    Array.from({ length: parts }, () => term).join(` ${operator} `)
  for (const operator of ['+', '-', '*', '/', '%', '||']) {
    for (const name of ['n', 's', 't']) {
      const select = [terms(256, `properties.${name}`, operator)]
      const answer = await list(select, { event: 'numbers' })
      t.match(answer, { count: 1 }, `${select[0]?.slice(0, 40)} …`)
    }
  }
  const factor = Array.from({ length: 50 }, () => 'properties.x').join()
  for (const text of [
    `length(replace(properties.x, 'a', '${'z'.repeat(3_000)}'))`,
    `${'replace('.repeat(30)}properties.x${", 'b', 'bb')".repeat(30)}`,
    `length(concat(${factor}))`,
    `event in (${terms(500, "'x'", ',')})`,
    `${'not '.repeat(32)}true`,
    `${'toDateTime(toString('.repeat(16)}'2024-01-01'${'))'.repeat(16)}`,
    terms(170, "event = 'x'", 'or'),
    `properties.x like '${'%a'.repeat(1_000)}'`,
    'properties.x like properties.x',
    'replaceOne(properties.x, properties.x, properties.x)',
  ]) {
    t.match(await list([text], { event: 'texts' }), { count: 1 }, `${text.slice(0, 60)} …`)
  }
})

t.test('no function makes a text longer than a text may be', async (t) => {
  const { sql } = await testDatabase(t)
  const timestamp = '2024-01-01T00:00:00Z'
  const text = 'ab'.repeat(40_000)
  await putEvents(sql, PROJECT, [
    { timestamp, properties: { x: text, y: 'a-b-', z: 'a'.repeat(70) } },
  ])
  const { rows } = tablesOf(sql, PROJECT)
  const long = 'z'.repeat(1_000)
  const joined = Array.from({ length: 100 }, () => 'properties.x').join()
  const nested = `${'replace('.repeat(20)}properties.x${`, 'z', '${'z'.repeat(100)}')`.repeat(20)}`
  const texts = [
    `replace(properties.x, 'a', '${long}')`,
    `replace(replace(properties.x, 'a', '${long}'), 'z', '${long}')`,
    nested,
    `concat(${joined})`,
    joined.replaceAll(',', ' || '),
    `replaceOne(properties.x, 'a', '${long}')`,
    'upper(properties.x)',
  ]
  for (const each of texts) {
    const [[length] = []] = await rows([`length(${each})`])
    t.ok(Number(length) <= EXPRESSION_TEXT_CHARS_MAX, `${each.slice(0, 40)} … is ${length}`)
    t.ok(Number(length) >= 30_000, 'and no text is left out')
  }
  const exact = [
    ["replace(properties.y, '-', ' -- ')", 'a -- b -- '],
    ["replace(properties.y, '', 'x')", 'a-b-'],
    ["replace(properties.y, '-', '')", 'ab'],
    [`length(replace(properties.z, 'aa', '${long}'))`, 35_000],
    ["replace(properties.none, 'a', 'b')", ''],
  ] as const
  for (const [expression, worth] of exact) t.same(await rows([expression]), [[worth]], expression)
})

t.test('a page is cut by no more than its bytes', (t) => checkPagesAreCut(t, 4))

t.test('a table that takes too long is 400, and the next one is answered', async (t) => {
  const { sql } = await testDatabase(t)
  await putEvents(sql, PROJECT, [{ timestamp: '2024-01-01T00:00:00Z' }])
  const request = {
    ...{ after: '', before: '', event: undefined, distinctId: undefined, personId: undefined },
    ...{ properties: '', orderBy: '', where: [] },
  }
  const { signal } = new AbortController()
  const page = { limit: 1, offset: 0 }
  const tooLong = { ok: false, error: { code: 'query_timeout', attr: null } }
  for (const select of [['event'], ['event', 'count()']]) {
    const query = parseEventTable({ ...request, select }, systemClock.now())
    if (!query.ok) throw new Error(query.error.detail)
    const read = (timeoutMs: number) => {
      const deps = {
        sql,
        events: createPostgresEvents(sql),
        clock: fixedClock,
        scans: anyScans(),
        timeoutMs,
      }
      return readEventTable(deps, projectId(PROJECT), query.value, page, signal)
    }
    await sql.begin(async (tx) => {
      await tx`lock table events in access exclusive mode`
      t.match(await read(20), tooLong, 'cut by the server')
    })
    t.match(await read(0), tooLong, 'spent before it began')
    t.match(await read(10_000), { ok: true, value: { count: 1 } })
  }
})
