import t from 'tap'
import { circlesOf, folderGraphs, type Graph } from '../../scripts/house/graph.ts'
import { tree } from './tree.ts'

/** At most one of two files needs the other, so that each can be read on what it builds on. */

// Protobuf's generated files name one another as their messages do.
const HELD = /^(?:src|gateway|cluster|bench|scripts)\//

const held = tree.sources.filter((path) => HELD.test(path))
const graph: Graph = new Map(
  held.map((path) => {
    const targets = tree.importsOf(path).map(({ target }) => target)
    return [path, new Set(targets.filter((target) => HELD.test(target)))]
  }),
)

t.test('no files go in a circle, by types neither', (t) => {
  t.strictSame(circlesOf(graph), [])
  t.end()
})

/** Folders whose parts look downward only, at every depth. */
const ROOMS = /^(?:src|gateway|cluster)(?:\/|$)/

t.test('no folders go in a circle', (t) => {
  const circles = [...folderGraphs(graph)]
    .filter(([folder]) => ROOMS.test(folder))
    .flatMap(([, parts]) => circlesOf(parts))
  t.strictSame(circles, [])
  t.end()
})
