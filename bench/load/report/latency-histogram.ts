/** Latencies of a run as an HdrHistogram, for `--json` and `--hgrm`. */
import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js'
import { latencyHistogram } from '../tally.ts'
import type { BenchReport, RunReport } from './report.ts'

/** Decodes the histogram of one run, in microseconds. */
export function histogramOf({ histogram }: Pick<RunReport, 'histogram'>): Histogram {
  return decodeFromCompressedBase64(histogram, 32, false)
}

/**
 * `--hgrm`: the percentile distribution of all runs together, in milliseconds, in the text form
 * that plotters of HdrHistogram read.
 */
export function renderHgrm(report: BenchReport): string {
  const merged = latencyHistogram()
  for (const run of report.runs) merged.add(histogramOf(run))
  return merged.outputPercentileDistribution(TICKS_PER_HALF, US_PER_MS)
}

const TICKS_PER_HALF = 5
const US_PER_MS = 1000

/** A point of a latency-by-percentile curve. */
export type CurvePoint = {
  /** 0 to 1, below 1. */
  readonly quantile: number
  readonly ms: number
}

const STEPS_PER_DECADE = 20
/** Decades of 1 / (1 - quantile): up to the 99.99th percentile. */
const DECADES = 4

/** Equal steps of log(1 / (1 - quantile)); it ends where a single answer would be a step. */
export function latencyCurve(run: Pick<RunReport, 'histogram'>): CurvePoint[] {
  const histogram = histogramOf(run)
  const points: CurvePoint[] = []
  for (let step = 0; step <= STEPS_PER_DECADE * DECADES; step++) {
    const oneIn = 10 ** (step / STEPS_PER_DECADE)
    if (oneIn > histogram.totalCount) break
    const quantile = 1 - 1 / oneIn
    points.push({ quantile, ms: histogram.getValueAtPercentile(quantile * 100) / 1000 })
  }
  return points
}
