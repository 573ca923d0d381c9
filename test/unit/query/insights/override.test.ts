import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { overridden } from '../../../../src/query/insights/override.ts'

const A = { key: 'a', value: 1 }
const B = { key: 'b', value: 2 }
const QUERY = { kind: 'TrendsQuery', dateRange: { date_from: '-30d', date_to: '-1d' } }

t.test('the filters of a dashboard', async (t) => {
  t.same(overridden(QUERY, {}), QUERY, 'none change nothing')
  t.same(overridden(QUERY, { date_from: null, date_to: null, properties: [] }), QUERY)
  t.same(
    overridden(QUERY, { date_to: '2026-01-31' }),
    { ...QUERY, dateRange: { date_from: null, date_to: '2026-01-31' } },
    'a date takes the place of the whole range',
  )
  t.same(
    overridden({ kind: 'EventsQuery', after: '-1d', before: '-1h' }, { date_from: 'all' }),
    { kind: 'EventsQuery', after: null, before: null },
    'a table of events has other names for it',
  )
  const actors = { kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', source: QUERY } }
  t.same(overridden(actors, { date_from: '-7d', properties: [A] }), actors)
})

t.test('its properties hold beside those of a question, in whatever form either is', async (t) => {
  const both = (mine: Json, theirs: Json) =>
    overridden({ kind: 'TrendsQuery', properties: mine }, { properties: theirs })
  const all = (...values: readonly Json[]) => ({ type: 'AND', values })
  const any = { type: 'OR', values: [A, B] }
  const cases = [
    [[A], [B], all(all(A), all(B))],
    [any, [B], all(any, all(B))],
    [A, any, all(all(A), any)],
    [{ a__gt: 1, b: 2 }, [B], all(all({ key: 'a', operator: 'gt', value: 1 }, B), all(B))],
    [[], [B], [B]],
    [[A], [], [A]],
  ] as const
  for (const [mine, theirs, expected] of cases) {
    t.same(both(mine, theirs), { kind: 'TrendsQuery', properties: expected })
  }
})
