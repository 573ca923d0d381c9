/** Calculations of the console without a browser. */
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { curlOf } from '../../../gateway/console/data/calls.ts'
import { rangeOf, textOfRange } from '../../../gateway/console/data/ranges.ts'
import {
  asProperties,
  eventsAddress,
  expressionOf,
} from '../../../gateway/console/kit/filters/expression.ts'
import {
  filtersOfExpression,
  joined,
} from '../../../gateway/console/kit/filters/expression-filters.ts'
import {
  filtersOf,
  type PropertyFilter,
  sentenceOf,
  textOfFilters,
} from '../../../gateway/console/kit/filters/filter.ts'
import { toggled } from '../../../gateway/console/kit/filters/toggled.ts'
import { type Status, verdictOf } from '../../../gateway/console/pages/cluster/model.ts'
import {
  evenly,
  shownOf,
  type Variant,
  withVariant,
} from '../../../gateway/console/pages/flag/model.ts'
import {
  accessTo,
  SCOPE_OBJECTS,
  sentenceOfScopes,
} from '../../../gateway/console/pages/settings/scopes.ts'
import { knownScopes } from '../../../src/access/key-limits.ts'
import { labelOfBucket } from '../../../src/core/charts/buckets.ts'
import { axisOf, linear, shownLabels } from '../../../src/core/charts/scale.ts'
import { areaPath, linePath, stacked } from '../../../src/core/charts/shapes.ts'
import { methods } from '../../../src/wire/proto/proto.ts'

t.test('a copied call is one command, whatever its body holds', (t) => {
  const body = `{"name":"it's $(id) \`id\` \\"\n"}`
  const line = curlOf({ verb: 'POST', path: "/api/x/?a='b'", body }, 'http://here')
  const script = `curl() { printf '%s\\0' "$@"; }\n${line}`
  const { stdout } = spawnSync('sh', ['-c', script], { env: { SLUICE_KEY: 'phx_1' } })
  t.strictSame(String(stdout).split('\0').slice(0, -1), [
    "http://here/api/x/?a='b'",
    ...['-H', 'Authorization: Bearer phx_1', '-H', 'Content-Type: application/json', '-d', body],
  ])
  const removal = curlOf({ verb: 'DELETE', path: '/api/x/' }, 'http://here')
  t.match(removal, '-X DELETE')
  t.end()
})

t.test('filters go into the address and come back; what is none is left out', (t) => {
  const first = toggled([], 'plan', 'pro', false)
  const both = toggled(toggled(first, 'plan', 'team', false), '$browser', 'Safari', true)
  t.strictSame(both.map(sentenceOf), ['plan is pro or team', 'Browser is not Safari'])
  t.strictSame(filtersOf(textOfFilters(both) ?? null), both)
  t.strictSame(toggled(first, 'plan', 'pro', false), [], 'a second click takes it out')
  t.equal(textOfFilters([]), undefined)
  for (const text of [null, '', '{', '{}', '[1, null, {"operator": "exact"}]']) {
    t.strictSame(filtersOf(text), [], String(text))
  }
  t.end()
})

t.test('filters on the event itself are expressions, and come back from them', (t) => {
  const name = { type: 'event_metadata', key: 'event' } as const
  const id = { ...name, key: 'distinct_id' }
  const pairs: readonly (readonly [string, PropertyFilter])[] = [
    ["event = 'paid'", { ...name, operator: 'exact', value: ['paid'] }],
    ["event in ('a', 'b')", { ...name, operator: 'exact', value: ['a', 'b'] }],
    ["distinct_id not in ('a', 'b')", { ...id, operator: 'is_not', value: ['a', 'b'] }],
    ["distinct_id != 'it\\'s \\\\'", { ...id, operator: 'is_not', value: ["it's \\"] }],
    ["event ilike '%50\\\\%%'", { ...name, operator: 'icontains', value: '50%' }],
    ["event not ilike '%o%'", { ...name, operator: 'not_icontains', value: 'o' }],
  ]
  for (const [text, filter] of pairs) {
    t.equal(expressionOf(filter), text)
    t.strictSame(filtersOfExpression(text), [filter], text)
  }
  const all = joined([...pairs.map(([text]) => text), "event = 'a' or event = 'b'"])
  t.strictSame(
    filtersOfExpression(all).slice(0, -1),
    pairs.map(([, filter]) => filter),
  )
  const others = [
    "event = 'a' or event = 'b'",
    "event not = 'a'",
    'event = 5',
    "event > 'a'",
    "event in 'a'",
    "event = ('a')",
    "event ilike 'a%'",
    "event = 'a' || 'b'",
    "properties.event = 'a'",
    "`event` = 'a'",
    'event',
    "properties.plan = 'Pro'",
    "person.properties.plan not in ('a', 'b')",
    'properties.a between 1 and 2',
    'notEmpty(properties.a)',
    'length(event) > 3',
    "event = 'unclosed",
  ]
  for (const key of others) {
    t.strictSame(filtersOfExpression(key), [{ type: 'hogql', key, operator: 'exact' }], key)
  }
  t.strictSame(filtersOfExpression("((event = 'a') and (length(event) > 1))").length, 2)
  t.strictSame(filtersOfExpression(' '), [])
  const pattern: PropertyFilter = { type: 'event', key: 'a', operator: 'regex', value: '^a' }
  const [, named = pattern] = pairs[0] ?? []
  t.strictSame(asProperties([named, pattern]), [{ type: 'hogql', key: "event = 'paid'" }, pattern])
  const rest = encodeURIComponent(JSON.stringify([pattern])).replaceAll('%20', '+')
  t.equal(
    eventsAddress(1, [named, pattern], undefined),
    `/project/1/events?where=event+%3D+%27paid%27&properties=${rest}`,
  )
  t.equal(eventsAddress(1, [], '-7d'), '/project/1/events?after=-7d')
  t.end()
})

t.test('a range of the address is that of the question', (t) => {
  t.strictSame(rangeOf('-7d'), { date_from: '-7d' })
  t.strictSame(rangeOf('-1d..-1dEnd'), { date_from: '-1d', date_to: '-1dEnd' })
  t.equal(textOfRange(rangeOf('2026-01-01..2026-01-31')), '2026-01-01..2026-01-31')
  t.equal(labelOfBucket('2026-03-02T00:00:00+01:00', 'day'), '2 Mar')
  t.equal(labelOfBucket('2026-10-25T02:00:00+01:00', 'hour'), '02:00')
  t.equal(labelOfBucket('2026-03-01T00:00:00+01:00', 'month'), 'Mar 2026')
  t.equal(labelOfBucket('2026-11-14', 'day', true), 'Sat 14 Nov')
  t.equal(labelOfBucket('2026-10-25T02:00:00+01:00', 'hour', true), 'Sun 25 Oct 02:00')
  t.equal(labelOfBucket('2026-03-01T00:00:00+01:00', 'month', true), 'Mar 2026')
  t.equal(labelOfBucket('nothing', 'day'), 'nothing')
  t.end()
})

t.test('an axis has round ticks around all values, and zero', (t) => {
  t.strictSame(axisOf([]), { low: 0, high: 1, ticks: [0] })
  t.strictSame(axisOf([3, 36]).ticks, [0, 10, 20, 30, 40])
  const { low, ticks } = axisOf([-7, 12])
  t.ok(low <= -7 && ticks.includes(0))
  t.ok(axisOf([1, 2]).ticks.every(Number.isInteger), 'half an event is no event')
  t.strictSame(axisOf([0.1, 0.33]).ticks, [0, 0.1, 0.2, 0.3, 0.4], 'tenths are tenths')
  for (const most of [1, 3, 7, 15, 71, 999, 12_345, 8e9]) {
    const { high, ticks: lines } = axisOf([most])
    t.ok(high >= most && lines.length >= 2 && lines.length <= 7, `few lines up to ${most}`)
  }
  t.equal(linear([0, 10], [100, 0])(5), 50)
  t.equal(linear([0, 0], [100, 0])(5), 100)
  t.strictSame([...shownLabels(8, 240)], [0, 3, 6])
  t.end()
})

t.test('variants share evenly until a share is typed', (t) => {
  const shares = (variants: readonly Variant[]) => variants.map(({ share }) => share)
  const one = withVariant([], 'a')
  const two = withVariant(one, 'b')
  const three = withVariant(two, 'c')
  t.strictSame([one, two, three].map(shares), [[100], [50, 50], [33.34, 33.33, 33.33]])
  const typed = [{ key: 'a', share: 80 }]
  t.strictSame(shares(withVariant(typed, 'b')), [80, 20], 'a typed share stays')
  t.strictSame(shares(withVariant([...typed, { key: 'b', share: 30 }], 'c')), [80, 30, 0])
  t.strictSame(shares(evenly([...typed, { key: 'b', share: 30 }])), [50, 50])
  t.end()
})

t.test('keys are offered every scope of the contract, and no other', (t) => {
  const offered = SCOPE_OBJECTS.flatMap(({ id }) => [`${id}:read`, `${id}:write`])
  t.strictSame([...offered, '*'].sort(), [...knownScopes(methods())].sort())
  t.equal(accessTo('query', ['query:read']), 'read')
  t.equal(accessTo('query', ['*']), 'write')
  t.equal(
    sentenceOfScopes(['person:read', 'feature_flag:write']),
    'Persons: read, Feature flags: write',
  )
  t.equal(sentenceOfScopes(['*']), 'All')
  t.end()
})

t.test('lines have gaps where there is no number, and stacks stand on zero', (t) => {
  const points = [[0, 5], [1, 1 / 3], undefined, [3, 2]] as const
  t.equal(linePath(points), 'M0 5L1 0.333M3 2')
  t.equal(areaPath(points, 9), 'M0 5L1 0.333L1 9L0 9ZM3 2L3 9L3 9Z')
  t.equal(linePath([]), '')
  t.strictSame(
    stacked(
      [
        [1, 2],
        [-3, null],
        [4, 5],
      ],
      2,
    ),
    [
      [
        [0, 1],
        [0, 2],
      ],
      [
        [0, -3],
        [2, 2],
      ],
      [
        [1, 5],
        [2, 7],
      ],
    ],
  )
  t.end()
})

t.test('a cluster that is well is told by who owns shards', (t) => {
  const member = (role: string, shards: number): Status['members'][number] => ({
    ...{ id: role, address: '', role, shards, version: '', answered: true, writer: null },
    ...{ state: 'active', activations: 0, events_per_second: 0, decides_per_second: 0 },
    ...{ breaker: 'closed', view_version: 1, host: 'm1', pid: 42, started_at: '' },
  })
  const told = (...members: Status['members']) => verdictOf({ members, problems: [] }).text
  const gateway = member('gateway', 0)
  t.match(told(member('standalone', 256)), 'One process owns')
  t.match(told(member('worker', 256), member('worker', 0), gateway), 'One worker owns')
  t.match(told(member('worker', 128), member('worker', 128), gateway), '2 workers own')
  t.end()
})

t.test('each text within a shown value ends with itself, whichever way it is written', (t) => {
  const turned = '\u202Eשלום'
  const own = (text: string) => `\u2068${text}\u2069`
  t.equal(shownOf(turned), own(turned))
  t.equal(shownOf([turned, 'plain', 1, null]), `${own(turned)}, plain, 1, `)
  t.equal(
    shownOf({ [turned]: [`a "${turned}"`, 'plain'], size: 2 }),
    `{${own(`"${turned}"`)}:[${own(`"a \\"${turned}\\""`)},"plain"],"size":2}`,
  )
  t.equal(shownOf(undefined), '')
  t.end()
})
