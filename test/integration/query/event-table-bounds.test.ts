import t from 'tap'
import { systemClock } from '../../../src/core/clock.ts'
import { projectId } from '../../../src/core/ids.ts'
import { EVENT_PAGE_BYTES_MAX } from '../../../src/core/limits/limits.ts'
import { createScanGate } from '../../../src/query/scan-gate.ts'
import { parseEventTable, readEventTable } from '../../../src/query/table/event-table.ts'
import { refusal } from '../../support/api/management.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { fixedClock, tablesOf } from '../../support/query/event-table.ts'
import { testDatabase } from '../../support/servers/database.ts'

const PROJECT = 1
/** Megabytes go in and out. */
const SLOW = { timeout: 120_000 }

t.setTimeout(2 * SLOW.timeout)

t.test('the largest expressions there may be are answered', SLOW, async (t) => {
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

t.test('a page is cut by no more than its bytes', SLOW, async (t) => {
  const { sql } = await testDatabase(t)
  const text = 'x'.repeat(EVENT_PAGE_BYTES_MAX / 2)
  const large = Array.from({ length: 3 }, () => ({
    timestamp: '2024-01-01T00:00:00Z',
    properties: { text },
  }))
  await putEvents(sql, PROJECT, large)
  const { list, rows } = tablesOf(sql, PROJECT)
  const tooLarge = { code: 'invalid_input', attr: 'limit' }
  for (const select of [
    ['properties.text'],
    ['*'],
    ['event', 'properties'],
    ['properties.text || 1', '*'],
  ]) {
    t.match(await refusal(list(select)), tooLarge)
    const page = await list(select, { limit: 1, offset: 1 })
    t.match(page, { count: 3, has_more: true })
  }
  const wide = Array.from({ length: 32 }, (_, index) => `length(properties.text) + ${index}`)
  t.match(await rows(wide, { limit: 1 }), [{ length: 32 }])
  const huge = { text: text.repeat(2) }
  await putEvents(sql, PROJECT, [{ timestamp: '2024-02-01T00:00:00Z', properties: huge }])
  t.match(await refusal(list(wide, { limit: 1, orderBy: ['-timestamp'] })), tooLarge)
  t.match(await rows(wide.slice(0, 9), { limit: 1, orderBy: ['-timestamp'] }), [{ length: 9 }])
  await sql`delete from events where timestamp = '2024-02-01'`
  const whole = Array.from({ length: 32 }, () => 'properties')
  t.match(await refusal(list(whole, { limit: 1 })), tooLarge)
  t.match(await rows(['length(properties.text)', 'count()']), [[text.length, 3]])
})

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
      const deps = { sql, clock: fixedClock, scans: createScanGate(), timeoutMs }
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
