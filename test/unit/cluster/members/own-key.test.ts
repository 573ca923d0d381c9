import t from 'tap'
import { createOwnKey } from '../../../../cluster/members/own-key.ts'
import { createRenewals } from '../../../../cluster/members/renewals.ts'
import type { Member } from '../../../../cluster/members/view.ts'
import { silentLog } from '../../../../src/core/log.ts'
import { createFaultyRegistry } from '../../../support/cluster/faulty-registry.ts'
import { createMemoryRegistry } from '../../../support/cluster/memory-registry.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const member: Member = {
  id: 'a',
  address: 'a:8001',
  role: 'worker',
  state: 'active',
  weight: 1,
  version: '0.1.0',
}

function create() {
  const clock = createFakeClock()
  const stored = createMemoryRegistry({ clock, ttlMs: 0 })
  const registry = createFaultyRegistry(stored.client(), clock)
  const renewals = createRenewals()
  let number = 0
  const random = () => {
    number += 1
    return number / 1_000
  }
  const ownKey = createOwnKey({ registry, clock, log: silentLog, random, renewals }, member)
  const confirmed = () => renewals.confirmed(clock.monotonic())
  /** Lets a call end whose answers take a second each. */
  const during = async <T>(call: Promise<T>, ms: number): Promise<T> => {
    void call.catch(() => undefined)
    await clock.advance(ms)
    return await call
  }
  return { clock, stored, registry, ownKey, confirmed, during }
}

t.test('a creation that was lost is tried again, one whose answer was lost is found', async (t) => {
  for (const fault of ['cut', 'answers lost'] as const) {
    const { clock, stored, registry, ownKey, confirmed } = create()
    registry.fault = fault
    const creating = ownKey.create()
    await clock.advance(500)
    registry.fault = 'none'
    await clock.advance(1_000)
    await creating
    const entry = await stored.client().get('worker.a')
    t.equal(ownKey.joinedAt(), entry?.revision, fault)
    t.equal(registry.writes.length, fault === 'cut' ? 2 : 1)
    t.ok(confirmed())
  }
})

t.test('a creation that nobody answers fails', async (t) => {
  const { registry, ownKey, confirmed, during } = create()
  registry.fault = 'cut'
  await t.rejects(during(ownKey.create(), 10_000), { code: 'unavailable' })
  t.notOk(confirmed())
})

t.test('a key of another process is left alone', async (t) => {
  const { stored, ownKey } = create()
  await stored.client().create('worker.a', 'of another')
  await t.rejects(ownKey.create(), { code: 'already_exists' })
  t.equal((await stored.client().get('worker.a'))?.value, 'of another')
})

t.test('a renewal found later confirms from when it was sent', async (t) => {
  const { clock, registry, ownKey, confirmed, during } = create()
  await ownKey.create()
  await clock.advance(1_000)
  registry.fault = 'answers lost'
  t.equal(await during(ownKey.renew(), 1_000), 'unknown')
  await clock.advance(2_500)
  // 3.5 s after the sending it is found there; the next write is lost again.
  registry.fault = 'none'
  const { update } = registry
  registry.update = async () => {
    registry.fault = 'cut'
    return await update('worker.a', 'never', 1)
  }
  const renewing = ownKey.renew()
  await clock.advance(0)
  t.ok(confirmed())
  await clock.advance(500)
  t.notOk(confirmed())
  await clock.advance(1_000)
  t.equal(await renewing, 'unknown')
})

t.test('a store that does not answer is asked, and nothing is written meanwhile', async (t) => {
  const { registry, ownKey, during } = create()
  await ownKey.create()
  for (const fault of ['cut', 'away'] as const) {
    registry.fault = fault
    const before = registry.writes.length
    for (let round = 0; round < 20; round++) {
      t.equal(await during(ownKey.renew(), 2_000), 'unknown')
    }
    t.ok(registry.writes.length <= before + 1, fault)
  }
  registry.fault = 'none'
  t.equal(await ownKey.renew(), 'renewed')
})

t.test('leaving ends also when nobody answers, and nothing renews after it', async (t) => {
  const { registry, stored, ownKey, during } = create()
  await ownKey.create()
  registry.fault = 'cut'
  await during(ownKey.leave(), 10_000)
  registry.fault = 'none'
  const before = await stored.client().get('worker.a')
  t.ok(before)
  t.equal(await ownKey.renew(), 'unknown')
  t.strictSame(await stored.client().get('worker.a'), before)
})
