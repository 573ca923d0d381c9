import t from 'tap'
import {
  type ChangeOrigin,
  createChangeFeed,
  type ProjectChange,
} from '../../../../src/core/change-feed.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'
import { REVISION_NEWS_STALE_MS } from '../../../../src/core/limits/limits.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import {
  createPeerChanges,
  NEWS_RECONNECT_MS,
  type PeerChangesDeps,
} from '../../../../src/rpc/cluster/peer-changes.ts'
import type { ProjectNewsMessage } from '../../../../src/wire/project-watch.ts'
import { createTestMembers, memberOf } from '../../../support/cluster/members.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const QUIET: ProjectNewsMessage = {
  changed: [],
  keys_changed: false,
  member_id: '',
  owned_shards: Buffer.alloc(0),
  cache_generation: '',
  told: 0,
}

/** One open stream, as the other worker has it. */
type FakeStream = {
  say(message?: Partial<ProjectNewsMessage>): void
  end(): void
  readonly signal: AbortSignal
}

function createFakeStreams() {
  const streams = new Map<string, FakeStream>()
  let opened = 0
  const watch: PeerChangesDeps['watch'] = (address, signal, onMessage) =>
    new Promise((resolve, reject) => {
      opened++
      let isFirst = true
      const end = () => {
        if (streams.get(address) === stream) streams.delete(address)
        resolve()
      }
      const stream: FakeStream = {
        signal,
        end,
        say(message = {}) {
          if (signal.aborted) return
          try {
            onMessage({ ...QUIET, ...message }, isFirst)
            isFirst = false
          } catch (error) {
            reject(error)
          }
        },
      }
      streams.set(address, stream)
      signal.addEventListener('abort', end, { once: true })
    })
  const of = (id: string): FakeStream => {
    const stream = streams.get(`${id}:8001`)
    if (stream === undefined) throw new Error(`no stream from ${id}`)
    return stream
  }
  return { watch, of, has: (id: string) => streams.has(`${id}:8001`), opened: () => opened }
}

function setUp(ids: readonly string[] = ['w1', 'w2', 'w3']) {
  const clock = createFakeClock()
  const members = createTestMembers(ids)
  const hub = createChangeFeed(log)
  const told: (readonly [ProjectChange, ChangeOrigin])[] = []
  hub.subscribe((change, origin) => told.push([change, origin]))
  const streams = createFakeStreams()
  const { watch } = streams
  const feed = createPeerChanges({ self: 'w1', members, watch, hub, clock, log })
  const hello = (id: string) => streams.of(id).say({ member_id: id })
  const again = () => clock.advance(2 * NEWS_RECONNECT_MS)
  t.teardown(() => feed.close())
  return { clock, members, told, streams, feed, hello, again }
}

t.test('a worker alone has nobody to hear, as long as it would see another come', async (t) => {
  const { feed, members } = setUp(['w1'])
  t.equal(feed.fresh(), true)
  members.state.connected = false
  t.equal(feed.fresh(), false)
})

t.test('gateways have no feed', async (t) => {
  const { feed, members, streams } = setUp(['w1'])
  await members.join(memberOf('g1', { role: 'gateway' }))
  t.equal(feed.fresh(), true)
  t.equal(streams.opened(), 0)
})

t.test('the feed is fresh once every other worker speaks, and while none is silent', async (t) => {
  const { feed, clock, hello, streams, members } = setUp()
  t.equal(feed.fresh(), false)
  hello('w2')
  t.equal(feed.fresh(), false)
  hello('w3')
  t.equal(feed.fresh(), true)
  await clock.advance(REVISION_NEWS_STALE_MS - 1)
  streams.of('w2').say()
  t.equal(feed.fresh(), true)
  await clock.advance(1)
  t.equal(feed.fresh(), false, 'w3 is silent')
  streams.of('w3').say()
  t.equal(feed.fresh(), true)
  members.state.connected = false
  t.equal(feed.fresh(), false, 'others may have come')
})

t.test('a stream that ends is missed at once, and opened again', async (t) => {
  const { feed, hello, streams, again } = setUp()
  hello('w2')
  hello('w3')
  const before = feed.interruptions()
  streams.of('w3').end()
  await again()
  t.equal(feed.fresh(), false)
  const between = feed.interruptions()
  t.ok(between > before)
  hello('w3')
  t.equal(feed.fresh(), true)
  t.ok(feed.interruptions() > between, 'what it did meanwhile is unknown')
})

t.test('another incarnation at the address does not speak for the one of the view', async (t) => {
  const { feed, hello, streams, members, again } = setUp(['w1', 'w2'])
  streams.of('w2').say({ member_id: 'w9' })
  streams.of('w2').say()
  t.equal(feed.fresh(), false)
  await members.join(memberOf('w9', { address: 'w2:8001' }))
  await members.leave('w2')
  await again()
  streams.of('w2').say({ member_id: 'w9' })
  t.equal(feed.fresh(), true)
  t.throws(() => hello('w9'))
})

t.test('a worker that comes is not passed over, one that leaves is not waited for', async (t) => {
  const { feed, hello, members, streams, again } = setUp()
  hello('w2')
  hello('w3')
  await members.join(memberOf('w4'))
  t.equal(feed.fresh(), false)
  hello('w4')
  t.equal(feed.fresh(), true)
  streams.of('w4').end()
  await again()
  t.equal(feed.fresh(), false)
  const before = feed.interruptions()
  await members.leave('w4')
  t.equal(feed.fresh(), true)
  t.ok(feed.interruptions() > before, 'what it did last is unknown')
  t.notOk(streams.has('w4'))
})

t.test('a worker that has left the view is heard to its end', async (t) => {
  const { feed, hello, members, streams, told, again } = setUp()
  hello('w2')
  hello('w3')
  await members.leave('w3')
  told.length = 0
  streams.of('w3').say({ changed: [{ project_id: 5, revision: 8 }] })
  t.same(told, [[{ kind: 'revision', projectId: projectId(5), revision: revision(8) }, 'peer']])
  const before = feed.interruptions()
  streams.of('w3').end()
  await again()
  t.ok(feed.interruptions() > before)
  t.notOk(streams.has('w3'), 'and not asked again')
  t.equal(feed.fresh(), true)
})

t.test('heard facts are published within the process only', async (t) => {
  const { hello, streams, told } = setUp(['w1', 'w2'])
  hello('w2')
  t.same(told, [[{ kind: 'keys' }, 'peer']], 'keys may have changed before')
  streams.of('w2').say({ keys_changed: true, changed: [{ project_id: 1, revision: 2 }] })
  t.same(told.slice(1), [
    [{ kind: 'keys' }, 'peer'],
    [{ kind: 'revision', projectId: 1, revision: 2 }, 'peer'],
  ])
})

t.test('a message that cannot be read ends the stream, which begins anew', async (t) => {
  const { feed, hello, streams, again } = setUp(['w1', 'w2'])
  hello('w2')
  streams.of('w2').say({ changed: [{ project_id: -1, revision: 2 }] })
  await again()
  t.equal(feed.fresh(), false)
  t.equal(streams.opened(), 2)
})

t.test('closing ends every stream, those of workers that have left too', async (t) => {
  const { feed, hello, members, streams, clock } = setUp()
  hello('w2')
  hello('w3')
  await members.leave('w3')
  const { signal } = streams.of('w3')
  await feed.close()
  t.equal(signal.aborted, true)
  t.notOk(streams.has('w2') || streams.has('w3'))
  t.equal(clock.timers(), 0)
})
