/** `no verdict`: the generator was too busy to tell, so higher rates make no sense either. */
export type StepOutcome = 'kept' | 'broken' | 'no verdict'
export type RateStep = { readonly ratePerS: number; readonly outcome: StepOutcome }

export type RateSearchOptions = {
  readonly startPerS: number
  /** The search ends when the best rate and the first broken one are this close, as a share. */
  readonly precision: number
  readonly stepsMax: number
}

/**
 * Finds the highest arrival rate that keeps the objective. The rate grows by half until a step
 * breaks it, then the gap is halved. When the first step breaks it, the rate shrinks by half.
 * `best` is undefined when no step kept it.
 */
export async function findHighestRate(
  measure: (ratePerS: number) => Promise<StepOutcome>,
  { startPerS, precision, stepsMax }: RateSearchOptions,
): Promise<{ best: number | undefined; steps: RateStep[] }> {
  const steps: RateStep[] = []
  let best: number | undefined
  let broken: number | undefined
  let next = startPerS
  while (steps.length < stepsMax) {
    let outcome = await measure(next)
    // A burst of another program ends. A generator at its limit stays there.
    if (outcome === 'no verdict') outcome = await measure(next)
    steps.push({ ratePerS: next, outcome })
    if (outcome === 'kept') best = next
    else broken = next
    if (best === undefined) next = next / 2
    else if (broken === undefined) next = best * 1.5
    else if (broken - best <= best * precision) break
    else next = (best + broken) / 2
    next = Math.max(1, Math.round(next))
  }
  return { best, steps }
}
