import t from 'tap'
import { systemClock } from '../../../../src/core/clock.ts'
import { Beat } from '../../../../src/plugins/sandbox/beat.ts'
import { CpuBudgets } from '../../../../src/plugins/sandbox/cpu-budgets.ts'
import { openCpuTime } from '../../../../src/plugins/sandbox/cpu-time.ts'
import { compileEngine } from '../../../../src/plugins/sandbox/engine.ts'
import { Sandbox } from '../../../../src/plugins/sandbox/sandbox.ts'
import { Vm } from '../../../../src/plugins/sandbox/vm.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { definition } from '../../../support/plugins/plugin-host.ts'
import { loadPlugin, plainLoader, processOne } from '../../../support/plugins/sandbox.ts'

t.test(
  'a sandbox that has used up its time waits until it has some again, and nobody else does',
  async (t) => {
    const clock = createFakeClock()
    const budgets = new CpuBudgets(clock, { share: 0.5, burstMs: 100 })
    const ends: string[] = []
    const turn = (organization: string) =>
      budgets.turn(organization).then(() => ends.push(organization))
    await turn('a')
    budgets.spend('a', 150)
    const waiting = turn('a')
    await turn('b')
    t.same(ends, ['a', 'b'])
    await clock.advance(90)
    t.same(ends, ['a', 'b'], 'it owes 50 ms, which half a processor gives in 100')
    await clock.advance(20)
    await waiting
    t.same(ends, ['a', 'b', 'a'])
    await clock.advance(10_000)
    budgets.spend('a', 99)
    await turn('a')
    budgets.spend('a', 2)
    const late = turn('a')
    t.equal(clock.timers(), 1, 'a long rest gives no more than the burst')
    budgets.close()
    await late
  },
)

t.test("one organization's plugins cannot starve those of others", async (t) => {
  const loader = plainLoader({ cpu: { share: 0.000_1, burstMs: 250 } })
  const code = `exports.processEvent = (event) => {
    for (let left = event.properties.busy || 0; left > 0; left--);
    return event
  }`
  const of = (organizationId: string, projectId: number) => {
    const base = definition(code)
    return { ...base, organizationId, projectId: projectId as typeof base.projectId }
  }
  const [greedy, beside, modest] = await Promise.all([
    loadPlugin(loader, of('greedy', 1)),
    loadPlugin(loader, of('greedy', 2)),
    loadPlugin(loader, of('modest', 3)),
  ])
  t.match(await processOne(greedy, { busy: 15_000_000 }), { kind: 'kept' })
  let waits = 2
  const waiting = [greedy, beside].map((each) => processOne(each).finally(() => (waits -= 1)))
  t.match(await processOne(modest), { kind: 'kept' })
  t.equal(waits, 2, 'the same in another project of it')
  await loader.close()
  await Promise.all(waiting)
})

t.test('a thread that waits uses no processor time, one that computes does', async (t) => {
  const cpuTime = openCpuTime(systemClock)
  const before = cpuTime()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  t.ok(cpuTime() - before < 150)
  // Ends when it has computed.
  while (cpuTime() - before < 150);
})

t.test('a sandbox is charged its time on a processor', async (t) => {
  const clock = createFakeClock()
  const beat = new Beat(Beat.share())
  let at = 0
  // On a machine that is busy with other things: each look at the clock finds it a second later.
  const late = { ...clock, monotonic: () => 1_000 * ++at }
  let computed = 0
  const vm = await Vm.create({ clock: late, engine: await compileEngine() })
  const sandbox = new Sandbox(
    {
      ...{ clock: late, beat, cpuTime: () => 2 * ++computed },
      memory: { add: () => false },
      post: () => {},
      heldUp: () => {},
      lost: () => {},
    },
    vm,
    {
      ...{ sandbox: 1, code: '', settings: {}, attachments: new Map() },
      ...{ processMs: 1e9, loadMs: 1e9 },
    },
  )
  sandbox.load()
  t.ok(late.monotonic() > 2_000, 'time has passed')
  t.equal(beat.takeSpent(), 2)
  sandbox.end()
})
