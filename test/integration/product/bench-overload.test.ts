import t from 'tap'
import { startProduct } from '../../../bench/load/machine/product.ts'
import { runOverload } from '../../../bench/overload/overload.ts'
import { overloadText } from '../../../bench/overload/overload-text.ts'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { silentLog as log } from '../../../src/core/log.ts'

t.test('a bench of overload has the peak, the calm and each flood', async (t) => {
  const { signal } = new AbortController()
  const options = { topology: 'standalone', projects: 1, environment: {}, signal } as const
  const product = await startProduct(clock, options)
  t.teardown(() => product.stop())
  const asked = { connections: 32, times: [2], seconds: 0.3, busy: 1, flushMs: 20 }
  const report = await runOverload({ clock, log }, product, asked)
  t.ok(report.peakPerS > 0)
  t.equal(report.lost, 0)
  t.ok(report.accepted > 0)
  t.strictSame(
    report.loads.map(({ name }) => name),
    ['calm', '2 times'],
  )
  for (const { offeredPerS, storedPerS, errors, stored, decides } of report.loads) {
    t.ok(offeredPerS > 0 && storedPerS > 0)
    t.equal(errors, 0)
    t.ok(stored.p50 > 0 && stored.p99 >= stored.p50)
    t.ok(decides.p99 > 0)
    t.equal(decides.lost, 0)
  }
  const text = overloadText(report)
  t.match(text, /page views a second/)
  t.match(text, /events accepted, 0 of them not stored/)
})
