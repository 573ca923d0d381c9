import t from 'tap'
import type { Json } from '../../../../src/core/json.ts'
import { putEvents, putPerson } from '../../../support/ingest/events.ts'
import { opener } from '../../../support/query/opened-numbers.ts'
import { checkOpened } from '../../../support/query/opened-worlds.ts'
import { asker } from '../../../support/query/questions.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const NOW = { timezone: 'Europe/Berlin', now: '2026-10-28T12:00:00Z' }
const NONE = '$$_posthog_breakdown_null_$$'
const OTHER = '$$_posthog_breakdown_other_$$'
const RANGE = { date_from: '2026-10-24', date_to: '2026-10-27' }

t.test('every number opens to as many actors as it says', (t) => checkOpened(t))

t.test('lists of actors', async (t) => {
  const { sql } = await testDatabase(t)
  const timestamp = '2026-10-25T10:00:00Z'
  const people = Array.from({ length: 5 }, (_, index) => `p${index}`)
  const big = { name: 'Ann', text: 'x'.repeat(400_000) }
  for (const id of people) {
    await putPerson(sql, 1, { distinctIds: [id, `${id}-2`], properties: { name: id } })
  }
  for (let index = 0; index < 11; index++) {
    await putPerson(sql, 1, { distinctIds: [`big${index}`], properties: big })
  }
  await putPerson(sql, 2, { distinctIds: ['lone'] })
  const view = (distinctId: string, pathname: string) => ({
    ...{ event: '$pageview', distinctId, timestamp, properties: { $pathname: pathname, a: 'x' } },
  })
  await putEvents(sql, 1, [
    ...people.flatMap((id) => [view(id, '/'), view(`${id}-2`, '/')]),
    ...['é', 'lone', 'B', 'a'].map((id) => view(id, '/')),
    ...Array.from({ length: 11 }, (_, index) => ({ ...view(`big${index}`, '/'), event: 'big' })),
    { ...view('p1', '/to'), timestamp: '2026-10-25T10:10:00Z' },
    { ...view('B', '/to'), timestamp: '2026-10-25T10:10:00Z' },
  ])
  const { page, actors, inPages, refused } = opener(asker(sql, NOW))
  const node = { kind: 'EventsNode', event: '$pageview', math: 'dau' }
  const views = { kind: 'TrendsQuery', dateRange: RANGE, series: [node] }
  const day = { day: '2026-10-25' }

  t.test('a row says who it is; pages neither repeat nor skip', async (t) => {
    const all = await actors(views, day)
    t.strictSame(
      all.map(({ distinct_ids: ids }) => ids[0]),
      [...people, 'B', 'a', 'lone', 'é'],
    )
    t.strictSame(all[0]?.properties, { name: 'p0' })
    t.strictSame(all[0]?.distinct_ids, ['p0', 'p0-2'])
    t.match(all[0]?.id, /^[0-9a-f-]{36}$/)
    t.match(all[0]?.created_at, /^\d{4}-.*Z$/)
    t.strictSame(all.at(-2), { id: null, distinct_ids: ['lone'], properties: {}, created_at: null })
    for (const limit of [1, 4, 9]) t.strictSame(await inPages(views, day, limit), all)
    const beyond = await page(views, day, { offset: 9 })
    t.strictSame([beyond.results, beyond.hasMore], [[], false])
  })

  t.test('a page of more than 4 MiB is refused', async (t) => {
    const big = { ...views, series: [{ ...node, event: 'big' }] }
    t.equal(await refused(big, day, { limit: 11 }), 'query.limit')
    t.equal((await page(big, day, { limit: 10 })).results.length, 10)
    t.equal((await page(big, day, { limit: 10, offset: 10 })).results.length, 1)
  })

  t.test('the actors that took an edge of a path', async (t) => {
    const paths = { kind: 'PathsQuery', dateRange: RANGE, pathsFilter: {} }
    const edge = { pathStartKey: '1_/', pathEndKey: '2_/to' }
    const taken = await actors(paths, edge)
    t.strictSame(
      taken.map(({ distinct_ids: ids }) => ids[0]),
      ['p1', 'B'],
    )
    t.strictSame(await actors(paths, { pathEndKey: '2_/to' }), taken)
    t.strictSame(await inPages(paths, edge, 1), taken)
    t.equal(await refused(paths, { pathEndKey: '2_/' }), 'query.source.pathEndKey')
  })

  t.test('a number that the answer does not have is refused', async (t) => {
    const by = { ...views, breakdownFilter: { breakdown: 'a' } }
    const cases: readonly (readonly [Json, Record<string, Json>, string])[] = [
      [views, { day: '2026-10-28' }, 'query.source.day'],
      [views, { day: '25-Oct-2026' }, 'query.source.day'],
      [{ ...views, interval: 'hour' }, { day: '2026-10-25 02:00:00' }, 'query.source.day'],
      [by, { ...day, breakdown: 'y' }, 'query.source.breakdown'],
      [by, { ...day, breakdown: NONE }, 'query.source.breakdown'],
      [by, { ...day, breakdown: OTHER }, 'query.source.breakdown'],
      [{ ...views, interval: 'minute' }, {}, 'query.source.source.interval'],
    ]
    for (const [source, point, attr] of cases) {
      t.equal(await refused(source, point), attr, JSON.stringify(point))
    }
    const hour = '2026-10-25T11:00:00+01:00'
    t.equal((await actors({ ...views, interval: 'hour' }, { day: hour })).length, 9)
  })

  t.test('without a series, a formula opens to the actors of all series', async (t) => {
    const series = [node, { ...node, event: 'big' }]
    const formula = { ...views, series, trendsFilter: { formula: 'A/B' } }
    const found = await page(formula, day, { limit: 5 })
    t.equal(found.results.length, 5)
    t.equal((await actors(formula, { ...day, series: 0 })).length, 9)
    const both = [await page(formula, day, { limit: 10 }), await page(formula, day, { offset: 10 })]
    t.equal(both.flatMap(({ results }) => results).length, 20)
  })
})
