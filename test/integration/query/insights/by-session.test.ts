import t from 'tap'
import { putEvents } from '../../../support/ingest/events.ts'
import { checkBySession } from '../../../support/insights/by-session.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

t.test('questions about properties of sessions are answered as the reference evaluator does', (t) =>
  checkBySession(t, {
    worlds: Number(process.env['WORLDS'] ?? 60),
    questions: 6,
    seed: Number(process.env['SEED'] ?? 7),
  }),
)

t.test(
  'a session over midnight has its events on both days, and is measured on the first',
  async (t) => {
    const { sql } = await testDatabase(t, { connectionsMax: 2 })
    const view = (distinctId: string, timestamp: string) => ({
      event: '$pageview',
      distinctId,
      timestamp,
      properties: { $session_id: distinctId, $pathname: '/' },
    })
    await putEvents(sql, 1, [
      view('ann', '2026-03-01T23:50:00Z'),
      view('ann', '2026-03-02T00:10:00Z'),
      view('ben', '2026-03-02T08:00:00Z'),
      view('cid', '2026-03-02T09:00:00Z'),
      view('cid', '2026-03-02T09:01:00Z'),
    ])
    const { ask, rows } = asker(sql, { timezone: 'UTC', now: '2026-03-02T12:00:00Z' })
    const series = (more: object) => [{ kind: 'EventsNode', event: '$pageview', ...more }]
    const day = (date_from: string) => ({ date_from, date_to: '2026-03-02' })
    const long = { type: 'session', key: '$session_duration', operator: 'gte', value: 60 }
    const counted = {
      kind: 'TrendsQuery',
      properties: [long],
      dateRange: day('2026-03-02'),
      series: series({ math: 'dau' }),
    }
    t.strictSame((await rows(counted))[0]?.data, [2])
    const median = { math: 'median', math_property: '$session_duration' }
    const measured = { ...counted, properties: [], series: series(median) }
    t.strictSame((await rows(measured))[0]?.data, [30])
    const both = { ...measured, dateRange: day('2026-03-01') }
    t.strictSame((await rows(both))[0]?.data, [1_200, 30])
    const source = { kind: 'InsightActorsQuery', source: counted, day: '2026-03-02' }
    const actors = await ask({ kind: 'ActorsQuery', source })
    const ids = actors.ok ? JSON.parse(JSON.stringify(actors.value['results'])) : actors.error
    t.match(ids, [[{ distinct_ids: ['ann'] }], [{ distinct_ids: ['cid'] }]])
  },
)
