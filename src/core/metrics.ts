import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Figures of one process in Prometheus form. Names start with `sluice_` and end in their unit. */
export type Metrics = {
  /** A count that only rises. */
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>
  /** A value read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number): void
  /** Seconds, with buckets from 0.5 ms to 10 s. */
  seconds<L extends string>(name: string, help: string, labels?: readonly L[]): Histogram<L>
  text(): Promise<{ contentType: string; body: string }>
}

const SECONDS_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    counter: (name, help, labels = []) =>
      new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    seconds: (name, help, labels = []) =>
      new Histogram({
        name,
        help,
        labelNames: [...labels],
        buckets: SECONDS_BUCKETS,
        registers: [registry],
      }),
    text: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}
