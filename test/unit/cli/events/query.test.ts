import t, { type Test } from 'tap'
import { answerLines } from '../../../../src/cli/events/answer-lines.ts'
import { linesOf, questionIn } from '../../../../src/cli/events/query.ts'
import { spanText, spark, tableLines } from '../../../../src/cli/events/text-chart.ts'
import type { JsonObject } from '../../../../src/core/json.ts'

const WIDTH = 60

function shown(t: Test, answer: JsonObject, lines: readonly string[]): void {
  const found = answerLines(answer, WIDTH)
  t.strictSame(found, lines)
  t.notOk(found.find((line) => [...line].length > WIDTH))
}

t.test('a question is the file, or its query', async (t) => {
  const question = { kind: 'TrendsQuery', query: 'a member of it' }
  t.strictSame(questionIn(JSON.stringify(question), 'a.json'), question)
  t.strictSame(questionIn(JSON.stringify({ query: [question] }), 'a.json'), [question])
  for (const text of ['', '{', '1', 'null', '{}', '{"query": 1}', '{"query": null}']) {
    t.throws(() => questionIn(text, 'a.json'), { name: 'UsageError', message: /^a\.json / }, text)
  }
})

t.test('one series is bars, several are lines', async (t) => {
  const labels = ['1-May-2026', '2-May-2026', '3-May-2026']
  const row = { label: 'Views', labels, data: [2, 8.125, 0], count: 10.125 }
  shown(t, { results: [row] }, [
    'Views',
    '1-May-2026     2  ███████▍',
    '2-May-2026  8.13  ██████████████████████████████',
    '3-May-2026     0',
  ])
  const chrome = { ...row, breakdown_value: 'Chr\u001b[2Jome' }
  shown(t, { results: [chrome, { ...row, data: [4, 4, -8], count: 0 }], hasMore: true }, [
    '                   1-May-2026 to 3-May-2026  Last    Sum',
    'Views, Chr·[2Jome  ▃█▁                          0  10.13',
    'Views              ▄▄█                         -8      0',
    'There is more.',
  ])
  shown(t, { results: [{ ...row, aggregated_value: 4 }] }, [`Views  4  ${'█'.repeat(30)}`])
})

t.test('funnels: steps, values, times', async (t) => {
  const step = (name: string, count: number, median: number | null) => ({
    ...{ name, custom_name: null, count, order: 0, median_conversion_time: median },
  })
  const steps = [step('view', 200, null), step('paid', 50, 5_400)]
  shown(t, { results: steps }, [
    `1. view  200  100 %               ${'█'.repeat(20)}`,
    '2. paid   50   25 %  after 1.5 h  █████',
  ])
  const byValue = [steps.map((each) => ({ ...each, breakdown_value: 'x'.repeat(100) }))]
  t.equal(answerLines({ results: byValue }, 20)[0], `${'x'.repeat(19)}…`)
  shown(
    t,
    {
      results: {
        bins: [
          [30, 1],
          [90, 2],
        ],
        average_conversion_time: 45,
      },
    },
    ['On average 45 s', `from 30 s     1  ${'█'.repeat(15)}`, `from 1.5 min  2  ${'█'.repeat(30)}`],
  )
})

t.test('retention and paths as text', async (t) => {
  const values = [4, 1].map((count) => ({ count, complete: true }))
  shown(
    t,
    {
      results: [
        { date: '2026-05-01T00:00:00+02:00', label: 'Day 0', values },
        { date: '2026-05-02T00:00:00+02:00', label: 'Day 1', values: values.slice(1) },
      ],
    },
    ['From              Size    +1', '2026-05-01T00:00     4  25 %', '2026-05-02T00:00     1'],
  )
  const edge = { source: '1_/', target: '2_/a', value: 2, average_conversion_time: 1_500 }
  shown(t, { results: [edge] }, [
    'From  To    Times  After',
    `1_/   2_/a      2  1.5 s  ${'█'.repeat(12)}`,
  ])
})

t.test('tables, nothing, and a list of answers', async (t) => {
  shown(
    t,
    {
      columns: ['event', 'count()'],
      results: [
        ['paid', 2],
        ['\u0007', null],
      ],
    },
    ['event  count()', 'paid   2', '·      null'],
  )
  shown(t, { results: [] }, ['Nothing.'])
  const error = { attr: 'query.1.kind', detail: 'Unknown\u0007 kind' }
  const asked = [{ kind: 'EventsQuery' }, { kind: 'Cake' }]
  const answer = { results: [{ results: [] }, { error }] }
  t.equal(
    linesOf(asked, answer, WIDTH),
    '0. EventsQuery\nNothing.\n\n1. Cake\nquery.1.kind: Unknown· kind',
  )
})

t.test('a terminal whose size nobody has set is as wide as most are', async (t) => {
  const answer = { columns: ['event'], results: [['x'.repeat(60)]] }
  for (const columns of [undefined, 0]) {
    t.match(linesOf({ kind: 'EventsQuery' }, answer, columns), /x{60}/)
  }
})

t.test('lines wider than the terminal are cut', async (t) => {
  const [line = ''] = tableLines([], [['a'.repeat(50), 'b'.repeat(50), '1']], 40)
  t.equal([...line].length <= 40, true)
  t.match(line, /^a+… {2}b+… {2} *1$/)
  t.equal(tableLines([], [Array.from({ length: 100 }, () => 'abcdefgh')], 40)[0]?.length, 38)
  t.equal(spark([1, 2, 3, 4], 4, 2), '▅█')
  t.strictSame([0, 59, 60, 86_400].map(spanText), ['0 s', '59 s', '1 min', '1 d'])
})
