/** Pictures of answers, by facts about them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import t from 'tap'
import { axisOf } from '../../../../src/core/charts/scale.ts'
import type { JsonObject } from '../../../../src/core/json.ts'
import { packageRoot } from '../../../../src/core/package-root.ts'
import { type PictureSize, pictureOf } from '../../../../src/manage/export/drawing/picture.ts'
import { cutTo, widthOf } from '../../../../src/manage/export/drawing/text-width.ts'
import { THEMES } from '../../../../src/manage/export/drawing/theme.ts'
import { createPngRenderer } from '../../../../src/manage/export/png.ts'
import { drawingOf, rangeTextOf } from '../../../../src/manage/export/read-drawing.ts'

const SIZE: PictureSize = { width: 800, height: 450 }
const FONTS = ['DejaVuSans', 'DejaVuSans-Bold'].map((name) =>
  join(packageRoot, 'node_modules', 'dejavu-fonts-ttf', 'ttf', `${name}.ttf`),
)
const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04']

function row(label: string, data: readonly number[], more: JsonObject = {}): JsonObject {
  const days = data.map((_, at) => DAYS[at] ?? '')
  return { label, data, days, buckets: days, count: 0, incomplete_from: null, ...more }
}

function draw(question: JsonObject, results: JsonObject['x'], title = 'Title', size = SIZE) {
  const answer = { results: results ?? null, timezone: 'UTC' }
  const words = { title, subtitle: rangeTextOf(question, answer) }
  const svg = pictureOf(drawingOf(question, answer), words, size, 'light')
  // A parser that refuses what is no XML.
  return { svg, parsed: new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: FONTS } }) }
}

function count(svg: string, what: RegExp): number {
  return [...svg.matchAll(new RegExp(what, 'g'))].length
}

const TREND = { kind: 'TrendsQuery', interval: 'day' }

t.test('a line chart has a line and a name for each series, and a mark for each number', (t) => {
  const rows = Array.from({ length: 8 }, (_, at) => row(`e${at}`, [at, 2 * at, 3]))
  const { svg, parsed } = draw(TREND, rows)
  t.equal(count(svg, /<g class="series"/), 8)
  t.equal(count(svg, /<g class="entry"/), 8)
  t.equal(count(svg, /stroke-width="1.75"/), 8 * 3 + 8, 'with those of the legend')
  for (const tick of axisOf([14]).ticks) t.match(svg, `>${tick}</text>`)
  t.match(svg, />2 Mar<.*>4 Mar</s)
  t.strictSame([parsed.width, parsed.height], [800, 450])
  t.end()
})

t.test('numbers of a site over time are lines, and letters grow with the scale', (t) => {
  const question = { kind: 'WebTrendsQuery', metrics: ['visitors'] }
  const rows = [row('visitors', [1, 2]), row('visitors', [2, 1])]
  const large = draw(question, rows, 'Site', { ...SIZE, scale: 2 })
  t.equal(count(large.svg, /<g class="series"/), 2)
  t.match(large.svg, '>visitors</text>')
  t.strictSame([large.parsed.width, large.parsed.height], [1600, 900])
  t.match(large.svg, 'viewBox="0 0 800 450"')
  const before = (data: readonly number[]) => row('visitors', data, { compare_label: 'previous' })
  const compared = (data: readonly number[]) =>
    count(draw(question, [row('visitors', [1, 2]), before(data)]).svg, /<g class="series"/)
  t.strictSame([compared([1, 0]), compared([0, 0])], [2, 1], 'nothing before is no comparison')
  t.end()
})

t.test('a number that may still change is dotted, and an earlier range is paler', (t) => {
  const { svg } = draw(TREND, [
    row('e', [1, 2, 3], { incomplete_from: 2, compare_label: 'current' }),
    row('e', [3, 2, 1], { compare_label: 'previous' }),
  ])
  t.equal(count(svg, /stroke-dasharray="1 5"/), 1)
  t.equal(count(svg, /<g class="series" opacity="0.45"/), 1)
  t.match(svg, 'e · previous period')
  t.end()
})

t.test('a goal is a line, and the axis reaches it', (t) => {
  const trendsFilter = { goalLines: [{ label: 'Plan', value: 90 }] }
  const { svg } = draw({ ...TREND, trendsFilter }, [row('e', [1, 2, 3])])
  t.equal(count(svg, /stroke-dasharray="6 4"/), 1)
  t.match(svg, '>Plan</text>')
  t.match(svg, '>100</text>')
  t.end()
})

t.test('whatever a name holds, it is text', (t) => {
  const hostile = `</text><script>alert(1)</script>&amp;"'\u0000\ud800 ]]><!--`
  const { svg } = draw(
    { ...TREND, breakdownFilter: { breakdown: 'x' } },
    [row('e', [1], { breakdown_value: hostile }), row(hostile, [1])],
    hostile,
  )
  t.notMatch(svg, /<script|\u0000|\ud800(?![\udc00-\udfff])|<!--/)
  t.match(svg, '&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&quot;')
  t.end()
})

t.test('every kind of question has a drawing', (t) => {
  const step = (name: string, steps: number, more: JsonObject = {}) => ({
    ...{ name, custom_name: null, count: steps, average_conversion_time: null },
    ...{ open_entrants: 0, ...more },
  })
  const bars = draw({ ...TREND, trendsFilter: { display: 'ActionsBar' } }, [
    row('a', [1, 2, 0]),
    row('b', [3, 0, 1]),
  ])
  t.equal(count(bars.svg, /rx="2" fill/), 4 + 2, 'no bar of nothing, two samples of the legend')
  const number = draw({ ...TREND, trendsFilter: { display: 'BoldNumber' } }, [
    row('a', [], { aggregated_value: 1234567 }),
  ])
  t.match(number.svg, '>1,234,567</text>')
  const values = [
    row('a', [], { aggregated_value: 6 }),
    row('b', [], { aggregated_value: 2 }),
    row('c', [], { aggregated_value: 0 }),
  ]
  const ranked = draw({ ...TREND, trendsFilter: { display: 'ActionsBarValue' } }, values)
  t.equal(count(ranked.svg, /class="row"/), 3)
  const pie = draw({ ...TREND, trendsFilter: { display: 'ActionsPie' } }, values)
  t.equal(count(pie.svg, /class="slice"/), 2, 'nothing has no slice')
  t.match(pie.svg, '>75%</text>')
  const whole = draw({ ...TREND, trendsFilter: { display: 'ActionsPie' } }, values.slice(0, 1))
  t.equal(count(whole.svg, /class="slice"/), 1)
  const funnel = draw({ kind: 'FunnelsQuery' }, [step('a', 8), step('b', 2)])
  t.equal(count(funnel.svg, /class="bar"/), 2)
  t.match(funnel.svg, '>2 (25%)</text>')
  t.match(funnel.svg, '>6 dropped off (75%)</text>')
  const split = draw({ kind: 'FunnelsQuery' }, [
    [step('a', 8, { breakdown_value: ['x'] }), step('b', 2, { breakdown_value: ['x'] })],
    [step('a', 4, { breakdown_value: ['y'] }), step('b', 2, { breakdown_value: ['y'] })],
  ])
  t.equal(count(split.svg, /class="bar"/), 4)
  t.match(split.svg, '>y: 2 (50%)</text>')
  const group = (counts: readonly number[]) =>
    counts.map((each) => ({ count: each, complete: true }))
  const heat = draw({ kind: 'RetentionQuery' }, [
    { date: '2026-03-02', label: 'Day 0', values: group([4, 2]) },
    { date: '2026-03-03', label: 'Day 1', values: group([3]) },
  ])
  t.equal(count(heat.svg, /class="cell"/), 2 + 2 + 1, 'means, and both groups')
  const life = draw({ kind: 'LifecycleQuery' }, [
    row('', [2, 1, 1], { status: 'new' }),
    row('', [0, -2, -1], { status: 'dormant' }),
  ])
  t.match(life.svg, '>Dormant</text>')
  t.notMatch(life.svg, '>-2</text>', 'the axis has no sign')
  const sticky = draw({ kind: 'StickinessQuery' }, [{ label: 'a', data: [3, 1], days: [1, 2] }])
  t.match(sticky.svg, />1 day<.*>2 days</s)
  const paths = draw({ kind: 'PathsQuery' }, [
    { source: '1_/', target: '2_/a', value: 3, average_conversion_time: 1500 },
  ])
  t.equal(count(paths.svg, /class="row"/), 1)
  t.match(draw({ kind: 'EventsQuery' }, []).svg, 'No matching events')
  t.end()
})

t.test('a table and a grid say what they leave out', (t) => {
  const rows = Array.from({ length: 99 }, (_, at) => ({ at }))
  const { svg } = draw({ kind: 'EventsQuery' }, rows)
  const shown = count(svg, /class="row"/)
  t.match(svg, `and ${99 - shown} more rows`)
  const groups = Array.from({ length: 60 }, (_, at) => ({
    ...{ date: '2026-03-02', label: `Day ${at}` },
    values: Array.from({ length: 60 - at }, () => ({ count: 1, complete: true })),
  }))
  t.match(draw({ kind: 'RetentionQuery' }, groups).svg, /and \d+ more/)
  t.end()
})

t.test('nothing of the smallest picture is out of it', async (t) => {
  const rows = Array.from({ length: 40 }, (_, at) => row(`${'long name '.repeat(9)}${at}`, [at]))
  const size = { width: 320, height: 240 }
  const { parsed, svg } = draw(TREND, rows, 'A title that is too long '.repeat(9), size)
  const box = parsed.getBBox()
  t.ok(box !== undefined && box.width <= 320 && box.height <= 240)
  t.match(svg, /and 3\d more/)
  t.equal(cutTo('abc', 1_000, 12), 'abc')
  t.ok(widthOf(cutTo('a'.repeat(99), 100, 12), 12) <= 100)
  t.end()
})

t.test('colours are those of the console', (t) => {
  const css = readFileSync(join(packageRoot, 'gateway/console/styles/tokens.css'), 'utf8')
  const [light = '', dark = ''] = css.split('@media')
  for (const [theme, text] of [
    [THEMES.light, light],
    [THEMES.dark, dark],
  ] as const) {
    const { tones, lineStrong, text2, text3, ...others } = theme
    for (const [name, colour] of Object.entries(others)) t.match(text, `--${name}: ${colour};`)
    t.match(text, `--line-strong: ${lineStrong};`)
    t.match(text, `--text-2: ${text2};`)
    t.match(text, `--text-3: ${text3};`)
    for (const [at, tone] of tones.entries()) t.match(text, `--chart-${at + 1}: ${tone};`)
  }
  t.end()
})

t.test('PNG is drawn with letters, whatever fonts the machine has', async (t) => {
  const render = createPngRenderer()
  const { signal } = new AbortController()
  const of = async (title: string) =>
    await render(draw(TREND, [row('e', [1, 2])], title).svg, signal)
  const [named, other, foreign] = await Promise.all([of('WWW'), of('iii'), of('\u4e2d')])
  const bytes = Buffer.from(named)
  t.equal(bytes.toString('latin1', 0, 8), '\u0089PNG\r\n\x1a\n')
  t.strictSame([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [800, 450])
  t.notSame(named, other)
  t.same(foreign, await of('\u6587'), 'letters that the font lacks look alike')
  t.notSame(foreign, await of(' '), 'and are seen')
})

t.test('pictures wait for their turn, and those beyond the queue are refused', async (t) => {
  const render = createPngRenderer()
  const { svg } = draw(TREND, [row('e', [1, 2])])
  const aborted = AbortSignal.abort(new Error('left'))
  const asked = Array.from({ length: 100 }, () => render(svg, new AbortController().signal))
  const outcomes = await Promise.allSettled([...asked, render(svg, aborted)])
  const failed = outcomes.filter(({ status }) => status === 'rejected')
  t.equal(failed.length, 100 - 2 - 64 + 1)
  t.match(failed[0], { reason: { code: 'resource_exhausted' } })
})
