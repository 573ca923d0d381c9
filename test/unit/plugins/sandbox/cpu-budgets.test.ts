import t from 'tap'
import { CpuBudgets } from '../../../../src/plugins/sandbox/cpu-budgets.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'
import { definition } from '../../../support/plugins/plugin-host.ts'
import { loadPlugin, plainLoader, processOne } from '../../../support/plugins/sandbox.ts'

t.test(
  'who has used up its time waits until it has some again, and nobody else does',
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
  const loader = plainLoader({ cpu: { share: 0.000_1, burstMs: 2_000 } })
  const code = `exports.processEvent = (event) => {
    for (const until = Date.now() + (event.properties.busy || 0); Date.now() < until; );
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
  t.match(await processOne(greedy, { busy: 2_500 }), { kind: 'kept' })
  let waits = 2
  const waiting = [greedy, beside].map((each) => processOne(each).finally(() => (waits -= 1)))
  t.match(await processOne(modest), { kind: 'kept' })
  t.equal(waits, 2, 'the same in another project of it')
  await loader.close()
  await Promise.all(waiting)
})
