import t from 'tap'
import { circlesOf, folderGraphs, type Graph, reduced } from '../../../../scripts/house/graph.ts'

/** `a>b c, b>c` */
function graphOf(text: string): Graph {
  return new Map(
    text.split(', ').map((part) => {
      const [node = '', uses = ''] = part.split('>')
      return [node, new Set(uses.split(' ').filter((use) => use !== ''))]
    }),
  )
}

function textOf(graph: Graph): string {
  return [...graph].map(([node, uses]) => `${node}>${[...uses].join(' ')}`).join(', ')
}

t.test('circles are found whole and once', (t) => {
  const cases: readonly [string, readonly (readonly string[])[]][] = [
    ['a>b c, b>c, c>', []],
    ['a>b, b>a', [['a', 'b']]],
    ['a>a, b>', [['a']]],
    ['x>c, c>a, a>b, b>c', [['a', 'b', 'c']]],
    [
      'a>b, b>c a, c>d, d>c',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a>b d, b>c, c>a, d>b', [['a', 'b', 'c', 'd']]],
    ['a>gone', []],
  ]
  for (const [text, expected] of cases) t.strictSame(circlesOf(graphOf(text)), expected, text)
  t.end()
})

t.test('an arrow that a longer way stands for is left out', (t) => {
  t.equal(textOf(reduced(graphOf('a>b c d, b>c, c>d, d>'))), 'a>b, b>c, c>d, d>')
  t.equal(textOf(reduced(graphOf('a>b c, b>d, c>d, d>'))), 'a>b c, b>d, c>d, d>')
  t.equal(textOf(reduced(graphOf('a>a b, b>'))), 'a>b, b>', 'nor does one point at itself')
  t.end()
})

t.test('files that go in no circle may put their folders in one', (t) => {
  const files = graphOf('r/a/one>r/b/two r/port, r/b/three>r/a/four, r/b/two>r/b/in/five s/x')
  t.strictSame(circlesOf(files), [])
  const graphs = folderGraphs(files)
  t.strictSame(
    [...graphs].map(([folder, graph]) => `${folder}: ${textOf(graph)}`),
    ['r: r/a>r/b r/port, r/b>r/a', 'r/b: r/b/two>r/b/in', ': r>s'],
  )
  t.strictSame(circlesOf(graphs.get('r') ?? new Map()), [['r/a', 'r/b']])
  t.end()
})
