/** One run of a load against a product that was started for it. The scripts of bench/ use it. */
import { systemClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/code.ts'
import { silentLog } from '../../src/core/log.ts'
import { runBench } from './bench.ts'
import { type Product, type ProductOptions, startProduct } from './machine/product.ts'
import type { BenchPlan, Workload } from './plan/plan.ts'
import type { BenchReport, RunReport } from './report/report.ts'

/** Ten properties of 16 bytes. */
const EVENT = {
  properties: 10,
  valueBytes: 16,
  shape: 'plain',
  gzipShare: 0,
  uuidVersion: 7,
} as const

export const WORKLOADS = {
  capture: { kind: 'capture', batch: 1, ...EVENT },
  batch: { kind: 'batch', batch: 100, ...EVENT },
  pages: { kind: 'capture', batch: 1, ...EVENT, shape: 'pages' },
  'page-batch': { kind: 'batch', batch: 100, ...EVENT, shape: 'pages' },
  decide: { kind: 'decide', mode: 'hot', flags: 20 },
  flag: { kind: 'management', route: 'flag', events: 1_000 },
  cold: { kind: 'decide', mode: 'cold', flags: 20 },
} as const satisfies Readonly<Record<string, Workload>>

/** Options of a run. Defaults: 64 connections, 100,000 ids, and stored events are not counted. */
export type Load = Pick<BenchPlan, 'workload' | 'model' | 'durationMs'> &
  Partial<BenchPlan> & { readonly product: Product }

export type Outcome = { readonly report: BenchReport; readonly run: RunReport }

/** @throws {AppError} as `runBench`. */
export async function runOnce({ product, ...load }: Load): Promise<Outcome> {
  const report = await runBench(
    { clock: systemClock, log: silentLog },
    {
      url: product.url,
      projects: product.projects,
      databaseUrl: product.databaseUrl,
      connections: 64,
      warmupMs: 0,
      runs: 1,
      timeoutMs: 10_000,
      backlogMax: 100_000,
      distinctIds: 100_000,
      zipfExponent: undefined,
      seed: 1,
      expectedIntervalMs: undefined,
      thresholds: [],
      readBack: false,
      drainMs: 0,
      groups: product.groups,
      settings: {},
      ...load,
    },
  )
  const [run] = report.runs
  if (run === undefined) throw new AppError('internal', 'no run was made')
  return { report, run }
}

const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const

/**
 * Starts gateway and worker with all their stores. An interrupt ends the start. The caller stops
 * the product.
 */
export async function startSplit(
  more: Partial<Omit<ProductOptions, 'topology' | 'signal'>> = {},
): Promise<{ product: Product; signal: AbortSignal }> {
  const interrupted = new AbortController()
  const { signal } = interrupted
  const interrupt = () => interrupted.abort(new AppError('cancelled', 'interrupted'))
  for (const name of INTERRUPTS) process.once(name, interrupt)
  const options = { topology: 'split', projects: 1, environment: {}, ...more, signal } as const
  const product = await startProduct(systemClock, options)
  const stop = async () => {
    await product.stop()
    for (const name of INTERRUPTS) process.off(name, interrupt)
  }
  return { product: { ...product, stop }, signal }
}

/** Stops the product on an interrupt, for long runs. */
export function stopWhenInterrupted(product: Product, signal: AbortSignal): void {
  const end = () => {
    void product.stop().then(() => process.exit(1))
  }
  signal.addEventListener('abort', end, { once: true })
}
