/**
 * Measures what open consoles cost captures: rounds without and with consoles alternate. The
 * browser runs on the same machine and takes processor time from it; its share is printed beside
 * those of the other processes, in percent of one processor.
 */
import type { Product } from '../load/machine/product.ts'
import { spreadOf } from '../load/report/stats.ts'
import { runOnce, WORKLOADS } from '../load/single-run.ts'
import type { Place, Tab } from './tab.ts'

const CONSOLES = 10
const WARMUP_MS = 5_000

type Beside = {
  readonly product: Product
  readonly project: Place['project']
  /** Opens one of them. */
  readonly consoles: (number: number) => Promise<Tab>
  readonly rounds: number
  readonly seconds: number
}

export async function measureBeside(
  { product, project, consoles, rounds, seconds }: Beside,
  write: (row: object) => void,
): Promise<void> {
  const capture = async () => {
    const { run } = await runOnce({
      product,
      projects: [project],
      workload: WORKLOADS.capture,
      warmupMs: WARMUP_MS,
      model: { kind: 'closed' },
      durationMs: 1_000 * seconds,
    })
    const cpu = run.processes.map(({ name, cpuPercent }) => [name, Math.round(cpuPercent)])
    return { ...run.figures, cpu: Object.fromEntries(cpu) as Readonly<Record<string, number>> }
  }
  await capture()
  const rates: { alone: number; beside: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await capture()
    const tabs: Tab[] = []
    // One after the other: sign-ins that wait for their answer count as failed tries.
    for (let tab = 0; tab < CONSOLES; tab++) tabs.push(await consoles(tab))
    const beside = await capture()
    await Promise.all(tabs.map((tab) => tab.close()))
    rates.push({ alone: alone.rps, beside: beside.rps })
    const p99 = [alone.p99, beside.p99]
    write({ round, alone: alone.rps, beside: beside.rps, p99, cpu: [alone.cpu, beside.cpu] })
  }
  const median = (name: 'alone' | 'beside') => spreadOf(rates.map((each) => each[name])).median
  write({ captures: 'median', alone: median('alone'), besideTenConsoles: median('beside') })
}
