/** Annotations by the buckets of a chart, and clocks of a project. */
import t from 'tap'
import type { Annotation } from '../../../gateway/client/index.ts'
import { byBucket, momentAt, wallTime } from '../../../gateway/console/data/annotation-buckets.ts'

function at(moment: string, more: Partial<Annotation> = {}): Annotation {
  return { ...({ scope: 'project', content: moment } as Annotation), date_marker: moment, ...more }
}

function bucketsOf(starts: readonly string[], annotations: readonly Annotation[]) {
  const found = byBucket(annotations, starts, {})
  return [...found].map(([index, all]) => [index, ...all.map(({ content }) => content)])
}

t.test('an annotation is in the bucket of its moment, the last one included', (t) => {
  const days = [
    '2026-03-28T00:00:00+01:00',
    '2026-03-29T00:00:00+01:00',
    '2026-03-30T00:00:00+02:00',
  ]
  const last = '2026-03-30T21:59:59Z'
  t.strictSame(
    bucketsOf(days, [
      ...[at(last), at('2026-03-30T22:00:00Z'), at('2026-03-27T22:59:59Z')],
      ...[at('2026-03-29T21:59:59Z'), at('2026-03-28T23:00:00Z')],
    ]),
    [
      [2, last],
      [1, '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'],
    ],
  )
  const months = ['2026-01-01T00:00:00+00:00', '2026-02-01T00:00:00+00:00']
  t.strictSame(bucketsOf(months, [at('2026-02-28T23:59:59Z'), at('2026-03-01T00:00:00Z')]), [
    [1, '2026-02-28T23:59:59Z'],
  ])
  const hours = ['2026-03-01T10:00:00+00:00', '2026-03-01T11:00:00+00:00']
  t.strictSame(bucketsOf(hours, [at('2026-03-01T12:00:00Z')]), [])
  t.strictSame(bucketsOf([], [at('2026-03-01T12:00:00Z')]), [])
  t.end()
})

t.test('a chart shows the annotations of its project, its insight and its dashboard', (t) => {
  const day = '2026-03-01T00:00:00Z'
  const all = [
    at(day),
    at(day, { scope: 'insight', insight_short_id: 'aB3' }),
    at(day, { scope: 'insight', insight_short_id: 'other' }),
    at(day, { scope: 'dashboard', dashboard_id: 7 }),
    at(day, { scope: 'dashboard', dashboard_id: 8 }),
  ]
  const shown = (place: Parameters<typeof byBucket>[2]) =>
    byBucket(all, [day], place)
      .get(0)
      ?.map((each) => all.indexOf(each))
  t.strictSame(shown({}), [0])
  t.strictSame(shown({ insight: { shortId: 'aB3' } }), [1, 0])
  t.strictSame(shown({ insight: { shortId: 'aB3' }, dashboard: 7 }), [3, 1, 0])
  t.end()
})

t.test('a wall time is a moment of its zone, on both sides of a change of the clocks', (t) => {
  for (const [wall, moment] of [
    ['2026-03-29T01:30', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T04:00', '2026-10-25T03:00:00.000Z'],
  ] as const) {
    t.equal(momentAt(wall, 'Europe/Berlin'), moment)
    t.equal(wallTime(moment, 'Europe/Berlin'), wall)
  }
  t.equal(momentAt('2026-03-01T00:00', 'America/Los_Angeles'), '2026-03-01T08:00:00.000Z')
  t.end()
})
