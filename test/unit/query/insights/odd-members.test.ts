import t from 'tap'
import { isList, isObject, type Json } from '../../../../src/core/json.ts'
import { zoneOf } from '../../../../src/core/time/zone.ts'
import { createReading } from '../../../../src/query/insights/read/common.ts'
import { readQuestion } from '../../../../src/query/insights/read/read-question.ts'

const NOW = Date.parse('2026-10-27T12:00:00Z')
const COMMON = {
  dateRange: { date_from: '-7d', date_to: '2026-10-27' },
  properties: [{ key: 'plan', value: 'pro', type: 'person' }],
  filterTestAccounts: false,
}
const VIEW = {
  ...{ kind: 'EventsNode', event: 'view', name: 'view', custom_name: 'Views' },
  properties: [{ key: 'a', value: 'b' }],
}
const BREAKDOWN = { breakdown: 'a', breakdown_type: 'event', breakdown_limit: 5 }
const TRENDS = {
  ...{ kind: 'TrendsQuery', ...COMMON, interval: 'day', breakdownFilter: BREAKDOWN },
  series: [{ ...VIEW, math: 'sum', math_property: 'amount' }],
  compareFilter: { compare: true, compare_to: '-7d' },
  trendsFilter: { formula: 'A * 2', display: 'BoldNumber' },
}
const FUNNEL = {
  ...{ kind: 'FunnelsQuery', ...COMMON, interval: 'day', breakdownFilter: BREAKDOWN },
  series: [VIEW, VIEW],
  funnelsFilter: {
    ...{ funnelOrderType: 'strict', funnelWindowInterval: 3, funnelWindowIntervalUnit: 'hour' },
    ...{ funnelVizType: 'trends', funnelFromStep: 0, funnelToStep: 1 },
    ...{ breakdownAttributionType: 'step', breakdownAttributionValue: 1 },
    exclusions: [{ event: 'x', funnelFromStep: 0, funnelToStep: 1 }],
  },
}
/** With every member that each kind may have. */
const QUESTIONS: readonly { readonly [member: string]: Json }[] = [
  TRENDS,
  FUNNEL,
  {
    ...{ kind: 'RetentionQuery', ...COMMON },
    retentionFilter: {
      ...{ period: 'Week', totalIntervals: 3, retentionType: 'retention_first_time' },
      targetEntity: { id: 'view', type: 'events' },
      returningEntity: { id: 'paid', type: 'events' },
      cumulative: true,
    },
  },
  { kind: 'StickinessQuery', ...COMMON, series: [VIEW], interval: 'week' },
  { kind: 'LifecycleQuery', ...COMMON, series: [VIEW], interval: 'month' },
  {
    ...{ kind: 'PathsQuery', ...COMMON },
    pathsFilter: {
      ...{ includeEventTypes: ['$pageview'], startPoint: '/', endPoint: '/a' },
      ...{ stepLimit: 4, edgeLimit: 10 },
    },
  },
  {
    ...{ kind: 'EventsQuery', select: ['event'], where: ["event = 'a'"], orderBy: ['event'] },
    ...{ properties: COMMON.properties, event: 'a', after: '-7d', before: '-1d' },
    ...{ limit: 10, offset: 5 },
  },
  {
    ...{ kind: 'ActorsQuery', limit: 10, offset: 0 },
    source: {
      ...{ kind: 'InsightActorsQuery', series: 0, day: '2026-10-26', breakdown: 'x' },
      ...{ compare: 'current', source: TRENDS },
    },
  },
  {
    kind: 'ActorsQuery',
    source: { kind: 'InsightActorsQuery', funnelStep: -2, breakdown: 'x', source: FUNNEL },
  },
]
/** No member may be this; for filters an object is the flat form of older clients. */
const WRONG: Json = { cake: [] }
const WRONG_FILTERS = 'cake'
const ODD: readonly Json[] = [
  ...[null, true, 0, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, '', ' ', 'a\0b', '\ud800'],
  ...['__proto__', 'constructor', "'; drop table events; --", '%s $1 {0}', '-9999999y'],
  ...['x'.repeat(100_000), [], [[]], {}, Array.from({ length: 10_000 }, () => null)],
  ...[Array.from({ length: 10_000 }, () => VIEW), nested(60)],
]

type Path = readonly (string | number)[]

function nested(depth: number): Json {
  return depth === 0 ? [] : { a: [nested(depth - 1)] }
}

/** The paths of all members, at every depth. */
function pathsOf(value: Json, path: Path = []): Path[] {
  if (isList(value)) {
    return value.flatMap((each, index) => [[...path, index], ...pathsOf(each, [...path, index])])
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) => [
    [...path, name],
    ...pathsOf(each ?? null, [...path, name]),
  ])
}

/** A copy with `put` at the path; undefined takes the member away. */
function changed(value: Json, [name, ...rest]: Path, put: Json | undefined): Json {
  if (name === undefined) return put ?? null
  if (isList(value)) {
    return value.flatMap((each, index) => {
      if (index !== name) return [each]
      return rest.length === 0 && put === undefined ? [] : [changed(each, rest, put)]
    })
  }
  const { [name]: before, ...others } = isObject(value) ? value : {}
  if (rest.length === 0 && put === undefined) return others
  return { ...others, [name]: changed(before ?? null, rest, put) }
}

function read(question: Json) {
  return readQuestion(question, createReading(zoneOf('UTC'), NOW, []))
}

function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`)
}

t.test('each whole question is one', async (t) => {
  for (const question of QUESTIONS) {
    const answer = read(question)
    t.ok(answer.ok, answer.ok ? '' : `${answer.error.attr}: ${answer.error.detail}`)
  }
})

t.test('a member that is wrong is named, by its path or by that of what it is in', async (t) => {
  for (const question of QUESTIONS) {
    for (const path of pathsOf(question)) {
      const wrong = path.at(-1) === 'properties' ? WRONG_FILTERS : WRONG
      const answer = read(changed(question, path, wrong))
      const name = path.join('.')
      const attr = answer.ok ? 'nothing' : (answer.error.attr ?? 'null')
      t.ok(isWithin(name, attr) || isWithin(attr, name), `${question['kind']} ${name}: ${attr}`)
    }
  }
})

t.test('a member that nobody knows is named, wherever it stands', async (t) => {
  for (const question of QUESTIONS) {
    for (const path of [[], ...pathsOf(question)]) {
      if (path.includes('properties')) continue // Filters of events: their own tests.
      const place = path.reduce<Json>(
        (value, name) =>
          (Object.entries(value ?? {}).find(([key]) => key === String(name)) ?? [])[1],
        question,
      )
      if (!isObject(place)) continue
      const at = [...path, 'cake']
      const answer = read(changed(question, at, 1))
      t.equal(answer.ok ? 'nothing' : answer.error.attr, at.join('.'))
    }
  }
})

t.test(
  'whatever a member is, and whichever is missing, the answer is a question or an error of one of its members',
  async (t) => {
    let asked = 0
    for (const question of QUESTIONS) {
      for (const path of pathsOf(question)) {
        for (const odd of [...ODD, undefined]) {
          asked += 1
          const answer = read(changed(question, path, odd))
          if (answer.ok) continue
          const [first = ''] = (answer.error.attr ?? '').split('.')
          const isNamed = first in question && answer.error.detail !== ''
          if (!isNamed) t.fail(`${question['kind']} ${path.join('.')}: ${answer.error.attr}`)
        }
      }
    }
    t.ok(asked > 3_000, `${asked} questions`)
  },
)
