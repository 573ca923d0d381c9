/** Reads one value of a metric. */
import type { Metrics } from '../../src/core/metrics/metrics.ts'

/** Value of a series as Prometheus reads it; undefined when it is not shown. */
export async function readValue(metrics: Metrics, series: string): Promise<number | undefined> {
  const { body } = await metrics.text()
  const line = body.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
