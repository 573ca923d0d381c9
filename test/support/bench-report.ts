/** Reports of imaginary runs, for tests of the bench. */
import { encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import { type BenchReport, type RunReport, summarise } from '../../bench/load/report/report.ts'
import type { Figures } from '../../bench/load/report/threshold.ts'
import { emptyCounts, latencyHistogram, recordMs } from '../../bench/load/tally.ts'

const FIGURES: Figures = {
  rps: 1000,
  eps: 1000,
  p50: 2,
  p90: 5,
  p99: 10,
  'p99.9': 20,
  'p99.99': 30,
  max: 40,
  mean: 3,
  errors: 0,
  shed: 0,
  cpu: 30,
}

/** A run of two seconds with latencies of 1 to 100 ms. */
export function sampleRun(
  figures: Partial<Figures> = {},
  some: Partial<RunReport> = {},
): RunReport {
  const histogram = latencyHistogram()
  for (let ms = 1; ms <= 100; ms++) recordMs(histogram, ms)
  const percentiles = { count: 100, ...FIGURES, ...figures }
  const second = { sent: 50, accepted: 49, errors: 1, shed: 0, p50: 2, p99: 10 }
  const usage = [{ cpuPercent: 30, rssMb: 80 }, null]
  return {
    ratePerS: undefined,
    startedAt: '2025-01-02T03:04:05.000Z',
    durationMs: 2_000,
    counts: { ...emptyCounts(), sent: 100, accepted: 100 },
    statuses: { 200: 100 },
    connectFailures: 0,
    shedWithoutRetryAfter: 0,
    figures: { ...FIGURES, ...figures },
    serviceMs: percentiles,
    responseMs: undefined,
    open: undefined,
    generator: {
      cpuPercent: 30,
      loopUtilization: 0.3,
      loopLagMs: { p50: 0, p99: 1, max: 2 },
      gc: { count: 3, totalMs: 4, maxMs: 2 },
      rssMb: 80,
      saturated: undefined,
    },
    processes: [{ name: 'gateway', cpuPercent: 70, rssMbStart: 60, rssMbPeak: 90 }],
    seconds: [
      { second: 1, ...second, usage },
      { second: 2, ...second, p50: undefined, p99: undefined, usage },
    ],
    histogram: encodeIntoCompressedBase64(histogram),
    ...some,
  }
}

export function sampleReport(some: Partial<BenchReport> = {}): BenchReport {
  const runs = some.runs ?? [sampleRun()]
  return {
    schema: 'sluice-bench/1',
    bench: 'capture',
    startedAt: '2025-01-02T03:04:05.000Z',
    verdict: { ok: true, reasons: [] },
    settings: { connections: 64, nonce: 'aa' },
    environment: {
      cpuModel: 'Some CPU',
      cores: 2,
      memoryMb: 8_000,
      kernel: '6.1',
      node: 'v20.0.0',
      revision: 'abc',
      generatorCpus: '0-1',
      loadBefore: 0.5,
    },
    summary: summarise(runs),
    latencyOf: 'service',
    conservation: undefined,
    ...some,
    runs,
  }
}
