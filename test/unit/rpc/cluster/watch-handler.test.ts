import { EventEmitter } from 'node:events'
import { Metadata } from '@grpc/grpc-js'
import t from 'tap'
import type { ProjectNews as WireChange } from '../../../../proto/gen/sluice/v1/ProjectNews.ts'
import { createChangeFeed } from '../../../../src/core/change-feed.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createWatchProjects, type WatchCall } from '../../../../src/rpc/cluster/watch-handler.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

/** Owns nothing, and its caches are of one generation. */
const SHARDS = { held: () => new Map(), subscribe: () => () => undefined }
const GENERATION = { current: () => 'one', subscribe: () => () => undefined }

/** A call of which only what is written is kept. */
class Call extends EventEmitter {
  readonly metadata = new Metadata()
  readonly written: WireChange[] = []
  writableLength = 0
  isEnded = false
  write(change: WireChange) {
    this.written.push(change)
    return true
  }
  end() {
    this.isEnded = true
  }
}

function setUp() {
  const clock = createFakeClock()
  const hub = createChangeFeed(log)
  const deps = { self: 'w1', hub, shards: SHARDS, cacheGeneration: GENERATION, clock, log }
  const call = new Call()
  createWatchProjects({ ...deps, memberAuth: () => undefined })(call as unknown as WatchCall)
  return { call, clock, hub }
}

t.test('a change is on its way before it is answered', async (t) => {
  const { call, clock, hub } = setUp()
  t.match(call.written, [{ member_id: 'w1', cache_generation: 'one' }], 'who it is comes first')
  const before = clock.timers()
  hub.publish({ kind: 'revision', projectId: projectId(7), revision: revision(3) })
  t.match(call.written[1], { changed: [{ project_id: 7, revision: 3 }], keys_changed: false })
  hub.publish({ kind: 'keys' })
  t.match(call.written[2], { changed: [], keys_changed: true })
  t.equal(clock.timers(), before, 'nothing is left for later')
  t.equal(call.written.length, 3)
})

t.test('changes of others are theirs to publish', async (t) => {
  const { call, hub } = setUp()
  hub.publish({ kind: 'revision', projectId: projectId(7), revision: revision(3) }, 'peer')
  hub.publish({ kind: 'keys' }, 'peer')
  t.equal(call.written.length, 1)
})

t.test(
  'twice within the time after which silence is distrusted it says that it is there',
  async (t) => {
    const { call, clock } = setUp()
    await clock.advance(2_000)
    t.ok(call.written.length >= 3, `${call.written.length} messages`)
  },
)

t.test('a call that has ended is told nothing more, and leaves no timer', async (t) => {
  const { call, clock, hub } = setUp()
  call.emit('cancelled')
  hub.publish({ kind: 'keys' })
  await clock.advance(10_000)
  t.equal(call.written.length, 1)
  t.ok(call.isEnded)
  t.equal(clock.timers(), 0)
})

t.test('a watcher that takes nothing is left', async (t) => {
  const { call, hub } = setUp()
  call.writableLength = 10_001
  hub.publish({ kind: 'keys' })
  t.ok(call.isEnded)
})
