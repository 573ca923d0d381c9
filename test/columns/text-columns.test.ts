/** Properties that are asked for often have columns of their own, which change no answer. */
import t from 'tap'
import type { Json } from '../../src/core/json.ts'
import { clickhouseInsights } from '../../src/event-store/clickhouse/insights/clickhouse-insights.ts'
import {
  addTextColumn,
  dropTextColumn,
  listTextColumns,
} from '../../src/event-store/clickhouse/text-columns.ts'
import { AskedKeys, listColumns, tendColumns } from '../../src/replication/asked-columns.ts'
import { beginReplication } from '../../src/replication/lease.ts'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { inColumns } from '../support/columns/copy-project.ts'
import { putEvents } from '../support/ingest/events.ts'
import { createProject } from '../support/ingest/ingest-store.ts'
import { asker, toldBy } from '../support/query/questions.ts'
import { testDatabase } from '../support/servers/database.ts'

t.setTimeout(300_000)

const server = await columnServer(t)
const AT = { timezone: 'UTC', now: '2026-10-28T12:00:00Z' }
const KEYS = ['plan', "it's", 'back\\slash', 'a"b', 'tab\there', 'ü\u{1f600}', '{v0: String}', '']
const VALUES: readonly Json[] = [
  ...['pro', '', "it's", 'a\\b', 'ü\u{1f600}', '1.50', null, true, false, 0, -1.5, 12],
  ...[1e21, 0.1, [1, 'a'], { a: { plan: 'inner' } }, 'x'.repeat(500)],
]

function questions(): readonly Json[] {
  const series = [{ kind: 'EventsNode', event: 'A' }]
  const trends = { kind: 'TrendsQuery', series, dateRange: { date_from: '2026-10-26' } }
  return KEYS.filter((key) => key !== '').flatMap((key): readonly Json[] => [
    {
      ...trends,
      breakdownFilter: { breakdown: key, breakdown_type: 'event', breakdown_limit: 25 },
    },
    { ...trends, properties: [{ type: 'event', key, value: ['pro', '1.50'], operator: 'exact' }] },
    { ...trends, properties: [{ type: 'event', key, value: 'o', operator: 'icontains' }] },
    { ...trends, properties: [{ type: 'event', key, value: 1, operator: 'gt' }] },
    { ...trends, series: [{ kind: 'EventsNode', event: 'A', math: 'sum', math_property: key }] },
  ])
}

t.test('answers are the same with columns and without', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  const store = await columnStore(t, server)
  const put = (from: number) =>
    putEvents(
      sql,
      project,
      VALUES.map((_, nth) => ({
        event: 'A',
        distinctId: `d${nth % 3}`,
        timestamp: new Date(
          Date.parse('2026-10-27T00:00:00Z') + (from + nth) * 1_000,
        ).toISOString(),
        properties: Object.fromEntries(
          KEYS.map((key, place) => [key, VALUES[(nth + place) % VALUES.length] ?? null]),
        ),
      })),
    )
  await put(0)
  await inColumns(store).copy(sql, project)
  const read: string[] = []
  const onKeys = (keys: readonly string[]) => read.push(...keys)
  const plain = asker(sql, { ...AT, openEvents: clickhouseInsights({ store, onKeys }) })
  const before = []
  for (const question of questions()) before.push(toldBy(await plain.ask(question)))
  t.strictSame(new Set(read), new Set(KEYS.filter((key) => key !== '')), 'what is read is told')
  for (const key of KEYS) await addTextColumn(store, key)
  t.strictSame(new Set(await listTextColumns(store)), new Set(KEYS))
  const sent: string[] = []
  const watched = {
    ...store,
    rows: (...args: Parameters<typeof store.rows>) => {
      sent.push(args[0])
      return store.rows(...args)
    },
  }
  const quick = asker(sql, {
    ...AT,
    openEvents: clickhouseInsights({ store: watched, keys: KEYS }),
  })
  for (const [place, question] of questions().entries()) {
    t.strictSame(toldBy(await quick.ask(question)), before[place], JSON.stringify(question))
  }
  t.ok(
    sent.some((text) => /e\.text_[0-9a-f]{16}/.test(text)),
    'columns are read',
  )
  for (const key of KEYS) await dropTextColumn(store, key)
  t.strictSame(await listTextColumns(store), [])
})

t.test('a property read often gets a column, and loses it when nobody reads it', async (t) => {
  const { sql } = await testDatabase(t)
  await beginReplication(sql)
  const store = await columnStore(t, server)
  const [lease] = await sql<{ number: bigint; copyId: string }[]>`
    select lease as number, copy_id::text as "copyId" from event_shipper`
  if (lease === undefined) throw new Error('there is a copy')
  const tend = () => tendColumns(sql, store, lease)
  const asked = new AskedKeys()
  for (let nth = 0; nth < 20; nth++) asked.add(['plan', `rare-${nth}`, 'x'.repeat(300)])
  await asked.flush(sql)
  await tend()
  await tend()
  t.strictSame([await listTextColumns(store), await listColumns(sql)], [['plan'], ['plan']])
  for (let nth = 0; nth < 15; nth++) {
    for (let times = 0; times < 30; times++) asked.add([`often-${nth}`])
  }
  await asked.flush(sql)
  for (let nth = 0; nth < 15; nth++) await tend()
  t.equal((await listTextColumns(store)).length, 10, 'not more than there may be')
  t.strictSame(new Set(await listColumns(sql)), new Set(await listTextColumns(store)))
  await sql`update event_key_asks set day = day - 15 where key = 'plan'`
  await tend()
  t.notOk((await listTextColumns(store)).includes('plan'))
  await store.command(`alter table ${store.database}.events drop column if exists nothing`)
  await sql`insert into event_text_columns (key) values ('not there')`
  await tend()
  t.notOk((await listColumns(sql)).includes('not there'))
})
