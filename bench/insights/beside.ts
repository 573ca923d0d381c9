/** Measures captures and decides alone, and while questions are asked all the time. */
import type { Product } from '../load/machine/product.ts'
import type { Percentiles } from '../load/report/report.ts'
import { runOnce, WORKLOADS } from '../load/single-run.ts'
import { type AskedServer, ask } from './measure.ts'
import type { BenchQuestion } from './questions.ts'

/** Milliseconds of captures and of decides. */
export type LoadFigures = { readonly capture: Percentiles; readonly decide: Percentiles }

export type BesideFigures = {
  /** Captures a second; as many decides beside them. */
  readonly ratePerS: number
  readonly alone: LoadFigures
  readonly beside: LoadFigures
  /** Requests with questions that were answered in the measured time. */
  readonly answered: number
}

const DISTINCT_IDS_MAX = 1_000

export async function measureBeside(
  product: Product,
  server: AskedServer,
  questions: readonly BenchQuestion[],
  load: { readonly ratePerS: number; readonly durationMs: number },
): Promise<BesideFigures> {
  const alone = await loadFigures(product, load)
  let isOver = false
  let answered = 0
  const asking = (async () => {
    while (!isOver) {
      for (const { query } of questions) {
        if (isOver) return
        await ask(server, query, 'force_blocking')
        answered += 1
      }
    }
  })()
  try {
    const beside = await Promise.race([loadFigures(product, load), failureOf(asking)])
    return { ratePerS: load.ratePerS, alone, beside, answered }
  } finally {
    isOver = true
    await asking
  }
}

/** Never resolves; rejects when `work` does. */
function failureOf(work: Promise<void>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject)
  })
}

async function loadFigures(
  product: Product,
  { ratePerS, durationMs }: { readonly ratePerS: number; readonly durationMs: number },
): Promise<LoadFigures> {
  const of = async (kind: 'capture' | 'decide') => {
    const { run } = await runOnce({
      product,
      workload: WORKLOADS[kind],
      warmupMs: 2_000,
      durationMs,
      model: { kind: 'open', ratePerS, arrivals: 'poisson' },
      // Each is asked once before, at the same rate: for a second.
      distinctIds: Math.min(DISTINCT_IDS_MAX, Math.ceil(ratePerS)),
    })
    return run.responseMs ?? run.serviceMs
  }
  const decide = of('decide')
  const capture = of('capture')
  return { capture: await capture, decide: await decide }
}
