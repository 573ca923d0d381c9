import t from 'tap'
import type { Graph } from '../../../../scripts/house/graph.ts'
import { shownLines, withRooms } from '../../../../scripts/house/picture.ts'
import { ROOMS } from '../../../../scripts/house/rooms.ts'

const HOUSE: Graph = new Map(ROOMS.map(({ name, uses }) => [name, new Set(uses)]))
const LINES = new Map(ROOMS.map(({ name }, index) => [name, 100 + index]))
const EMPTY = '<!-- rooms: made by npm run gen -->\n<!-- end of rooms -->'

t.test('the diagram has the arrows that no longer way replaces, and a colour a room', (t) => {
  const text = withRooms(EMPTY, HOUSE, LINES)
  t.match(text, /^ {2}events --> conditions$/m, 'and not core, which conditions uses')
  t.match(text, /^ {2}class client,console,gateway gateway$/m)
  for (const { name } of ROOMS) {
    const classes = text.match(new RegExp(`^ {2}class (?:.*,)?${name}(?:,.*)? \\w+$`, 'gm')) ?? []
    t.equal(classes.length, 1, name)
  }
  t.end()
})

t.test('the rooms stand between their marks and is made anew there', (t) => {
  const first = withRooms(`before\n${EMPTY}\nafter`, HOUSE, LINES)
  t.match(first, /^before\n[\s\S]*\| `src\/core\/` \| [^|]+ \| {2}\| 100 \|\n[\s\S]*\nafter$/)
  t.equal(withRooms(first, HOUSE, LINES), first)
  t.throws(() => withRooms('no marks', HOUSE, LINES), /no "<!-- rooms/)
  t.end()
})

t.test('a size is kept while it is about right', (t) => {
  const document = withRooms(
    EMPTY,
    HOUSE,
    new Map([
      ['core', 2000],
      ['wire', 1000],
    ]),
  )
  const shown = (room: string, lines: number) =>
    shownLines(document, new Map([[room, lines]])).get(room)
  t.equal(shown('core', 2400), 2000)
  t.equal(shown('core', 1600), 2000)
  t.equal(shown('core', 2712), 2700)
  t.equal(shown('wire', 412), 410)
  t.end()
})
