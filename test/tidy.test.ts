import t from 'tap'
import { sources } from './tidy/tree.ts'
import './tidy/asks-first.ts'
import './tidy/circles.ts'

import './tidy/documents.ts'
import './tidy/plain.ts'
import './tidy/rooms.ts'
import './tidy/sizes.ts'
import './tidy/spec.ts'
import './tidy/uses.ts'
import './tidy/words.ts'

/**
 * Checks of the source itself: what a review finds twice becomes a rule here. The rules stand in
 * `test/tidy/`, and read the tree once.
 */

t.test('the rules see the tree', (t) => {
  for (const folder of ['src/core', 'gateway/http', 'cluster/nats', 'test/unit', 'bench']) {
    t.ok(
      sources.some((source) => source.startsWith(`${folder}/`)),
      folder,
    )
  }
  t.end()
})
