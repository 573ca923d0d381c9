/** Thresholds of `--threshold`: read from text and compared with figures. */
import { err, ok, type Result } from '../../../src/core/result.ts'

/** Figures of a run that a threshold can name. Latencies in ms, rates per second. */
export const METRICS = [
  'rps',
  'eps',
  'p50',
  'p90',
  'p99',
  'p99.9',
  'p99.99',
  'max',
  'mean',
  'errors',
  'shed',
  'cpu',
] as const
export type Metric = (typeof METRICS)[number]
export type Figures = Readonly<Record<Metric, number>>

export type Threshold = {
  readonly metric: Metric
  readonly operator: '<=' | '>=' | '<' | '>'
  readonly limit: number
}

const CLAUSE = /^([a-z]+[0-9.]*)\s*(<=|>=|<|>)\s*([0-9]+(?:\.[0-9]+)?)$/

/** Reads `rps>=15000,p99<=30`. The error says which part is wrong. */
export function parseThresholds(text: string): Result<Threshold[], string> {
  const thresholds: Threshold[] = []
  for (const part of text.split(',')) {
    const match = CLAUSE.exec(part.trim())
    const metric = METRICS.find((name) => name === match?.[1])
    const operator = OPERATORS.find((name) => name === match?.[2])
    if (match === null || operator === undefined) {
      return err(`'${part}' is not like 'rps>=15000'`)
    }
    if (metric === undefined) {
      return err(`'${match[1]}' is none of ${METRICS.join(' ')}`)
    }
    thresholds.push({ metric, operator, limit: Number(match[3]) })
  }
  return ok(thresholds)
}

const OPERATORS = ['<=', '>=', '<', '>'] as const

/**
 * The thresholds that `figures` break, as sentences. A figure that is not a number breaks all of
 * them.
 */
export function brokenThresholds(figures: Figures, thresholds: readonly Threshold[]): string[] {
  return thresholds
    .filter((threshold) => !holds(figures[threshold.metric], threshold))
    .map(
      ({ metric, operator, limit }) =>
        `${metric} is ${round(figures[metric])}, wanted ${operator} ${limit}`,
    )
}

function holds(value: number, { operator, limit }: Threshold): boolean {
  switch (operator) {
    case '<=':
      return value <= limit
    case '>=':
      return value >= limit
    case '<':
      return value < limit
    case '>':
      return value > limit
    default:
      return operator satisfies never
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
