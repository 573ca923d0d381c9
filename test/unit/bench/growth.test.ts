import t from 'tap'
import { DIMENSIONS } from '../../../bench/growth/curves.ts'
import { costOf, growthTable } from '../../../bench/growth/step-table.ts'
import { sampleRun } from '../../support/bench-report.ts'

const group = (name: string, cpuPercent: number, rssMbPeak: number) => ({
  name,
  cpuPercent,
  rssMbStart: 0,
  rssMbPeak,
})
const PROCESSES = [
  group('nats-server', 1, 10),
  group('redis-server', 1, 20),
  group('worker-1', 30, 100),
  group('worker-2', 10, 50),
  group('gateway-1', 50, 90),
  group('postgres', 8, 200),
]

t.test('the cost of an event is the time of all processes of a kind together', async (t) => {
  const cost = costOf(sampleRun({ eps: 10_000, rps: 100 }, { processes: PROCESSES }))
  t.equal(cost.perS, 10_000)
  t.strictSame(cost.us, { worker: 40, gateway: 50, postgres: 8, other: 2 })
  t.equal(cost.usTotal, 100)
  t.strictSame(cost.mb, { worker: 150, gateway: 90, postgres: 200, other: 30 })
})

t.test('requests without events are what is counted instead', async (t) => {
  const cost = costOf(sampleRun({ eps: 0, rps: 100 }, { processes: PROCESSES }))
  t.equal(cost.perS, 100)
  t.equal(cost.usTotal, 10_000)
})

t.test('a step stands beside the first, and says when it is the generator', async (t) => {
  const slow = sampleRun({ eps: 5_000, errors: 2, shed: 3 }, { processes: PROCESSES })
  const { generator } = slow
  const steps = [
    { name: '10', run: sampleRun({ eps: 10_000 }, { processes: PROCESSES }), more: { ids: '7' } },
    { name: '20', run: { ...slow, generator: { ...generator, saturated: 'x' } }, more: {} },
  ]
  const { head, rows } = growthTable('projects', 'event', steps)
  const column = (name: string) => rows.map((row) => row[head.indexOf(name)])
  t.strictSame(column('projects'), ['10', '20 (generator saturated)'])
  t.strictSame(column('events/s'), ['10,000', '5,000'])
  t.strictSame(column('all us'), ['100.0', '200.0'])
  t.strictSame(column('ratio'), ['1.00', '2.00'])
  t.strictSame(column('not accepted'), ['0', '5'])
  t.strictSame(column('ids'), ['7', ''])
  t.strictSame(growthTable('projects', 'event', []).rows, [])
})

t.test('projects grow alone: all of them together have as many ids at each step', async (t) => {
  const [curve] = DIMENSIONS.projects.curves('capture', 100_000)
  const setups = DIMENSIONS.projects.steps.map((step) => curve?.setup(step))
  t.strictSame(
    setups.map((setup) => (setup?.projects ?? 0) * (setup?.distinctIds ?? 0)),
    DIMENSIONS.projects.steps.map(() => 100_000),
  )
})

t.test('each step changes what its dimension says', async (t) => {
  const setup = (of: keyof typeof DIMENSIONS, step: number) =>
    DIMENSIONS[of].curves('batch', 1_000).map((curve) => curve.setup(step))
  t.match(setup('properties', 50), [{ workload: { kind: 'batch', properties: 50 }, workers: 1 }])
  t.match(setup('ids', 50), [{ workload: { properties: 10 }, distinctIds: 50, projects: 1 }])
  t.match(setup('workers', 3), [{ workers: 3, projects: 64 }])
  t.match(setup('flags', 50), [
    { workload: { kind: 'decide', mode: 'hot', flags: 50 }, distinctIds: 1_000 },
    { workload: { kind: 'decide', mode: 'cold', flags: 50 }, distinctIds: 1_000 },
  ])
})
