import t from 'tap'
import { type Actor, createRegistry, type PassivationReason } from '../../../src/actor/registry.ts'
import { silentLog } from '../../../src/core/log.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

type TestActor = Actor & { key: string; isBusy: boolean; ended: PassivationReason[] }

type Options = { activationsMax?: number; fail?: () => boolean; keepsAll?: () => boolean }

function setUp(options: Options = {}) {
  const clock = createFakeClock()
  const loads: string[] = []
  const registry = createRegistry<string, TestActor>({
    load: async (key) => {
      loads.push(key)
      if (options.fail?.() === true) throw new Error('store is down')
      const actor: TestActor = {
        key,
        isBusy: false,
        ended: [],
        busy: () => actor.isBusy,
        async passivate(reason) {
          actor.ended.push(reason)
        },
      }
      return actor
    },
    activationsMax: options.activationsMax ?? 10,
    idleMs: 1_000,
    ...(options.keepsAll === undefined ? {} : { keepsAll: options.keepsAll }),
    clock,
    log: silentLog,
  })
  return { clock, loads, registry }
}

t.test('a load that fails is not remembered', async (t) => {
  let failing = true
  const { registry, loads } = setUp({ fail: () => failing })
  await t.rejects(registry.get('a'), { message: 'store is down' })
  t.equal(registry.peek('a'), undefined)
  failing = false
  t.equal((await registry.get('a')).key, 'a')
  t.strictSame(loads, ['a', 'a'])
})

t.test('many callers share one load', async (t) => {
  const { registry, loads } = setUp()
  const [one, two] = await Promise.all([registry.get('a'), registry.get('a')])
  t.equal(one, two)
  t.strictSame(loads, ['a'])
  t.equal(registry.peek('a'), one)
})

t.test('at the cap the one used longest ago makes room, unless it is busy', async (t) => {
  const { registry } = setUp({ activationsMax: 2 })
  const a = await registry.get('a')
  const b = await registry.get('b')
  a.isBusy = true
  await registry.get('c')
  t.strictSame(b.ended, ['idle'])
  t.strictSame(a.ended, [])
  t.equal(registry.size(), 2)
})

t.test('when every activation is busy the next one is refused', async (t) => {
  const { registry } = setUp({ activationsMax: 1 })
  const a = await registry.get('a')
  a.isBusy = true
  await t.rejects(registry.get('b'), { code: 'resource_exhausted' })
})

t.test('a sweep passivates what has been idle, and only that', async (t) => {
  const { registry, clock } = setUp()
  const a = await registry.get('a')
  await clock.advance(800)
  const b = await registry.get('b')
  await clock.advance(400)
  await registry.sweep()
  t.strictSame(a.ended, ['idle'])
  t.strictSame(b.ended, [])
  t.equal(registry.peek('a'), undefined)
  t.not(await registry.get('a'), a, 'loaded anew on the next use')
})

t.test('closing ends every activation and refuses new ones', async (t) => {
  const { registry } = setUp()
  const a = await registry.get('a')
  await registry.close()
  t.strictSame(a.ended, ['shutdown'])
  await t.rejects(registry.get('a'), { code: 'unavailable' })
})

t.test(
  'an actor that could not be loaded again is given up neither for being idle nor for room',
  async (t) => {
    let keeps = true
    const { registry, clock } = setUp({ activationsMax: 1, keepsAll: () => keeps })
    const kept = await registry.get('a')
    await t.rejects(registry.get('b'), { code: 'unavailable' })
    await clock.advance(10_000)
    await registry.sweep()
    t.equal(registry.peek('a'), kept)
    keeps = false
    t.equal((await registry.get('b')).key, 'b')
    t.same(kept.ended, ['idle'])
  },
)
