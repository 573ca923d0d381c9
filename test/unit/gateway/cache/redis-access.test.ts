import t from 'tap'
import {
  createRedisAccess,
  REDIS_FAILURES_MAX,
  REDIS_PAUSE_MAX_MS,
  REDIS_PAUSE_MS,
  REDIS_PROBES_MAX,
  REDIS_RECONNECT_MAX_MS,
  REDIS_RECONNECT_MS,
  type RedisWait,
} from '../../../../gateway/cache/redis-access.ts'
import {
  REDIS_COMMAND_MS,
  REDIS_CONNECT_MS,
  REDIS_PENDING_BYTES_MAX,
} from '../../../../src/core/limits/limits.ts'
import { createLog } from '../../../../src/core/log.ts'
import { OUTAGES_TOLD_MS } from '../../../../src/core/logging/outages.ts'
import {
  createFakeRedisLink,
  type FakeCall,
  type FakeRedisLink,
  turns,
} from '../../../support/cache/fake-redis-link.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const INFO = (run: string, role = 'master') => `# Server\r\nrun_id:${run}\r\nrole:${role}\r\n`
const WAIT: RedisWait = { budgetMs: REDIS_COMMAND_MS, strict: false }

function setUp() {
  const clock = createFakeClock()
  const links: FakeRedisLink[] = []
  const said: string[] = []
  const troubles = { late: 0, failed: 0, refused: 0, skipped: 0, paused: 0 }
  const access = createRedisAccess({
    open() {
      const link = createFakeRedisLink()
      links.push(link)
      return link
    },
    clock,
    log: createLog({}, { write: (line) => said.push(line) }),
    random: () => 1,
    count: (trouble) => {
      troubles[trouble]++
    },
  })
  const link = () => links.at(-1) as FakeRedisLink
  const call = (): FakeCall => link().calls.at(-1) as FakeCall
  const advance = async (ms: number) => {
    await clock.advance(ms)
    await turns()
  }
  const rise = async (run = 'a') => {
    await link().becomeReady()
    await call().answer(INFO(run))
  }
  /** So many batches that nobody answers. */
  const hang = async (times: number) => {
    for (let time = 0; time < times; time++) {
      const late = access.exec([['HGET', 'k', 'g']], WAIT)
      await advance(REDIS_COMMAND_MS)
      await late
    }
  }
  return { access, clock, links, link, call, advance, rise, hang, said, troubles }
}

t.test('nothing is sent before the server has said which run it is', async (t) => {
  const { access, link, call, troubles } = setUp()
  t.equal(await access.exec([['GET', 'k']], WAIT), undefined)
  await link().becomeReady()
  t.equal(await access.exec([['GET', 'k']], WAIT), undefined)
  t.strictSame(call().commands, [['INFO']])
  t.equal(access.status(), 'down')
  await call().answer(INFO('a1'))
  t.equal(access.status(), 'up')
  t.equal(access.run(), 'a1')
  const asked = access.exec([['GET', 'k']], WAIT)
  await call().answer('v')
  t.strictSame(await asked, ['v'])
  t.equal(troubles.skipped, 2)
})

t.test('a server that must not be used is left, and tried again', async (t) => {
  const bad = ['', INFO('a', 'slave'), `loading:1\r\n${INFO('a')}`, 'role:master\r\n', 7]
  for (const info of bad) {
    const { access, link, links, call, advance } = setUp()
    const first = link()
    await first.becomeReady()
    await call().answer(info)
    t.equal(access.status(), 'down', String(info))
    t.ok(first.closed())
    await advance(REDIS_RECONNECT_MS)
    t.equal(links.length, 2)
  }
})

t.test('a refused log-in is said once and tried again for ever, ever more seldom', async (t) => {
  const { access, link, links, call, advance, said } = setUp()
  for (let attempt = 0; attempt < 8; attempt++) {
    await link().becomeReady()
    await call().refuse('NOAUTH Authentication required.')
    const pause = Math.min(REDIS_RECONNECT_MS * 2 ** attempt, REDIS_RECONNECT_MAX_MS)
    await advance(pause - 1)
    t.equal(links.length, attempt + 1)
    await advance(1)
    t.equal(links.length, attempt + 2)
  }
  t.equal(said.length, 1)
  t.match(said[0], /NOAUTH/)
  await link().becomeReady()
  await call().answer(INFO('a'))
  t.equal(access.status(), 'up')
  t.match(said[1], /serves again/)
})

t.test('a server that fails and serves in turns is said to, not that it is up', async (t) => {
  const { access, link, rise, advance, said } = setUp()
  await rise()
  for (let time = 0; time < 5; time++) {
    await link().end('reset')
    await advance(REDIS_RECONNECT_MS)
    await rise()
  }
  t.equal(access.status(), 'unsteady')
  t.equal(access.run(), 'a', 'it is used all the same')
  t.equal(said.length, 2, 'the first pair')
  await advance(OUTAGES_TOLD_MS)
  t.match(said[2], /"times":4/)
  await advance(OUTAGES_TOLD_MS)
  t.equal(access.status(), 'up')
  t.match(said[3], /serves again/)
})

t.test('a connection that does not come about in time is given up', async (t) => {
  const { link, links, advance } = setUp()
  const first = link()
  await advance(REDIS_CONNECT_MS)
  t.ok(first.closed())
  await advance(REDIS_RECONNECT_MS)
  t.equal(links.length, 2)
  const second = link()
  await second.becomeReady()
  await advance(REDIS_CONNECT_MS)
  t.ok(second.closed(), 'nor one on which INFO is not answered')
})

t.test('a late answer counts as none, and its being late is counted', async (t) => {
  const { access, call, advance, rise, troubles } = setUp()
  await rise()
  const asked = access.exec([['GET', 'k']], WAIT)
  await advance(REDIS_COMMAND_MS - 1)
  t.equal(troubles.late, 0)
  await advance(1)
  t.equal(await asked, undefined)
  await call().answer('late')
  t.equal(troubles.late, 1)
  t.equal(access.status(), 'up')
})

t.test(
  'an answer that came while the process was busy is in time, unless judged strictly',
  async (t) => {
    for (const strict of [false, true]) {
      const { access, clock, call, rise } = setUp()
      await rise()
      const asked = access.exec([['GET', 'k']], { budgetMs: REDIS_COMMAND_MS, strict })
      // The timer runs, and in the same turn of the loop the answer is read.
      await clock.advance(REDIS_COMMAND_MS)
      void call().answer('v')
      t.strictSame(await asked, strict ? undefined : ['v'])
    }
  },
)

t.test('after failures in a row nothing is sent until a probe is answered', async (t) => {
  const { access, link, call, advance, rise, hang, troubles } = setUp()
  await rise()
  await hang(REDIS_FAILURES_MAX - 1)
  t.equal(access.status(), 'up')
  const well = access.exec([['GET', 'k']], WAIT)
  await call().answer('v')
  await well
  await hang(REDIS_FAILURES_MAX - 1)
  t.equal(access.status(), 'up', 'an answer in between starts the count anew')
  await hang(1)
  t.equal(access.status(), 'down')
  t.equal(access.run(), '')
  t.equal(troubles.paused, 1)
  const sent = link().calls.length
  t.equal(await access.exec([['GET', 'k']], WAIT), undefined, 'at once')
  await advance(REDIS_PAUSE_MS - 1)
  t.equal(link().calls.length, sent)
  await advance(1)
  t.equal(link().calls.length, sent + 1, 'one probe')
  await call().answer(INFO('b'))
  t.equal(access.run(), 'b', 'it may be another run by now')
})

t.test('probes that fail come ever more seldom, and at last on a new connection', async (t) => {
  const { access, link, links, advance, rise, hang } = setUp()
  await rise()
  await hang(REDIS_FAILURES_MAX)
  const first = link()
  let sent = first.calls.length
  for (let probe = 0; probe < REDIS_PROBES_MAX; probe++) {
    const pause = Math.min(REDIS_PAUSE_MS * 2 ** probe, REDIS_PAUSE_MAX_MS)
    await advance(pause - 1)
    t.equal(first.calls.length, sent)
    await advance(1)
    t.equal(first.calls.length, ++sent)
    await advance(REDIS_COMMAND_MS)
  }
  t.ok(first.closed())
  await advance(REDIS_RECONNECT_MS)
  t.equal(links.length, 2)
  await rise('c')
  t.equal(access.run(), 'c')
})

t.test('a server that refuses for its state is paused at once', async (t) => {
  for (const reason of ["READONLY You can't write", 'LOADING', 'NOPERM', 'MISCONF', 'MOVED 1']) {
    const { access, call, rise, troubles } = setUp()
    await rise()
    const asked = access.exec([['DEL', 'k']], WAIT)
    await call().refuse(reason)
    t.equal(await asked, undefined)
    t.equal(access.status(), 'down', reason)
    t.equal(troubles.refused, 1)
  }
})

t.test('a server without memory is read on, however often it refuses', async (t) => {
  const { access, call, rise, troubles } = setUp()
  await rise()
  for (let time = 0; time < 2 * REDIS_FAILURES_MAX; time++) {
    const asked = access.exec([['HSET', 'k', 'f', 'v']], WAIT)
    await call().refuse("OOM command not allowed when used memory > 'maxmemory'.")
    t.equal(await asked, undefined)
  }
  t.equal(access.status(), 'up')
  t.equal(troubles.refused, 2 * REDIS_FAILURES_MAX)
})

t.test('the queue for a server that hangs is bounded in bytes', async (t) => {
  const { access, link, rise, troubles } = setUp()
  await rise()
  const before = link().calls.length
  const text = 'x'.repeat(REDIS_PENDING_BYTES_MAX / 4)
  const asked = Array.from({ length: 5 }, () => access.exec([['HSET', 'k', 'f', text]], WAIT))
  t.equal(link().calls.length - before, 3, 'four need more than there is, with their overhead')
  t.equal(troubles.skipped, 2)
  for (const call of link().calls.slice(before)) await call.answer(1)
  await Promise.all(asked)
  void access.exec([['HSET', 'k', 'f', text]], WAIT)
  t.equal(link().calls.length - before, 4, 'answered ones make room')
})

t.test('a lost connection fails what waits, and another is made', async (t) => {
  const { access, link, links, advance, rise, said } = setUp()
  await rise()
  const asked = access.exec([['GET', 'k']], WAIT)
  await link().end('ECONNRESET')
  t.equal(await asked, undefined)
  t.equal(access.run(), '')
  await advance(REDIS_RECONNECT_MS)
  t.equal(links.length, 2)
  t.match(said[0], /ECONNRESET/)
})

t.test('once closed it does nothing more', async (t) => {
  const states: ((set: ReturnType<typeof setUp>) => Promise<void>)[] = [
    async () => undefined,
    ({ link }) => link().end('gone'),
    ({ rise }) => rise(),
    async ({ rise, hang }) => {
      await rise()
      await hang(REDIS_FAILURES_MAX)
    },
  ]
  for (const enter of states) {
    const set = setUp()
    await enter(set)
    const last = set.link()
    await set.access.close()
    t.ok(last.closed())
    await set.advance(60_000)
    t.equal(set.link(), last)
    t.equal(set.access.status(), 'down')
    t.equal(await set.access.exec([['GET', 'k']], WAIT), undefined)
    t.equal(set.clock.timers(), 0)
  }
})
