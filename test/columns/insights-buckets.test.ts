/** Actors are counted by buckets as in Postgres, of few buckets and of many. */
import t from 'tap'
import type { Json } from '../../src/core/json.ts'
import { columnServer, columnStore } from '../support/columns/column-store.ts'
import { inColumns } from '../support/columns/copy-project.ts'
import { putEvents } from '../support/ingest/events.ts'
import { createProject } from '../support/ingest/ingest-store.ts'
import { asker, toldBy } from '../support/query/questions.ts'
import { testDatabase } from '../support/servers/database.ts'

const NOW = '2026-10-28T12:00:00Z'
const HOUR_MS = 3_600_000
const HOURS = 60 * 24

const { sql } = await testDatabase(t)
const store = await columnStore(t, await columnServer(t))
const { copy, openEvents } = inColumns(store)
const project = await createProject(sql)
// Each actor has a beat of its own, so that each bucket has another set of them.
await putEvents(
  sql,
  project,
  Array.from({ length: 12 }, (_, actor) =>
    Array.from({ length: Math.ceil(HOURS / (actor * 7 + 3)) }, (_, nth) => ({
      event: (nth * (actor + 1)) % 3 === 0 ? 'A' : 'B',
      distinctId: `d${actor % 8}`,
      timestamp: new Date(Date.parse(NOW) - (nth * (actor * 7 + 3) + 1) * HOUR_MS).toISOString(),
    })),
  ).flat(),
)
await copy(sql, project)
const zone = { project, timezone: 'Europe/Berlin', now: NOW }
const [ours, theirs] = [asker(sql, { ...zone, openEvents }), asker(sql, zone)]

const A = { kind: 'EventsNode', event: 'A' }

/** Hours around the ends of words of 64 bits, and as many as there may be. */
const SPANS = [1, 61, 62, 63, 64, 65, 127, 128, 129, 960]
const hours = (count: number) => ({
  ...{ interval: 'hour', dateRange: { date_from: `-${count}h` } },
})
const retention = (totalIntervals: number, retentionType: string): Json => ({
  kind: 'RetentionQuery',
  dateRange: { date_from: `-${totalIntervals}h` },
  retentionFilter: {
    ...{ period: 'Hour', totalIntervals, retentionType },
    targetEntity: { id: 'A', type: 'events' },
    returningEntity: { id: 'B', type: 'events' },
  },
})
const QUESTIONS: readonly Json[] = [
  ...SPANS.flatMap((count): readonly Json[] => [
    { kind: 'StickinessQuery', series: [A], ...hours(count) },
    { kind: 'LifecycleQuery', series: [A], ...hours(count) },
  ]),
  ...[2, 63, 64, 65, 100].flatMap((count) =>
    ['retention_first_time', 'retention_recurring'].map((type) => retention(count, type)),
  ),
]

t.test('stickiness, life cycle and retention of few and many buckets', async (t) => {
  const told = new Set<string>()
  for (const question of QUESTIONS) {
    const [one, other] = [await ours.ask(question), await theirs.ask(question)]
    t.ok(one.ok, JSON.stringify(question))
    t.strictSame(toldBy(one), toldBy(other), JSON.stringify(question))
    told.add(JSON.stringify(toldBy(one)))
  }
  t.equal(told.size, QUESTIONS.length, 'each has an answer of its own')
})
