/** Questions about a site that are refused, and the events that the others read. */
import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { readsOf } from '../../../../src/query/insights/cache/question-reads.ts'
import { createReading } from '../../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../../src/query/insights/read/read-question.ts'

const NOW = Date.parse('2026-10-27T12:00:00Z')
const OVERVIEW = { kind: 'WebOverviewQuery' }
const STATS = { kind: 'WebStatsTableQuery', breakdownBy: 'Page' }
const DIRECT = { type: 'session', key: '$channel_type', value: 'Direct' }

function read(question: Json, goals: Json = [{ name: 'Paid', event: 'paid' }]) {
  const reading = createReading(zoneOf('UTC'), NOW, [], undefined, goals)
  return readQuestion(question, reading)
}

t.test('a member that is wrong is named by its path', (t) => {
  const wrong: Record<string, Json> = {
    series: { ...OVERVIEW, series: [] },
    breakdownBy: { ...STATS, breakdownBy: 'page' },
    orderBy: { ...STATS, orderBy: ['Visitors', 'down'] },
    'properties.0.key': { ...OVERVIEW, properties: [{ ...DIRECT, key: '$browser_size' }] },
    'properties.1.cake': { ...OVERVIEW, properties: [DIRECT, { ...DIRECT, cake: 1 }] },
    'properties.0': { ...OVERVIEW, properties: [{ ...DIRECT, operator: 'regex', value: '(' }] },
    properties: { ...OVERVIEW, properties: { type: 'OR', values: [DIRECT] } },
    'conversionGoal.customEventName': { ...OVERVIEW, conversionGoal: {} },
    'conversionGoal.goal': { ...OVERVIEW, conversionGoal: { goal: 'Gone' } },
    personId: { kind: 'SessionsQuery', personId: 'kim' },
    offset: { kind: 'SessionsQuery', offset: 100_001 },
    conversionGoal: { kind: 'WebGoalsQuery', conversionGoal: { goal: 'Paid' } },
    'conversionGoal.actionId': { ...OVERVIEW, conversionGoal: { actionId: 3 } },
    'compareFilter.compare_to': { ...OVERVIEW, compareFilter: { compare_to: 'monday' } },
    includeBots: { ...OVERVIEW, includeBots: 'yes' },
    limit: { ...STATS, limit: 1_001 },
  }
  for (const [attr, question] of Object.entries(wrong)) {
    const told = read(question)
    t.equal(told.ok ? undefined : told.error.attr, attr)
  }
  t.equal(read({ ...STATS, breakdownBy: 'Page', orderBy: ['ConversionRate'] }).ok, false)
  t.end()
})

t.test('a session is counted from events of a day before its range to a day after', (t) => {
  const dateRange = { date_from: '2026-10-05', date_to: '2026-10-05' }
  const reads = (question: Record<string, Json>) => {
    const told = read({ ...question, dateRange })
    if (!told.ok || told.value.kind === 'actors' || told.value.kind === 'events') return undefined
    const { names, fromMs, untilMs, isOfEvents } = readsOf(told.value)
    const [from, until] = [fromMs ?? 0, untilMs].map((ms) => new Date(ms).toISOString())
    return { names, from, until, isOfEvents }
  }
  const day = { names: null, from: '2026-10-04T00:00:00.000Z', until: '2026-10-07T00:00:00.000Z' }
  t.strictSame(reads(OVERVIEW), { ...day, isOfEvents: true })
  const compared = { ...STATS, compareFilter: { compare: true } }
  t.strictSame(reads(compared), { ...day, from: '2026-10-03T00:00:00.000Z', isOfEvents: true })
  const people = { properties: [{ key: 'plan', type: 'person', value: 'pro' }] }
  const goal = { ...OVERVIEW, conversionGoal: { customEventName: 'paid', ...people } }
  t.strictSame(reads(goal), { ...day, isOfEvents: false })
  t.end()
})

t.test('goals of the project that cannot be used are named in the error', (t) => {
  const told = read({ kind: 'WebGoalsQuery' }, [{ name: 'Paid', event: '' }])
  t.match(told.ok ? undefined : told.error, { attr: '', detail: /web_goals\.0\.event/ })
  t.equal(read(OVERVIEW, 'none').ok, true)
  t.end()
})
