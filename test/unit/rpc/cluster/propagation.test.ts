import t from 'tap'
import { createChangeFeed } from '../../../../src/core/change-feed.ts'
import { epoch, projectId, revision } from '../../../../src/core/ids.ts'
import { silentLog as log } from '../../../../src/core/log.ts'
import { createPropagation } from '../../../../src/rpc/cluster/propagation.ts'
import { createTestMembers, memberOf } from '../../../support/cluster/members.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const PROJECT = projectId(7)
const NO_WAIT = { waitMs: 0, signal: new AbortController().signal }

/** The worker w, and gateways of the view. */
async function setUp(gateways: readonly string[]) {
  const clock = createFakeClock()
  const hub = createChangeFeed(log)
  const members = createTestMembers(['w'])
  for (const id of gateways) await members.join(memberOf(id, { role: 'gateway' }))
  const shards = { hold: async () => epoch(1n) }
  const propagation = createPropagation({ self: 'w', members, hub, shards, clock })
  const change = (to: number, project = PROJECT) =>
    hub.publish({ kind: 'revision', projectId: project, revision: revision(to) })
  return { clock, hub, members, propagation, change }
}

t.test('a change is everywhere once every gateway has confirmed it or a later one', async (t) => {
  const { clock, hub, propagation, change } = await setUp(['g1', 'g2'])
  t.equal(propagation.of(PROJECT, undefined), undefined, 'no change is known')
  change(3)
  const first = hub.told()
  await clock.advance(5)
  propagation.confirm('g1', first)
  t.strictSame(propagation.of(PROJECT, undefined), {
    ...{ revision: revision(3), gateways: 2, confirmed: 1, elapsedMs: undefined },
  })
  change(4)
  await clock.advance(2)
  propagation.confirm('g2', hub.told())
  t.match(propagation.of(PROJECT, revision(2)), { revision: 3, confirmed: 2, elapsedMs: 7 })
  t.match(propagation.of(PROJECT, revision(4)), { revision: 4, confirmed: 1 }, 'g1 lacks it')
  propagation.confirm('g1', hub.told())
  t.match(propagation.of(PROJECT, undefined), { revision: 4, confirmed: 2, elapsedMs: 2 })
  t.match(propagation.of(PROJECT, revision(3)), { elapsedMs: 7 }, 'the time of a change stays')
  t.equal(propagation.of(projectId(8), undefined), undefined, 'of another project')
})

t.test('an old confirmation proves nothing about a later change', async (t) => {
  const { hub, propagation, change } = await setUp(['g1'])
  change(3)
  const told = hub.told()
  change(4)
  propagation.confirm('g1', told)
  t.match(propagation.of(PROJECT, undefined), { revision: 4, confirmed: 0 })
  propagation.confirm('g1', hub.told())
  propagation.confirm('g1', told)
  t.match(propagation.of(PROJECT, undefined), { confirmed: 1 }, 'one that comes late is nothing')
})

t.test('the gateways are those of the view', async (t) => {
  const { clock, hub, members, propagation, change } = await setUp(['g1', 'g2'])
  change(3)
  await clock.advance(4)
  propagation.confirm('g1', hub.told())
  await members.join(memberOf('g3', { role: 'gateway' }))
  t.match(propagation.of(PROJECT, undefined), { gateways: 3, confirmed: 1 })
  await clock.advance(1_000)
  propagation.confirm('g3', hub.told())
  await members.leave('g2')
  t.match(
    propagation.of(PROJECT, undefined),
    { gateways: 2, confirmed: 2, elapsedMs: 4 },
    'who came later never held anything older',
  )
})

t.test('the gateway of the own process holds a change as soon as it is made', async (t) => {
  const { members, propagation, change } = await setUp([])
  await members.join(memberOf('w2', { role: 'worker' }))
  await members.leave('w')
  await members.join(memberOf('w', { role: 'standalone' }))
  change(3)
  const now = await propagation.settled(PROJECT, undefined, NO_WAIT)
  t.strictSame(now, { revision: revision(3), gateways: 1, confirmed: 1, elapsedMs: 0 })
})

t.test('a waiting caller is answered by the last gateway, or after the time', async (t) => {
  const { clock, hub, propagation, change } = await setUp(['g1', 'g2'])
  change(3)
  const wait = { waitMs: 1_000, signal: new AbortController().signal }
  const timers = clock.timers()
  const answered = propagation.settled(PROJECT, undefined, wait)
  await clock.advance(10)
  propagation.confirm('g1', hub.told())
  propagation.confirm('g2', hub.told())
  t.match(await answered, { confirmed: 2, elapsedMs: 10 })
  t.equal(clock.timers(), timers, 'no timer is left')

  change(4)
  const late = propagation.settled(PROJECT, undefined, wait)
  await clock.advance(1_000)
  t.match(await late, { revision: 4, confirmed: 0, elapsedMs: undefined })

  const leaving = new AbortController()
  const left = propagation.settled(PROJECT, undefined, { ...wait, signal: leaving.signal })
  await clock.advance(0)
  leaving.abort()
  t.match(await left, { confirmed: 0 })
  t.equal(clock.timers(), timers)
})

t.test('changes of other workers are theirs to tell, and old ones are forgotten', async (t) => {
  const { hub, propagation, change } = await setUp(['g1'])
  hub.publish({ kind: 'revision', projectId: PROJECT, revision: revision(3) }, 'peer')
  t.equal(propagation.of(PROJECT, undefined), undefined)
  change(4)
  for (let count = 0; count < 1_023; count++) change(count + 1, projectId(8))
  t.match(propagation.of(PROJECT, undefined), { revision: 4 }, '1,024 are remembered')
  change(2_000, projectId(8))
  t.equal(propagation.of(PROJECT, undefined), undefined)
})
