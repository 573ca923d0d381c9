import t from 'tap'
import { createMemoryMemberStore } from '../../../../cluster/members/memory-member-store.ts'
import { encodeShards } from '../../../../cluster/shards/shard-bits.ts'
import { type LocalChanges, localChangeFeed } from '../../../../gateway/workers/change-feed.ts'
import { createGrpcChangeFeed } from '../../../../gateway/workers/grpc-change-feed.ts'
import type { ProjectNews__Output } from '../../../../proto/gen/sluice/v1/ProjectNews.ts'
import { createChangeFeed, type ProjectChange } from '../../../../src/core/change-feed.ts'
import { projectId, revision, shardId } from '../../../../src/core/ids.ts'
import { silentLog } from '../../../../src/core/log.ts'
import type { ChangeConfirmation } from '../../../../src/wire/project-watch.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { member } from '../../../support/workers/fake-workers.ts'

type Stream = {
  readonly address: string
  readonly token: string
  readonly signal: AbortSignal
  /** Revisions confirmed by the gateway, and the worker's answer to each. */
  readonly confirmed: ChangeConfirmation[]
  readonly answers: ((isTaken: boolean) => void)[]
  say(message?: Partial<ProjectNews__Output>): void
  end(): void
}

const QUIET: ProjectNews__Output = {
  changed: [],
  keys_changed: false,
  member_id: '',
  owned_shards: Buffer.alloc(0),
  cache_generation: '',
  told: 0,
}

async function setUp(ids: readonly string[], local?: LocalChanges) {
  const clock = createFakeClock()
  const store = createMemoryMemberStore(ids.map((id) => member(id)))
  const link = { connected: true }
  const streams: Stream[] = []
  const heard: ProjectChange[] = []
  const feed = createGrpcChangeFeed({
    self: 'g',
    members: { ...store, connected: () => link.connected },
    memberToken: () => 'token',
    clock,
    log: silentLog,
    ...(local === undefined ? {} : { local }),
    watch: (address, token, signal, onMessage) =>
      new Promise((resolve) => {
        let isFirst = true
        signal.addEventListener('abort', () => resolve(), { once: true })
        const confirmed: ChangeConfirmation[] = []
        const answers: ((isTaken: boolean) => void)[] = []
        const confirm = (confirmation: ChangeConfirmation) => {
          confirmed.push(confirmation)
          return new Promise<boolean>((answer) => answers.push(answer))
        }
        const say = (message: Partial<ProjectNews__Output> = {}) => {
          onMessage({ ...QUIET, ...message }, isFirst, confirm)
          isFirst = false
        }
        streams.push({ address, token, signal, confirmed, answers, say, end: resolve })
      }),
  })
  feed.subscribe((change) => heard.push(change))
  await clock.advance(0)
  const stream = (id: string): Stream => {
    const found = streams.findLast(({ address }) => address === `${id}:1`)
    if (found === undefined) throw new Error(`no stream to ${id}`)
    return found
  }
  return { clock, store, link, streams, heard, feed, stream }
}

t.test('without a worker nothing is fresh', async (t) => {
  const { feed, store, streams } = await setUp([])
  t.notOk(feed.fresh())
  await store.join(member('g', { role: 'gateway' }))
  t.equal(streams.length, 0, 'gateways have no feed')
  t.notOk(feed.fresh())
  t.equal(feed.silentMs('g'), Number.POSITIVE_INFINITY)
  await feed.close()
})

t.test('fresh only while every worker has spoken, each on a stream that is up', async (t) => {
  const { feed, clock, stream } = await setUp(['a', 'b'])
  stream('a').say()
  t.notOk(feed.fresh(), 'b has said nothing')
  stream('b').say()
  t.ok(feed.fresh())
  t.equal(stream('a').token, 'token')

  await clock.advance(1_900)
  stream('b').say()
  t.ok(feed.fresh())
  await clock.advance(100)
  t.notOk(feed.fresh(), 'a was silent for 2 s')
  t.equal(feed.silentMs('a'), 2_000)
  t.equal(feed.silentMs('b'), 100)
  stream('a').say()
  t.ok(feed.fresh())

  stream('b').end()
  await clock.advance(0)
  t.notOk(feed.fresh(), 'at once')
  await feed.close()
})

t.test('a stream that begins voids every key, and so does a worker that leaves', async (t) => {
  const { feed, clock, store, streams, heard, stream } = await setUp(['a', 'b'])
  stream('a').say()
  stream('b').say()
  stream('a').say({
    changed: [{ project_id: 3, revision: 9 }],
    keys_changed: true,
  })
  t.strictSame(heard, [
    { kind: 'keys' },
    { kind: 'keys' },
    { kind: 'keys' },
    { kind: 'revision', projectId: projectId(3), revision: revision(9) },
  ])
  stream('a').end()
  await clock.advance(250)
  t.equal(streams.length, 3, 'opened again')
  stream('a').say()
  t.equal(heard.length, 5)
  t.ok(feed.fresh())

  await store.leave('a')
  t.equal(heard.length, 6, 'its last words may be lost')
  t.ok(stream('a').signal.aborted)
  t.ok(feed.fresh(), 'b is the only one')
  stream('a').say({ keys_changed: true })
  t.equal(heard.length, 6, 'it is not listened to any more')
  t.equal(feed.silentMs('a'), Number.POSITIVE_INFINITY)
  await clock.advance(1_000)
  t.equal(streams.length, 3)
  await feed.close()
})

t.test('a worker that joins makes the feed stale until it has spoken', async (t) => {
  const { feed, clock, store, stream } = await setUp(['a'])
  stream('a').say()
  await store.join(member('b'))
  t.notOk(feed.fresh())
  await clock.advance(0)
  stream('b').say()
  t.ok(feed.fresh())
  await feed.close()
})

t.test('a view that is no longer told of newcomers is good for 2 s', async (t) => {
  const { feed, clock, link, stream } = await setUp(['a'])
  stream('a').say()
  t.ok(feed.fresh())
  link.connected = false
  await clock.advance(1_999)
  stream('a').say()
  t.ok(feed.fresh())
  await clock.advance(1)
  t.notOk(feed.fresh())
  link.connected = true
  t.ok(feed.fresh())
  await feed.close()
})

t.test('connection counts as seen with each word, though nobody asks for freshness', async (t) => {
  const { feed, clock, link, stream } = await setUp(['a'])
  await clock.advance(60_000)
  stream('a').say()
  link.connected = false
  await clock.advance(1_000)
  stream('a').say()
  t.ok(feed.fresh())
  await feed.close()
})

t.test('another incarnation behind the address is not taken for the member', async (t) => {
  const { feed, clock, heard, stream, streams } = await setUp(['a'])
  stream('a').say({ member_id: 'b', owned_shards: encodeShards([shardId(1)]) })
  t.ok(stream('a').signal.aborted)
  t.notOk(feed.fresh())
  t.strictSame(heard, [])
  t.equal(feed.ownerOf(shardId(1)), undefined)
  await clock.advance(250)
  t.equal(streams.length, 2)
  stream('a').say({ member_id: 'a' })
  t.ok(feed.fresh())
  await feed.close()
})

t.test('workers say what they own and which generation they are in', async (t) => {
  const { feed, clock, store, stream } = await setUp(['a', 'b'])
  stream('a').say({ owned_shards: encodeShards([shardId(1)]), cache_generation: 'a.0' })
  t.equal(feed.ownerOf(shardId(1)), 'a')
  t.equal(feed.cacheGeneration(), '')
  stream('b').say({ cache_generation: 'b.0' })
  const first = feed.cacheGeneration()
  t.not(first, '')
  stream('a').say()
  t.equal(feed.ownerOf(shardId(1)), 'a', 'an empty field says nothing')
  t.equal(feed.cacheGeneration(), first)
  feed.observeGeneration('b', 'b.1')
  const second = feed.cacheGeneration()
  t.not(second, first)
  stream('b').say({ cache_generation: 'b.0', owned_shards: encodeShards([shardId(1)]) })
  t.equal(feed.cacheGeneration(), second, 'sent before the answer, heard after it')
  t.equal(feed.ownerOf(shardId(1)), 'b')
  await store.leave('b')
  t.equal(feed.ownerOf(shardId(1)), 'a')
  t.notOk([first, second, ''].includes(feed.cacheGeneration()))
  stream('a').end()
  await clock.advance(0)
  t.equal(feed.cacheGeneration(), '', 'another may have begun that nobody told of')
  await feed.close()
})

t.test('closing ends every stream', async (t) => {
  const { feed, store, streams } = await setUp(['a', 'b'])
  await store.leave('b')
  await feed.close()
  t.ok(streams.every(({ signal }) => signal.aborted))
})

/** The own worker of a process, as a test plays it. */
function localWorker() {
  const hub = createChangeFeed(silentLog)
  const listeners: (() => void)[] = []
  const state = { generation: 'me.0', shards: [shardId(4)] }
  const local: LocalChanges = {
    memberId: 'me',
    hub,
    generation: {
      current: () => state.generation,
      subscribe: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    },
    shards: {
      held: () => new Map(state.shards.map((shard) => [shard, 1])),
      subscribe: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    },
  }
  const changed = () => {
    for (const listener of listeners) listener()
  }
  return { hub, state, local, changed }
}

t.test('the feed is confirmed once everybody here was told, one call at a time', async (t) => {
  const { feed, clock, stream, heard } = await setUp(['a'])
  const { confirmed, answers } = stream('a')
  const change = (to: number) => ({ changed: [{ project_id: 3, revision: to }], told: to })
  let heardBefore: ProjectChange | undefined
  stream('a').say()
  t.strictSame(confirmed, [], 'a worker of an older release counts nothing')
  feed.subscribe((change) => {
    heardBefore = confirmed.length === 0 ? change : undefined
  })
  stream('a').say(change(1))
  t.match(heardBefore, { kind: 'revision', revision: 1 })
  t.strictSame(confirmed, [{ to: 'a', member_id: 'g', told: 1 }])
  stream('a').say(change(2))
  stream('a').say(change(3))
  t.equal(confirmed.length, 1, 'while it is under way')
  answers[0]?.(true)
  await clock.advance(0)
  t.strictSame(confirmed[1], { to: 'a', member_id: 'g', told: 3 })
  answers[1]?.(false)
  await clock.advance(0)
  t.equal(confirmed.length, 2, 'what has failed waits for the next beat')
  stream('a').say({ told: 3 })
  t.equal(confirmed.length, 3)
  answers[2]?.(true)
  await clock.advance(0)
  stream('a').say({ told: 3 })
  t.equal(confirmed.length, 3, 'once is enough')
  t.equal(heard.length, 4)
  await feed.close()
})

t.test('the own worker needs no stream, beside others that do', async (t) => {
  const { hub, state, local, changed } = localWorker()
  const { feed, clock, store, streams, heard, stream } = await setUp(['me'], local)
  await clock.advance(60_000)
  t.equal(streams.length, 0)
  t.ok(feed.fresh())
  t.equal(feed.silentMs('me'), 0)
  t.equal(feed.ownerOf(shardId(4)), 'me')
  hub.publish({ kind: 'keys' })
  t.strictSame(heard, [{ kind: 'keys' }])
  const alone = feed.cacheGeneration()
  t.not(alone, '')
  state.generation = 'me.1'
  state.shards = []
  changed()
  t.not(feed.cacheGeneration(), alone)
  t.equal(feed.ownerOf(shardId(4)), undefined)

  await store.join(member('b'))
  t.notOk(feed.fresh())
  await clock.advance(0)
  stream('b').say({ owned_shards: encodeShards([shardId(4)]), cache_generation: 'b.0' })
  t.ok(feed.fresh())
  t.equal(feed.ownerOf(shardId(4)), 'b')
  await feed.close()
  hub.publish({ kind: 'keys' })
  t.equal(heard.length, 2, 'the stream’s first word was the last')
})

t.test('a process alone hears itself and nobody else', async (t) => {
  const { hub, local } = localWorker()
  const feed = localChangeFeed(local)
  const heard: ProjectChange[] = []
  const release = feed.subscribe((change) => heard.push(change))
  hub.publish({ kind: 'keys' })
  release()
  hub.publish({ kind: 'keys' })
  t.strictSame(heard, [{ kind: 'keys' }])
  t.ok(feed.fresh())
  feed.observeGeneration('me', 'me.7')
  t.equal(feed.cacheGeneration(), 'me.0')
  t.equal(feed.ownerOf(shardId(9)), 'me')
  t.equal(feed.silentMs('me'), 0)
  await feed.close()
})
