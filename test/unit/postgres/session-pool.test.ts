import t, { type Test } from 'tap'
import type { Answer, Work } from '../../../src/postgres/session.ts'
import { ConnectionLostError } from '../../../src/postgres/session.ts'
import {
  POOL_WAITING_MAX,
  type PooledSession,
  SessionPool,
} from '../../../src/postgres/session-pool.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

/** A connection whose statements are answered when the test says so. */
class FakeSession implements PooledSession {
  isReserved = false
  isSpent = false
  expiresAt = Number.POSITIVE_INFINITY
  hasAnswered = false
  isEnded = false
  /** Its server does not take leave of it. */
  isSilent = false
  lost: ConnectionLostError | undefined
  readonly answers: Answer<never>[] = []
  readonly #onSettled: (session: FakeSession) => void
  #destroyed = () => {}
  readonly #gone = new Promise<void>((resolve) => {
    this.#destroyed = resolve
  })

  constructor(onSettled: (session: FakeSession) => void) {
    this.#onSettled = onSettled
  }

  get waiting(): number {
    return this.answers.length
  }

  send<T>(_work: Work<T>, answer: Answer<T>): void {
    this.answers.push(answer as Answer<never>) // Nothing is ever answered but undefined.
  }

  answer(): void {
    this.hasAnswered = true
    const answer = this.answers.shift()
    this.#onSettled(this)
    answer?.resolve(undefined as never) // No statement of these tests has rows.
  }

  lose(): void {
    this.lost = new ConnectionLostError('08006', 'gone')
    for (const { reject } of this.answers.splice(0)) reject(this.lost)
    this.#onSettled(this)
  }

  async end(): Promise<void> {
    this.isEnded = true
    if (this.isSilent) await this.#gone
  }

  destroy(): void {
    this.lose()
    this.#destroyed()
  }
}

const work: Work<undefined> = { build: async () => undefined }
/** Until the promises that are settled have gone on. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function setUp(t: Test, sessionsMax: number) {
  const clock = createFakeClock()
  const sessions: FakeSession[] = []
  let refuses = false
  let opens = 0
  const pool = new SessionPool<FakeSession>({
    sessionsMax,
    clock,
    random: () => 0,
    open: async (onSettled) => {
      opens += 1
      if (refuses) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
      const session = new FakeSession(onSettled)
      sessions.push(session)
      return session
    },
  })
  const outcomes: string[] = []
  const run = (name: string) =>
    pool.run(work).then(
      () => outcomes.push(name),
      (error: Error) => outcomes.push(`${name}: ${error.message}`),
    )
  t.teardown(() => pool.end(0))
  return {
    clock,
    pool,
    sessions,
    outcomes,
    run,
    opens: () => opens,
    refuse: (value: boolean) => {
      refuses = value
    },
  }
}

t.test('an idle connection comes before a new one, and that before a busy one', async (t) => {
  const { sessions, run } = setUp(t, 2)
  void run('a')
  await settle()
  sessions[0]?.answer()
  await settle()
  void run('b')
  await settle()
  t.equal(sessions.length, 1, 'the idle one')
  void run('c')
  await settle()
  t.equal(sessions.length, 2, 'a new one')
  void run('d')
  void run('e')
  await settle()
  t.strictSame(
    sessions.map(({ waiting }) => waiting),
    [2, 2],
    'those that are busy, in turn',
  )
})

t.test('few statements wait on one connection, and the others on the pool', async (t) => {
  const { sessions, run, outcomes } = setUp(t, 1)
  for (let at = 0; at < 20; at++) void run(String(at))
  await settle()
  t.equal(sessions[0]?.waiting, 16)
  for (let at = 0; at < 20; at++) sessions[0]?.answer()
  await settle()
  t.strictSame(
    outcomes,
    Array.from({ length: 20 }, (_, at) => String(at)),
    'all, in their order',
  )
})

t.test('a transaction has its connection alone, behind what was sent before', async (t) => {
  const { pool, sessions, run, outcomes } = setUp(t, 1)
  void run('before')
  let finish = () => {}
  const reserved = pool.reserve(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  )
  void run('after')
  const second = pool.reserve(async () => {
    outcomes.push('second')
  })
  await settle()
  t.equal(sessions[0]?.waiting, 1)
  sessions[0]?.answer()
  await settle()
  t.equal(sessions[0]?.waiting, 0, 'the one after waits for the transaction')
  finish()
  await reserved
  t.equal(sessions[0]?.waiting, 1)
  sessions[0]?.answer()
  await second
  t.strictSame(outcomes.sort(), ['after', 'before', 'second'])
})

t.test('a lost connection is replaced when something waits', async (t) => {
  const { sessions, run, outcomes } = setUp(t, 1)
  void run('a')
  await settle()
  sessions[0]?.answer()
  void run('b')
  await settle()
  sessions[0]?.lose()
  await settle()
  t.strictSame(outcomes, ['a', 'b: gone'])
  t.equal(sessions.length, 1, 'nothing waits')
  void run('c')
  await settle()
  t.equal(sessions.length, 2)
  sessions[1]?.answer()
  await settle()
  t.strictSame(outcomes, ['a', 'b: gone', 'c'])
})

t.test('a wait for a server that refuses is reported, and pauses grow', async (t) => {
  const { clock, run, outcomes, refuse, opens, sessions } = setUp(t, 1)
  refuse(true)
  for (const name of ['a', 'b', 'c']) void run(name)
  await settle()
  t.strictSame(outcomes, ['a: refused', 'b: refused', 'c: refused'])
  const pauses: number[] = []
  for (let attempt = 0; attempt < 8; attempt++) {
    const before = { opens: opens(), at: clock.monotonic() }
    void run('again')
    while (opens() === before.opens) await clock.advance(5)
    await settle()
    pauses.push(clock.monotonic() - before.at)
  }
  t.strictSame(pauses, [50, 100, 200, 400, 500, 500, 500, 500])
  refuse(false)
  void run('back')
  await clock.advance(1_000)
  sessions[0]?.answer()
  await settle()
  t.equal(outcomes.at(-1), 'back')
})

t.test('a connection that cannot be opened leaves the others alone', async (t) => {
  const { clock, run, outcomes, refuse, sessions } = setUp(t, 2)
  void run('a')
  await settle()
  refuse(true)
  void run('b')
  await settle()
  t.strictSame(outcomes, ['b: refused'])
  void run('c')
  sessions[0]?.answer()
  await settle()
  t.strictSame(outcomes, ['b: refused', 'a'])
  sessions[0]?.answer()
  await settle()
  await clock.advance(1_000)
  t.strictSame(outcomes, ['b: refused', 'a', 'c'], 'on the connection that there is')
})

t.test('connections that end before an answer are opened ever more slowly', async (t) => {
  const { clock, run, sessions, outcomes } = setUp(t, 1)
  const pauses: number[] = []
  for (let attempt = 0; attempt < 4; attempt++) {
    const at = clock.monotonic()
    void run('a')
    while (sessions.length === attempt) await clock.advance(5)
    pauses.push(clock.monotonic() - at)
    sessions[attempt]?.lose()
    await settle()
  }
  t.strictSame(pauses, [0, 50, 100, 200])
  t.strictSame(outcomes, ['a: gone', 'a: gone', 'a: gone', 'a: gone'])
})

t.test('an old connection is replaced when nothing waits on it', async (t) => {
  const { clock, run, sessions } = setUp(t, 1)
  void run('a')
  await settle()
  await clock.advance(31 * 60_000)
  void run('b')
  await settle()
  sessions[0]?.answer()
  t.notOk(sessions[0]?.isEnded, 'another statement waits on it')
  sessions[0]?.answer()
  t.ok(sessions[0]?.isEnded)
  void run('c')
  await settle()
  t.equal(sessions.length, 2)
})

t.test('an old connection that is never idle takes no more, and is replaced', async (t) => {
  const { clock, run, sessions, outcomes } = setUp(t, 1)
  void run('a')
  await settle()
  await clock.advance(31 * 60_000)
  for (const name of ['b', 'c']) void run(name)
  sessions[0]?.answer()
  void run('d')
  sessions[0]?.answer()
  sessions[0]?.answer()
  t.ok(sessions[0]?.isEnded)
  await settle()
  sessions[1]?.answer()
  await settle()
  t.strictSame(outcomes, ['a', 'b', 'c', 'd'])
})

t.test('an old connection whose server does not take leave ends with the pool', async (t) => {
  const { clock, pool, run, sessions } = setUp(t, 1)
  void run('a')
  await settle()
  if (sessions[0] !== undefined) sessions[0].isSilent = true
  await clock.advance(31 * 60_000)
  sessions[0]?.answer()
  await settle()
  const end = pool.end(100)
  await clock.advance(100)
  await end
  t.ok(sessions[0]?.lost !== undefined)
})

t.test('no more than the bound wait for a connection', async (t) => {
  const { pool, run, sessions, outcomes } = setUp(t, 1)
  const reserved = pool.reserve(() => new Promise<void>(() => {}))
  await settle()
  for (let at = 0; at < POOL_WAITING_MAX; at++) void run('waits')
  t.strictSame(outcomes, [])
  void run('one too many')
  await settle()
  t.strictSame(outcomes, ['one too many: too many statements wait for the database'])
  t.equal(sessions.length, 1)
  await t.rejects(
    pool.reserve(async () => {}),
    { code: 'POOL_FULL' },
  )
  await pool.end(0)
  t.equal(outcomes.length, POOL_WAITING_MAX + 1)
  void reserved
})

t.test('a pool ends when all is answered', async (t) => {
  const { pool, run, sessions, outcomes } = setUp(t, 1)
  void run('a')
  await settle()
  const ends = [pool.end(), pool.end(60_000)]
  void run('late')
  await settle()
  t.strictSame(outcomes, ['late: the pool has ended'])
  sessions[0]?.answer()
  await Promise.all(ends)
  t.ok(sessions[0]?.isEnded)
  t.strictSame(outcomes, ['late: the pool has ended', 'a'])
})

t.test('a pool that is not answered ends at its limit', async (t) => {
  const { clock, pool, run, sessions, outcomes } = setUp(t, 1)
  for (let at = 0; at < 17; at++) void run(String(at))
  await settle()
  const end = pool.end(100)
  await clock.advance(100)
  await end
  t.ok(sessions[0]?.lost !== undefined)
  t.equal(outcomes.length, 17)
  t.strictSame(outcomes.sort().at(-1), '9: gone')
  t.ok(outcomes.includes('16: the pool is destroyed'), 'what was never sent')
})

t.test('a connection that opens after the end is not kept', async (t) => {
  const { pool, run, sessions, outcomes } = setUp(t, 1)
  void run('a')
  await pool.end(0)
  await settle()
  t.strictSame(outcomes, ['a: the pool is destroyed'])
  t.ok(sessions.every(({ lost }) => lost !== undefined))
})
