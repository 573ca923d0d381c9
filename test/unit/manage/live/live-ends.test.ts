import t from 'tap'
import { createChangeFeed } from '../../../../src/core/change-feed.ts'
import { AppError } from '../../../../src/core/code.ts'
import { projectId, revision } from '../../../../src/core/ids.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { followEnds, LIVE_STREAM_MS } from '../../../../src/manage/live/live-ends.ts'
import { LIVE_RIGHTS_MS } from '../../../../src/manage/live/live-rights.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const OURS = projectId(1)

/** A stream whose caller loses its rights when `fails` is set. */
function setUp(expiresInMs?: number) {
  const clock = createFakeClock()
  const feed = createChangeFeed(silentLog)
  const told: unknown[] = []
  const caller = { checks: 0, fails: undefined as Error | undefined }
  const check = async () => {
    caller.checks += 1
    if (caller.fails !== undefined) throw caller.fails
  }
  const expiresAt =
    expiresInMs === undefined ? null : new Date(clock.now() + expiresInMs).toISOString()
  const queue = {
    tell: ({ revision: changed }: { readonly revision: number }) => told.push(changed),
    bye: (reason: string) => told.push(reason),
  }
  const stop = followEnds({ feed, clock }, { projectId: OURS, expiresAt, check }, queue)
  return { clock, feed, told, caller, stop }
}

t.test('a stream is renewed after its time', async (t) => {
  const { clock, told, caller, stop } = setUp()
  await clock.advance(LIVE_STREAM_MS - 1)
  t.strictSame(told, [])
  await clock.advance(1)
  t.strictSame(told, ['renew'])
  t.equal(caller.checks, 0, 'while nothing changes nothing is asked')
  stop()
  t.equal(clock.timers(), 0)
})

t.test('rights are checked when keys or the project change, not for others', async (t) => {
  const { clock, feed, told, caller, stop } = setUp()
  feed.publish({ kind: 'revision', projectId: projectId(2), revision: revision(8) })
  t.equal(caller.checks, 0)
  feed.publish({ kind: 'revision', projectId: OURS, revision: revision(9) })
  feed.publish({ kind: 'keys' })
  await clock.advance(LIVE_RIGHTS_MS - 1)
  t.equal(caller.checks, 1, 'one in so long a time')
  caller.fails = new AppError('unavailable', 'nobody can say')
  await clock.advance(1)
  t.equal(caller.checks, 2)
  t.strictSame(told, [9])
  caller.fails = new AppError('unauthenticated', 'the key is gone')
  await clock.advance(LIVE_RIGHTS_MS)
  t.equal(caller.checks, 3, 'asked again by itself')
  t.strictSame(told, [9, 'revoked'])
  stop()
  feed.publish({ kind: 'keys' })
  await clock.advance(LIVE_STREAM_MS)
  t.equal(caller.checks, 3)
  t.strictSame(told, [9, 'revoked'])
  t.equal(clock.timers(), 0)
})

t.test('the stream of a key that expires ends then', async (t) => {
  const { clock, told, caller, stop } = setUp(5_000)
  caller.fails = new AppError('unauthenticated', 'expired')
  await clock.advance(5_000)
  t.strictSame(told, [])
  await clock.advance(1)
  t.strictSame(told, ['revoked'])
  stop()
  t.equal(clock.timers(), 0)
})
