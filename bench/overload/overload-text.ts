/** The report of `sluice bench overload` as text. */
import { figure, textTable } from '../load/report/text-table.ts'
import type { OverloadReport } from './overload.ts'

export function overloadText(report: OverloadReport): string {
  const { peakPerS, loads, recoveryS, accepted, lost } = report
  const memory = Object.keys(loads[0]?.memoryMb ?? {}).map(
    (name) => `${name} ${Math.max(...loads.map(({ memoryMb }) => memoryMb[name] ?? 0))} MB`,
  )
  return [
    `peak: ${figure(peakPerS)} page views a second`,
    ...textTable({
      head: [
        'load',
        'offered/s',
        'stored/s',
        'of peak',
        'p50, p99 ms',
        '503/s',
        'p50, p95 ms',
        'unsent/s',
        'errors',
        'decides p99',
        'lost',
        'management p99',
        'lost',
      ],
      rows: loads.map((load) => [
        load.name,
        figure(Math.round(load.offeredPerS)),
        figure(Math.round(load.storedPerS)),
        figure(load.storedPerS / peakPerS),
        pair(load.stored.p50, load.stored.p99),
        figure(Math.round(load.refusedPerS)),
        pair(load.refused.p50, load.refused.p95),
        figure(Math.round(load.unsentPerS)),
        figure(load.errors),
        figure(Math.round(load.decides.p99)),
        figure(load.decides.lost),
        figure(Math.round(load.management.p99)),
        figure(load.management.lost),
      ]),
    }),
    `503 without Retry-After: ${loads.reduce((sum, load) => sum + load.refusedWithoutRetryAfter, 0)}`,
    `served as before after: ${recoveryS.map((s) => (s === undefined ? 'not seen' : `${s} s`)).join(', ')}`,
    `memory at most: ${memory.join(', ')}`,
    `${figure(accepted)} events accepted, ${lost} of them not stored`,
  ].join('\n')
}

function pair(a: number, b: number): string {
  return `${figure(Math.round(a))}, ${figure(Math.round(b))}`
}
