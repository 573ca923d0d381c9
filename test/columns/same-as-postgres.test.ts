/** An event read from ClickHouse is the event read from Postgres. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { sumDays } from '../../src/clickhouse/block-reader.ts'
import type { ColumnEvent } from '../../src/clickhouse/column-event.ts'
import { cleanText } from '../../src/core/clean-text.ts'
import type { ProjectId } from '../../src/core/ids.ts'
import type { IngestEvent } from '../../src/events/event.ts'
import { storeInBoth } from '../support/columns/both-stores.ts'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { readBlock } from '../support/columns/read-block.ts'
import { createProject, makeEvent, openStore } from '../support/ingest/ingest-store.ts'
import { testDatabase } from '../support/servers/database.ts'

const db = await testDatabase(t)
const { sql } = db
const postgres = openStore(t, db)
const store = await columnStore(t, await columnServer(t))
let blocksMade = 0

/** Stores the events in both, and gives what each has of them, in order of their uuids. */
async function throughBoth(project: ProjectId, events: readonly IngestEvent[]) {
  const stores = { sql, postgres, columns: store }
  const { stored, blocks } = await storeInBoth(stores, project, events, blocksMade + 1)
  blocksMade += blocks.size
  const ours: ColumnEvent[] = []
  for (const [month, number] of blocks) {
    for await (const event of readBlock(store, month, number)) ours.push(event)
  }
  return { theirs: stored, ours: ours.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)), blocks }
}

const names = Array.from({ length: 10_000 }, (_, index) => `"property ${index}":${index}`)
const NASTY: readonly Partial<IngestEvent>[] = [
  { timestamp: '0001-01-01T00:00:00.000000Z' },
  { timestamp: '1582-10-10T12:00:00.000001Z' },
  { timestamp: '1850-06-01T01:02:03.999999Z' },
  { timestamp: '1899-12-31T23:59:59.999999Z' },
  { timestamp: '1965-02-28T23:59:59.000001Z' },
  { timestamp: '1969-12-31T23:59:59.999999Z' },
  { timestamp: '2149-06-07T00:00:00.000000Z' },
  { timestamp: '2300-01-01T00:00:00.000000Z' },
  { timestamp: '9999-12-31T23:59:59.999999Z' },
  { properties: '{"n":12345678901234567890123,"f":1.0,"e":1e25,"m":-0.0,"s":1.5e-7}' },
  { properties: '{"a":1,"b":2,"a":{"c":null,"c":[1.50]}}' },
  { properties: '{"a.b":1,"a":{"b":null}}' },
  { properties: `{${names.join(',')}}` },
  { properties: JSON.stringify({ long: '🎉é"\\\n'.repeat(100_000) }) },
  { properties: '{"\\u0001":"\\u001f\\u007f\\u2028\ufffd"}', elementsChain: 'a:attr__x="\\"\n"' },
  { event: '🎉'.repeat(200), distinctId: 'é\t\n\\N\'"' },
  { event: '\\N', distinctId: '\\0' },
  { event: 'null', distinctId: ' ' },
]

t.test('nasty events come back from both as they went in', async (t) => {
  const project = await createProject(sql)
  const events = NASTY.map((changes) => makeEvent(changes))
  const { theirs, ours } = await throughBoth(project, events)
  t.equal(ours.length, NASTY.length)
  t.strictSame(ours, [...theirs])
  t.strictSame(
    new Set(ours.map(({ timestamp }) => timestamp)),
    new Set(events.map(({ timestamp }) => timestamp)),
  )
})

/** As the gateway hands texts over: NUL and lone surrogates are replaced. */
const text = (maxLength: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength }).map(cleanText)
const number = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?$/)
const member = fc.tuple(
  fc.oneof(fc.constantFrom('a', 'b', 'é'), text(6)),
  fc.oneof(
    number,
    text(20).map((value) => JSON.stringify(value)),
    fc.constant('[{"x":null}]'),
  ),
)
const event = fc.record({
  event: text(30),
  distinctId: text(30),
  elementsChain: fc.oneof(fc.constant(''), text(30)),
  properties: fc
    .array(member, { maxLength: 8 })
    .map((all) => `{${all.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  timestamp: fc
    .date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T00:00:00Z'),
      noInvalidDate: true,
    })
    .chain((at) => fc.integer({ min: 0, max: 999 }).map((us) => withMicros(at, us))),
})

function withMicros(at: Date, us: number): string {
  return `${at.toISOString().slice(0, 23)}${String(us).padStart(3, '0')}Z`
}

t.test('any event comes back from both alike, and days have the same sums', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 100 }), async (all) => {
      const project = await createProject(sql)
      const events = all.map((changes) => makeEvent({ uuid: randomUUID(), ...changes }))
      const { theirs, ours, blocks } = await throughBoth(project, events)
      t.strictSame(ours, [...theirs])
      const sums = []
      for (const month of blocks.keys()) sums.push(...(await sumDays(store, month)))
      const own = sums.filter(({ projectId }) => projectId === project)
      t.strictSame(
        own.sort((a, b) => (a.day < b.day ? -1 : 1)),
        await sumsOfPostgres(project),
      )
    }),
    { numRuns: 25 },
  )
})

async function sumsOfPostgres(project: ProjectId) {
  const half = (from: number) =>
    sql.unsafe(`
    mod(sum((('x' || substr(replace(uuid::text, '-', ''), ${from}, 16))::bit(64)::bigint::numeric
      + 18446744073709551616) % 18446744073709551616), 18446744073709551616)::text`)
  const rows = await sql<{ day: string; count: number; uuidSum: string }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, count(*)::int as count,
      ${half(1)} || '-' || ${half(17)} as "uuidSum"
    from events where project_id = ${project} group by events.day order by events.day`
  return rows.map((row) => ({ projectId: Number(project), ...row }))
}
