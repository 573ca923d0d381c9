/** A table and a chart of one project cut time alike. */
import t from 'tap'
import { projectId } from '../../../src/core/ids.ts'
import type { Json } from '../../../src/core/json.ts'
import { withWeeks, type Zone, zoneOf } from '../../../src/core/time/zone.ts'
import { createPostgresEvents } from '../../../src/event-store/postgres/reads/event-reader.ts'
import { createReading } from '../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../src/query/insights/read/read-question.ts'
import { readEventTable } from '../../../src/query/table/event-table.ts'
import { rowJson } from '../../../src/query/table/row-json.ts'
import { putEvents } from '../../support/ingest/events.ts'
import { anyScans } from '../../support/query/any-scans.ts'
import { fixedClock } from '../../support/query/event-table.ts'
import { asker } from '../../support/query/questions.ts'
import { testDatabase } from '../../support/servers/database.ts'

const NOW = '2026-11-01T12:00:00Z'
/** Zones, each with a day on which its clocks change: midnight is left out, or there twice. */
const ZONES = [
  ['America/New_York', '2026-03-08'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/Santiago', '2025-09-07'],
  ['America/Havana', '2025-11-02'],
  ['Asia/Kolkata', '2026-10-05'],
  ['UTC', '2026-10-05'],
] as const
const UNITS = {
  toStartOfHour: 'hour',
  toStartOfDay: 'day',
  toStartOfWeek: 'week',
  toStartOfMonth: 'month',
}
const HOUR_MS = 3_600_000

const { sql } = await testDatabase(t)

/** The rows of an `EventsQuery`. */
async function table(project: number, zone: Zone, query: Record<string, Json>) {
  const reading = createReading(zone, Date.parse(NOW), [])
  const question = readQuestion({ kind: 'EventsQuery', ...query }, reading)
  if (!question.ok || question.value.kind !== 'events') throw new Error(JSON.stringify(question))
  const { query: asked, page } = question.value
  const deps = { sql, events: createPostgresEvents(sql), clock: fixedClock, scans: anyScans() }
  const { signal } = new AbortController()
  const found = await readEventTable(deps, projectId(project), asked, page, signal)
  if (!found.ok) throw new Error(found.error.detail)
  return found.value.rows.map((row): readonly Json[] => JSON.parse(rowJson(row)))
}

/** Every 30 minutes from a day before until two days after. */
async function putHalfHours(project: number, day: string): Promise<void> {
  const from = Date.parse(`${day}T00:10:00Z`) - 24 * HOUR_MS
  const events = Array.from({ length: 144 }, (_, nth) => ({
    ...{ event: 'e', distinctId: 'd' },
    timestamp: new Date(from + (nth * HOUR_MS) / 2).toISOString(),
  }))
  await putEvents(sql, project, events)
}

for (const [index, [timezone, day]] of ZONES.entries()) {
  const project = index + 1
  t.test(
    `a table and a chart have the same hours, days, weeks and months: ${timezone}`,
    async (t) => {
      await putHalfHours(project, day)
      const units = [
        ...Object.entries(UNITS).map((unit) => [...unit, 1] as const),
        ...([['toStartOfWeek', 'week', 0]] as const),
      ]
      for (const [name, interval, weekStartDay] of units) {
        const { rows } = asker(sql, { project, timezone, weekStartDay, now: NOW })
        const zone = withWeeks(zoneOf(timezone), weekStartDay)
        const select = [`${name}(timestamp)`, 'count()']
        const cells = await table(project, zone, { select, orderBy: [`${name}(timestamp)`] })
        const near = (days: number) =>
          new Date(Date.parse(day) + days * 24 * HOUR_MS).toISOString().slice(0, 10)
        const dateRange = { date_from: near(-3), date_to: near(4) }
        const series = [{ kind: 'EventsNode', event: 'e' }]
        const [row] = await rows({ kind: 'TrendsQuery', series, interval, dateRange })
        const chart = (row?.buckets ?? []).map((start, nth) => [Date.parse(start), row?.data[nth]])
        t.strictSame(
          cells.map(([start, count]) => [Date.parse(String(start)), count]),
          chart.filter(([, count]) => count !== 0),
          `${interval} from ${weekStartDay}`,
        )
      }
    },
  )
}

t.test('a bound without a zone is of the project, one with a zone is that instant', async (t) => {
  const [project, timezone] = [100, 'America/New_York']
  await putEvents(
    sql,
    project,
    ['2026-10-04T12:00', '2026-10-05T02:00', '2026-10-05T20:00'].map((time) => ({
      ...{ event: 'e', distinctId: 'a', timestamp: `${time}:00Z` },
    })),
  )
  const count = async (bounds: Record<string, Json>) =>
    (await table(project, zoneOf(timezone), { select: ['count()'], ...bounds }))[0]?.[0]
  t.equal(await count({ after: '2026-10-05' }), 1)
  t.equal(await count({ after: '2026-10-05T00:00:00' }), 1)
  t.equal(await count({ after: '2026-10-05T00:00:00Z' }), 2)
  t.equal(await count({ after: '2026-10-05T00:00:00-04:00' }), 1)
  t.equal(await count({ before: '2026-10-05' }), 2)
  // 27 days before 1 November, by the clock of New York.
  t.equal(await count({ after: '-27d' }), 1)
  t.equal(await count({ after: '-27d', before: '-26d' }), 1)
  const where = ["toDate(timestamp) = toStartOfDay('2026-10-05T12:00:00Z')"]
  t.equal(await count({ where }), 1)
  const select = ["dateDiff('day', min(timestamp), max(timestamp))"]
  t.strictSame(await table(project, zoneOf(timezone), { select }), [[1]])
})
