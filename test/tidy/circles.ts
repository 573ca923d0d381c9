import t from 'tap'
import { circlesOf } from '../../scripts/house/graph.ts'
import { tree } from './tree.ts'

/** At most one of two files needs the other, so that each can be read on what it builds on. */

// Protobuf's generated files name one another as their messages do.
const HELD = /^(?:src|gateway|cluster|bench|scripts)\//

t.test('no files go in a circle, by types neither', (t) => {
  const held = tree.sources.filter((path) => HELD.test(path))
  const graph = new Map(
    held.map((path) => {
      const targets = tree.importsOf(path).map(({ target }) => target)
      return [path, new Set(targets.filter((target) => HELD.test(target)))]
    }),
  )
  t.strictSame(circlesOf(graph), [])
  t.end()
})
