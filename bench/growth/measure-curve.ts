/** Measures a curve of growth: one start of the product and one run for each step. */
import type { LoadModel } from '../load/load-run.ts'
import { withDatabase } from '../load/machine/database.ts'
import type { Product } from '../load/machine/product.ts'
import { figure } from '../load/report/text-table.ts'
import { runOnce, startSplit } from '../load/single-run.ts'
import type { Curve } from './curves.ts'
import type { Step } from './step-table.ts'

export type CurveOptions = {
  readonly steps: readonly number[]
  readonly connections: number
  readonly warmupMs: number
  readonly durationMs: number
  /** Requests a second for each worker, so that all have the same load. @default the highest */
  readonly ratePerWorker?: number | undefined
}

/**
 * Starts the product anew for each step and loads it once. Ends early when it is interrupted.
 * @throws {AppError} as `runBench`.
 */
export async function* measureCurve(curve: Curve, options: CurveOptions): AsyncGenerator<Step> {
  const { steps, ratePerWorker, ...load } = options
  for (const step of steps) {
    const { workload, distinctIds, ...sizes } = curve.setup(step)
    const { product, signal } = await startSplit(sizes)
    try {
      const model = modelOf(ratePerWorker, sizes.workers)
      const { run } = await runOnce({ product, workload, distinctIds, model, ...load })
      if (signal.aborted) return
      const more = curve.each === 'event' ? { 'ids stored': await idsStored(product) } : {}
      yield { name: figure(step), run, more }
    } finally {
      await product.stop()
    }
  }
}

function modelOf(ratePerWorker: number | undefined, workers: number): LoadModel {
  if (ratePerWorker === undefined) return { kind: 'closed' }
  return { kind: 'open', ratePerS: ratePerWorker * workers, arrivals: 'poisson' }
}

/** Distinct ids stored in all projects, those of the warm-up included. */
function idsStored({ databaseUrl }: Product): Promise<string> {
  return withDatabase(databaseUrl, async (sql) => {
    const [row] = await sql<{ count: bigint }[]>`select count(*) from distinct_ids`
    return figure(Number(row?.count))
  })
}
