import t from 'tap'
import { createPasswordHasher } from '../../../src/access/password.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { sharedSite } from '../../support/sharing/shared-site.ts'
import { until } from '../../support/until.ts'

const QUERY = [{ tile: 0 }]
const GONE = { code: 'not_found' }
const THROTTLED = { code: 'resource_exhausted' }
const LOCKED = { code: 'unauthenticated' }
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** The system's clock, whose monotonic time a test moves. */
function movedClock() {
  let moved = 0
  return {
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + moved },
    move: (ms: number) => {
      moved += ms
    },
  }
}

function countIn(answer: { results: readonly [{ results: readonly [{ count: number }] }] }) {
  return answer.results[0].results[0].count
}

t.test('fifty who ask at once, and all within a minute, share one computation', async (t) => {
  const { clock, move } = movedClock()
  const site = await sharedSite(t, clock)
  const token = await site.share()
  await site.order(2)
  const asks = Array.from({ length: 50 }, () => site.open(token, { query: QUERY }))
  const answers = await Promise.all(asks)
  t.same(new Set(answers.map(countIn)), new Set([2]))
  t.equal(site.computed(), 1)
  await site.order(1)
  t.equal(countIn(await site.open(token, { query: QUERY })), 2, 'it is kept')
  t.equal(site.computed(), 1)
  move(MINUTE_MS)
  t.equal(countIn(await site.open(token, { query: QUERY })), 2, 'it is told while it is counted')
  await until('it is counted anew', async () => {
    return countIn(await site.open(token, { query: QUERY })) === 3
  })
  t.equal(site.computed(), 2)
  await site.order(1)
  move(2 * MINUTE_MS)
  t.equal(countIn(await site.open(token, { query: QUERY })), 4, 'two minutes later it is not')
})

t.test(
  'a revoked link opens for a second more at most, and where it was revoked not at all',
  async (t) => {
    const { clock, move } = movedClock()
    const site = await sharedSite(t, clock)
    const token = await site.share()
    await site.open(token, { query: QUERY })
    await site.sql`delete from shared_links`
    move(SECOND_MS)
    await t.rejects(site.open(token, { query: QUERY }), GONE)
    const other = await site.share()
    await site.open(other)
    await site.sql`update shared_links set enabled = false`
    site.forget()
    await t.rejects(site.open(other), GONE)
  },
)

t.test('tokens that open nothing have one answer, and end a network after a hundred', async (t) => {
  const { clock, move } = movedClock()
  const site = await sharedSite(t, clock)
  const [known, ended, off, fresh] = [
    await site.share(),
    await site.share(),
    await site.share(),
    await site.share(),
  ]
  await site.open(known)
  await site.sql`update shared_links set expires_at = now() where token_digest =
    sha256(${ended}::text::bytea)`
  await site.sql`update shared_links set enabled = false where token_digest =
    sha256(${off}::text::bytea)`
  const errorOf = async (token: string) => {
    const error: unknown = await site.open(token).catch((reason: unknown) => reason)
    return JSON.stringify(error)
  }
  const errors = await Promise.all([ended, off, 'guessed', ''].map(errorOf))
  t.equal(new Set(errors).size, 1, errors.join())
  for (let guess = 4; guess < 100; guess++) await t.rejects(site.open(`guess ${guess}`), GONE)
  await t.rejects(site.open('one more'), THROTTLED)
  await t.rejects(site.open(fresh), THROTTLED)
  await site.open(known)
  await site.open(fresh, { network: '192.0.2.2' })
  move(MINUTE_MS)
  await t.rejects(site.open('a minute later'), GONE)
})

t.test('a picture is as old as its answer, and drawn once of each', async (t) => {
  const { clock, move } = movedClock()
  const site = await sharedSite(t, clock)
  const token = await site.share()
  await site.order(2)
  const all = await Promise.all(Array.from({ length: 20 }, () => site.picture(token)))
  const [png = Buffer.alloc(0)] = all
  t.strictSame([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630])
  t.ok(all.every((each) => each.equals(png)))
  t.match(await site.card(token), { has_picture: true })
  t.strictSame([site.computed(), site.rendered()], [1, 1])
  await site.open(token, { query: QUERY })
  t.equal(site.computed(), 1, 'it is drawn of the answer that the page shows')
  await site.order(5)
  move(MINUTE_MS)
  t.ok((await site.picture(token)).equals(png), 'it is told as long as its answer')
  await until('it is drawn of the next answer', async () => {
    return !(await site.picture(token)).equals(png)
  })
  t.strictSame([site.computed(), site.rendered()], [2, 2])
})

t.test('a link that is revoked, locked or cannot be answered has no picture', async (t) => {
  const { clock, move } = movedClock()
  const site = await sharedSite(t, clock)
  const token = await site.share()
  await site.picture(token)
  const hash = await createPasswordHasher({ costLog2: 4 }).hash('correct horse')
  const locked = await site.share(hash)
  await t.rejects(site.picture(locked), GONE)
  t.match(await site.card(locked), { has_picture: false })
  t.equal(site.rendered(), 1)
  await site.sql`update insights set query = '{"kind": "EventsQuery", "select": ["*"]}'`
  const persons = await site.share()
  await t.rejects(site.picture(persons), GONE)
  await site.sql`update insights set query = '{"kind": "TrendsQuery", "series": []}'`
  const broken = await site.share()
  await t.rejects(site.picture(broken), GONE)
  await site.sql`delete from shared_links`
  move(SECOND_MS)
  await t.rejects(site.picture(token), GONE)
})

t.test('a hidden insight, a removed one and a removed project show nothing', async (t) => {
  const { clock, move } = movedClock()
  const site = await sharedSite(t, clock)
  const token = await site.share()
  const isGone = async (what: string) => {
    move(SECOND_MS)
    await t.rejects(site.open(token, { query: QUERY }), GONE, what)
  }
  await site.open(token, { query: QUERY })
  await site.sql`update insights set deleted = true`
  await isGone('hidden')
  await site.sql`update insights set deleted = false`
  await site.open(token, { query: QUERY })
  await site.sql`delete from insights`
  await isGone('removed')
  const [left] = await site.sql`select count(*)::integer as count from shared_links`
  t.same(left, { count: 0 })
})

t.test('an insight that shows persons by now is not answered', async (t) => {
  const { clock, move } = movedClock()
  const site = await sharedSite(t, clock)
  const token = await site.share()
  await site.sql`update insights set query = '{"kind": "EventsQuery", "select": ["*"]}'`
  t.match(await site.open(token), { tiles: [{ query: undefined, reason: /EventsQuery/ }] })
  t.match(await site.open(token, { query: QUERY }), {
    results: [{ error: { code: 'not_shared' } }],
  })
  await site.sql`update insights set query = '{"kind": "TrendsQuery", "series": []}'`
  move(2 * MINUTE_MS)
  const { results } = await site.open(token, { query: QUERY })
  t.match(results, [{ error: { detail: /no longer works/ } }])
})

t.test(
  'wrong passwords of a network are refused after five, and other networks enter',
  async (t) => {
    const { clock, move } = movedClock()
    const site = await sharedSite(t, clock)
    const cheap = createPasswordHasher({ costLog2: 4 })
    const token = await site.share(await cheap.hash('correct horse'))
    await t.rejects(site.open(token), LOCKED)
    const { pass } = await site.open(token, { password: 'correct horse' })
    for (let tries = 0; tries < 5; tries++) {
      await t.rejects(site.open(token, { password: 'wrong' }), LOCKED)
    }
    await t.rejects(site.open(token, { password: 'correct horse' }), THROTTLED)
    await site.open(token, { password: 'correct horse', network: '192.0.2.2' })
    t.match(
      await site.open(token, { pass, query: QUERY }),
      { results: [{}] },
      'a pass still enters',
    )
    const another = await site.share(await cheap.hash('correct horse'))
    await t.rejects(site.open(another, { pass }), LOCKED, 'it is of one link')
    await site.sql`update shared_links set password_hash = ${await cheap.hash('new horse')}`
    move(SECOND_MS)
    await t.rejects(site.open(token, { pass }), LOCKED, 'it ends with its password')
  },
)

t.test('a network that asks too often waits, and others do not', async (t) => {
  const { clock } = movedClock()
  const site = await sharedSite(t, { ...clock, monotonic: () => 0 })
  const token = await site.share()
  for (let ask = 0; ask < 600; ask++) await site.open(token)
  await t.rejects(site.open(token), THROTTLED)
  for (let ask = 0; ask < 400; ask++) await site.open(token, { network: `192.0.2.${ask % 200}x` })
  await t.rejects(site.open(token, { network: '192.0.2.9' }), THROTTLED, 'the link itself')
})
