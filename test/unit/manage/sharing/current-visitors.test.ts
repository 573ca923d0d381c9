import t from 'tap'
import {
  currentVisitors,
  isCurrent,
} from '../../../../src/manage/sharing/rules/current-visitors.ts'

const SECRET = { type: 'person', key: 'email', value: 'kim@example.com' }
const TEST = { type: 'event', key: '$host', operator: 'is_not', value: 'localhost' }
const NOW_MS = Date.UTC(2026, 2, 2, 10, 7, 31)

t.test('current visitors are asked for in one way', (t) => {
  t.ok(isCurrent({ current: true }))
  for (const each of [null, true, [], {}, { current: 1 }, { current: true, properties: [] }]) {
    t.notOk(isCurrent(each), JSON.stringify(each))
  }
  t.end()
})

t.test('they are counted with the filters of the link, and alike for a minute', (t) => {
  const question = currentVisitors({ properties: [SECRET] }, [TEST], NOW_MS)
  t.same(question, {
    kind: 'EventsQuery',
    select: ['countDistinct(distinct_id)'],
    event: '$pageview',
    after: '2026-03-02T10:02:00.000Z',
    properties: [SECRET],
  })
  t.same(currentVisitors({ properties: [SECRET] }, [TEST], NOW_MS + 28_000), question)
  t.match(currentVisitors({}, [TEST], NOW_MS + 29_000), { after: '2026-03-02T10:03:00.000Z' })
  const tested = currentVisitors({ properties: [SECRET], filterTestAccounts: true }, [TEST], NOW_MS)
  t.same(tested?.['properties'], [SECRET, TEST])
  t.end()
})

t.test('a link whose filters they cannot have does not tell of them', (t) => {
  const paid = { type: 'session', key: '$channel_type', value: 'Paid Search' }
  const wider = [{ properties: [SECRET, paid] }, { properties: { type: 'AND', values: [paid] } }]
  for (const filters of wider) t.equal(currentVisitors(filters, [], NOW_MS), undefined)
  const tested = { filterTestAccounts: true }
  t.equal(currentVisitors(tested, [paid], NOW_MS), undefined)
  t.end()
})
