/** Questions of the console, without a browser. */
import t from 'tap'
import { layoutOf } from '../../../gateway/console/charts/paths-layout.ts'
import { createConcurrencyPool } from '../../../gateway/console/pages/dashboard/concurrency-pool.ts'
import { followed, trailFrom } from '../../../gateway/console/pages/insight/trail.ts'
import { hashOf, questionInHash } from '../../../gateway/console/questions/address.ts'
import { asKind } from '../../../gateway/console/questions/as-kind.ts'
import { eventsIn } from '../../../gateway/console/questions/names-in.ts'
import {
  changedIn,
  KINDS,
  NEW_QUESTION,
  rangeTextOf,
  withRange,
} from '../../../gateway/console/questions/question.ts'
import { sentenceOf } from '../../../gateway/console/questions/sentence.ts'
import {
  insightTile,
  moved,
  sentTiles,
  textTile,
  withWidth,
} from '../../../gateway/console/questions/tiles.ts'

const PRO = { type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }
const ASKED = {
  ...NEW_QUESTION,
  series: [{ kind: 'EventsNode', event: 'paid', math: 'sum', math_property: 'amount' }],
  properties: [PRO],
  tags: { scene: 'mine' },
}

t.test('a question goes into the address and comes back, whatever it holds', (t) => {
  const hostile = { kind: 'TrendsQuery', series: [], note: '#%/?&="<>\u2028 😀' }
  t.strictSame(questionInHash(hashOf(hostile)), hostile)
  for (const hash of ['', '#q=', '#q=%', '#q=%5B%5D', '#q=null', '#x={}']) {
    t.equal(questionInHash(hash), undefined, hash)
  }
  t.end()
})

t.test('the events of a question are known, each once', (t) => {
  const series = [{ event: 'paid' }, { event: null }, { event: 'left' }, { event: 'paid' }]
  const funnelsFilter = { exclusions: [{ event: 'refunded' }] }
  t.strictSame(eventsIn({ series, funnelsFilter }), ['paid', 'left', 'refunded'])
  const retentionFilter = { targetEntity: { id: 'signed up' }, returningEntity: { id: 7 } }
  t.strictSame(eventsIn({ retentionFilter, event: '' }), ['signed up'])
  t.strictSame(eventsIn({ series: 'none', event: 'paid' }), ['paid'])
  t.end()
})

t.test('a step back is one whoever makes it, and a new question ends the way forth', (t) => {
  const there = ['b', 'c'].reduce(followed, trailFrom('a'))
  t.strictSame(there, { past: ['a', 'b'], now: 'c', future: [] })
  const back = followed(there, 'b')
  t.strictSame(back, { past: ['a'], now: 'b', future: ['c'] })
  t.strictSame(followed(back, 'c'), there)
  t.strictSame(followed(back, 'd'), { past: ['a', 'b'], now: 'd', future: [] })
  t.equal(followed(back, 'b'), back)
  t.end()
})

t.test('a change leaves the members alone that nobody has changed', (t) => {
  const set = changedIn(ASKED, 'trendsFilter', { formula: 'A * 2' })
  t.strictSame(set, { ...ASKED, trendsFilter: { formula: 'A * 2' } })
  t.strictSame(changedIn(set, 'trendsFilter', { formula: undefined }), ASKED)
  t.end()
})

t.test('another kind keeps events, filters and days', (t) => {
  const dated = withRange(ASKED, { date_from: '2026-01-01', date_to: '2026-01-31' })
  for (const kind of KINDS) {
    const next = asKind(dated, kind)
    t.equal(next['kind'], kind)
    t.equal(rangeTextOf(next), '2026-01-01..2026-01-31', kind)
    t.strictSame(next['properties'], [PRO], kind)
    if (kind !== 'PathsQuery') t.match(JSON.stringify(next), '"paid"', kind)
    t.equal(asKind(next, 'TrendsQuery')['kind'], 'TrendsQuery')
  }
  t.equal(asKind(ASKED, 'FunnelsQuery')['interval'], undefined)
  t.end()
})

t.test('a question is a sentence', (t) => {
  const both = { ...ASKED, compareFilter: { compare: true }, breakdownFilter: { breakdown: '$os' } }
  t.equal(
    sentenceOf(both),
    'Shows the sum of amount in “paid” events each day, by OS, compared to the previous period, in the last 7 days, where plan is pro.',
  )
  const week = { ...NEW_QUESTION, compareFilter: { compare: true, compare_to: '-7d' } }
  t.match(sentenceOf(week), /each day, compared to 7 days earlier, in/)
  t.equal(sentenceOf(NEW_QUESTION), 'Shows the number of all events each day, in the last 7 days.')
  const pie = { ...NEW_QUESTION, trendsFilter: { display: 'ActionsPie' } }
  t.equal(sentenceOf(pie), 'Shows the number of all events, in the last 7 days.')
  const others: readonly (readonly [object, RegExp])[] = [
    [
      { kind: 'FunnelsQuery', series: [{ event: 'a' }, { event: null }] },
      /do “a”, then any event within 14 days/,
    ],
    [{ kind: 'RetentionQuery' }, /who do “Pageview” come back with “Pageview” in the 7 days/],
    [{ kind: 'PathsQuery', pathsFilter: { startPoint: '/' } }, /from “\/” in up to 5 steps/],
    [{ kind: 'StickinessQuery', series: [{ event: 'a' }] }, /on how many days persons do “a”/],
    [{ kind: 'LifecycleQuery', series: [{ event: 'a' }] }, /with “a” are new, returning/],
    [
      { kind: 'EventsQuery', select: ['event', 'count()'] },
      /Lists event and count\(\) of all events/,
    ],
    [{ kind: 'HogQLQuery' }, /JSON only/],
    [
      { kind: 'TrendsQuery', series: 7, properties: { type: 'AND', values: [] } },
      /its filters match/,
    ],
  ]
  for (const [question, said] of others) t.match(sentenceOf(question as typeof ASKED), said)
  t.end()
})

t.test('tiles are sent with the places that their order gives them', (t) => {
  const tiles = [insightTile('a'), withWidth(insightTile('b'), 8), textTile('Hello')]
  t.strictSame(sentTiles(tiles), [
    { insight: 'a', layouts: { sm: { x: 0, y: 0, w: 6, h: 5 } } },
    { insight: 'b', layouts: { sm: { w: 8, x: 0, y: 5, h: 5 } } },
    { text: { body: 'Hello' }, layouts: { sm: { x: 0, y: 10, w: 12, h: 1 } } },
  ])
  t.strictSame(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a'])
  t.strictSame(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b'])
  t.end()
})

t.test('the ways of paths end where their items are', (t) => {
  const edges = [
    { source: '1_/', target: '2_/a_b', value: 3 },
    { source: '1_/', target: '2_/c', value: 1 },
    { source: '2_/c', target: '3_end', value: 1 },
  ]
  const { nodes, links, columns } = layoutOf(edges, 100)
  t.equal(columns, 3)
  t.strictSame(
    nodes.map(({ label, column, value }) => [label, column, value]),
    [
      ['/', 0, 4],
      ['/a_b', 1, 3],
      ['/c', 1, 1],
      ['end', 2, 1],
    ],
  )
  for (const { from, to, y0, y1 } of links) {
    t.ok(y0 >= from.y && y0 <= from.y + from.height)
    t.ok(y1 >= to.y && y1 <= to.y + to.height)
  }
  t.strictSame(layoutOf([], 100), { nodes: [], links: [], columns: 0 })
  const crossing = [
    { source: '1_/', target: '2_/late', value: 2 },
    { source: '1_/', target: '2_/early', value: 5 },
    { source: '1_/', target: '2_/last', value: 1 },
  ]
  const ends = [...layoutOf(crossing, 100).links].sort((one, other) => one.to.y - other.to.y)
  t.same(
    ends.map(({ y0 }) => y0),
    [...ends].map(({ y0 }) => y0).sort((one, other) => one - other),
    'links of an item do not cross',
  )
  t.end()
})

t.test('paths begin with pages and custom events, without events of libraries', (t) => {
  t.strictSame(asKind(NEW_QUESTION, 'PathsQuery')['pathsFilter'], {
    includeEventTypes: ['$pageview', 'custom_event'],
  })
  t.end()
})

t.test('two at a time have their turn, and who has left gives it on', async (t) => {
  const turns = createConcurrencyPool(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string, signal = new AbortController().signal) =>
    turns(signal, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const left = AbortSignal.abort()
  const [a, b, c, d] = [work('a'), work('b'), work('c', left), work('d')]
  t.strictSame(begun, ['a', 'b'])
  ends[0]?.()
  await a
  await t.rejects(c, { name: 'AbortError' })
  t.strictSame(begun, ['a', 'b', 'd'])
  for (const end of ends) end()
  await Promise.all([b, d])
})
