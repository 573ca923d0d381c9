/** Steps of a funnel in its answer. */
import { labelOf } from './label.ts'
import { valueName } from './names.ts'

export type FunnelStep = {
  readonly name: string
  readonly custom_name: string | null
  readonly count: number
  /** Seconds from the step before. */
  readonly average_conversion_time: number | null
  readonly open_entrants: number | null
  readonly breakdown_value?: string | number | readonly string[]
  readonly breakdown_label?: string
}

/** Steps of the whole, or of one value of a breakdown. */
export type FunnelGroup = {
  readonly steps: readonly FunnelStep[]
  /** Undefined without a breakdown. */
  readonly value: string | number | undefined
  readonly name: string | undefined
}

export function funnelGroups(
  results: readonly (FunnelStep | readonly FunnelStep[])[],
): readonly FunnelGroup[] {
  const groups = results.some((each) => Array.isArray(each))
    ? (results as readonly (readonly FunnelStep[])[])
    : [results as readonly FunnelStep[]]
  return groups.map((steps) => {
    const value = breakdownOf(steps[0]?.breakdown_value)
    const name = value === undefined ? undefined : valueName(value, steps[0]?.breakdown_label)
    return { steps, value, name }
  })
}

function breakdownOf(value: FunnelStep['breakdown_value']): string | number | undefined {
  return typeof value === 'object' ? value[0] : value
}

export function labelOfStep({ custom_name, name }: FunnelStep): string {
  return custom_name ?? labelOf(name)
}

/** Share of the count of another step. */
export function shareOf(counts: readonly number[], at: number, of: number): number {
  const whole = counts[of] ?? 0
  return whole === 0 ? 0 : (counts[at] ?? 0) / whole
}
