import t from 'tap'
import type { GetStatusResponse__Output } from '../../../../proto/gen/sluice/v1/GetStatusResponse.ts'
import { drainNode } from '../../../../src/cli/operator/drain-node.ts'
import { AppError } from '../../../../src/core/code.ts'
import { memberLine, statusOf } from '../../../support/cluster/status.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const DONE = { member_id: 'w2', address: 'w2:8001', released: 2 }
const MEMBERS = [memberLine('w1'), memberLine('w2'), memberLine('g1', { role: 'gateway' })]

/** @param owners of the shards, one status after the other; the last one repeats. */
function setUp(
  answers: readonly (typeof DONE | Error | Promise<never>)[],
  owners: readonly (readonly string[])[] = [['w1', 'w1']],
) {
  const clock = createFakeClock()
  const shown: string[] = []
  const timeouts: number[] = []
  const abort = new AbortController()
  let asked = 0
  let looked = 0
  const run = (timeoutMs: number) =>
    drainNode(
      {
        clock,
        async drain(_node, callMs) {
          timeouts.push(callMs)
          const answer = await answers[Math.min(asked++, answers.length - 1)]
          if (answer instanceof Error || answer === undefined) throw answer
          return answer
        },
        async status(): Promise<GetStatusResponse__Output> {
          const now = owners[Math.min(looked++, owners.length - 1)] ?? []
          const shards = now.map((owner, shard) => {
            return { shard, epoch: 1, owner, released: owner === '' }
          })
          return statusOf({ members: MEMBERS, shards })
        },
        show: (line) => shown.push(line),
      },
      { node: 'w2:8001', timeoutMs },
      abort.signal,
    )
  return { clock, shown, timeouts, abort, run }
}

const late = new AppError('deadline_exceeded', 'It still holds 2 shards')

t.test('a refused drain ends at once', async (t) => {
  const refused = new AppError('failed_precondition', 'the last active worker')
  const { run, timeouts } = setUp([refused, DONE])
  await t.rejects(run(60_000), refused)
  t.equal(timeouts.length, 1)
})

t.test('a worker that keeps draining is asked again until the time is over', async (t) => {
  const { clock, run, shown, timeouts } = setUp([late])
  const failed = t.rejects(run(1_200), late)
  await clock.advance(2_000)
  await failed
  t.same(timeouts, [1_200, 700, 200, 1], 'a call ends with the time that is left')
  t.same(shown, ['draining w2:8001', 'It still holds 2 shards'], 'each line once')
})

t.test('an interrupt ends the wait for an answer, and the wait for owners', async (t) => {
  const silent = setUp([new Promise<never>(() => {})])
  const ended = t.rejects(silent.run(60_000), { message: 'over' })
  silent.abort.abort(new Error('over'))
  await ended
  const unowned = setUp([DONE], [['', 'w1']])
  const over = t.rejects(unowned.run(60_000), { message: 'over' })
  await unowned.clock.advance(600)
  unowned.abort.abort(new Error('over'))
  await over
})

t.test('shards without an owner are waited for, unknown ones too', async (t) => {
  const { clock, run, shown } = setUp([late, DONE], [[], ['w2', ''], ['w1', 'g1'], ['w1', 'w1']])
  const done = run(60_000)
  await clock.advance(10_000)
  t.same(await done, DONE)
  t.same(shown, [
    'draining w2:8001',
    'It still holds 2 shards',
    'w2:8001 holds no shards any more',
    'the owners of the shards are not known',
    '2 shards have no owner yet',
    '1 shards have no owner yet',
    'w2:8001 is drained: end it with SIGTERM',
  ])
})

t.test('shards that nobody takes are told when the time is over', async (t) => {
  const { clock, run } = setUp([DONE], [['w2', 'w1']])
  const failed = t.rejects(run(2_000), {
    code: 'deadline_exceeded',
    message: /w2:8001 is drained, but 1 shards have no owner yet/,
  })
  await clock.advance(3_000)
  await failed
})
