import t from 'tap'
import { floorsOf, type Graph, reduced } from '../../../../scripts/house/graph.ts'
import { crossings, layersOf } from '../../../../scripts/house/layers.ts'
import { placesOf } from '../../../../scripts/house/places.ts'
import { ROOMS } from '../../../../scripts/house/rooms.ts'
import { roomsSvg } from '../../../../scripts/house/rooms-svg.ts'
import { shownLines, withRooms } from '../../../../scripts/house/rooms-text.ts'

const HOUSE: Graph = new Map(ROOMS.map(({ name, uses }) => [name, new Set(uses)]))
const LINES = new Map(ROOMS.map(({ name }, index) => [name, 100 + index]))
const SIZES = { node: 200, pass: 10, gap: 20 }

t.test('a floor a row: arrows lead from one to the next, long ones through places', (t) => {
  const { floors, steps } = layersOf(HOUSE, reduced(HOUSE))
  const rowOf = new Map(floors.flatMap((floor, row) => floor.map(({ id }) => [id, row] as const)))
  for (const { from, to } of steps)
    t.equal(rowOf.get(to), (rowOf.get(from) ?? 0) + 1, `${from} to ${to}`)
  const height = Math.max(...floorsOf(HOUSE).values())
  for (const [room, floor] of floorsOf(HOUSE)) t.equal(rowOf.get(room), height - floor, room)
  t.end()
})

t.test('arrows that need not cross do not', (t) => {
  const graph: Graph = new Map([
    ['a', new Set(['d'])],
    ['b', new Set(['c'])],
    ['c', new Set<string>()],
    ['d', new Set<string>()],
  ])
  t.equal(crossings(layersOf(graph, graph)), 0)
  const bare = layersOf(graph, new Map())
  t.equal(crossings({ floors: bare.floors, steps: layersOf(graph, graph).steps }), 1, 'they would')
  t.end()
})

t.test('places keep their gap, and the picture holds them all', (t) => {
  const layers = layersOf(HOUSE, reduced(HOUSE))
  const { middles, width } = placesOf(layers, SIZES)
  for (const floor of layers.floors) {
    let end = -SIZES.gap
    for (const { id, kind } of floor) {
      const middle = middles.get(id) ?? Number.NaN
      // Middles are rounded.
      t.ok(middle - SIZES[kind] / 2 >= end + SIZES.gap - 1, `${id} is clear of what is before it`)
      end = middle + SIZES[kind] / 2
    }
    t.ok(end <= width + 1, 'the row ends within')
  }
  t.end()
})

t.test('the picture shows each room once, and is the same each time', (t) => {
  const svg = roomsSvg(HOUSE, LINES)
  for (const { name } of ROOMS) t.equal(svg.split(`>${name}</text>`).length, 2, name)
  t.equal(svg.split('marker-end').length - 1, arrowsIn(reduced(HOUSE)))
  t.equal(roomsSvg(HOUSE, LINES), svg)
  t.end()
})

/** Arrow heads: those of long arrows to one room run together where they pass the last floor. */
function arrowsIn(graph: Graph): number {
  return layersOf(HOUSE, graph).steps.filter(({ to }) => HOUSE.has(to)).length
}

t.test('the table stands between its marks and is made anew there', (t) => {
  const empty = 'before\n<!-- rooms: made by npm run gen -->\n<!-- end of rooms -->\nafter'
  const first = withRooms(empty, LINES)
  t.match(first, /^before\n[\s\S]*\| `src\/core\/` \| [^|]+ \| {2}\| 100 \|\n[\s\S]*\nafter$/)
  t.equal(withRooms(first, LINES), first)
  t.throws(() => withRooms('no marks', LINES), /no "<!-- rooms/)
  t.end()
})

t.test('a size is kept while it is about right', (t) => {
  const document = withRooms(
    '<!-- rooms: made by npm run gen --><!-- end of rooms -->',
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
