import { collectDefaultMetrics, Registry } from 'prom-client'
import { assert } from '../code.ts'
import { Count, Family, type LabelNames, sample, Times } from './metric-series.ts'

/**
 * Figures of one process in Prometheus form. Names start with `sluice_` and end in their unit; each
 * is registered once. Help is one line.
 */
export type Metrics = {
  /** A count that only rises, shown from the start. */
  counter(name: string, help: string): Count
  /** Counts by label, each shown from its first use on. */
  counters(name: string, help: string, labels: LabelNames): Family<Count>
  /** A value read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number): void
  /** Seconds by label, with buckets from 0.5 ms to 10 s. */
  seconds(name: string, help: string, labels: LabelNames): Family<Times>
  text(): Promise<{ contentType: string; body: string }>
}

/** Includes Node's figures of the process: memory, processor time, collections, event-loop lag. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const texts = new Map<string, () => string>()
  const register = (
    type: 'counter' | 'gauge' | 'histogram',
    { name, help }: { readonly name: string; readonly help: string },
    lines: () => readonly string[],
  ) => {
    assert(!texts.has(name), `${name} is registered once`)
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
    texts.set(name, () => [...head, ...lines()].join('\n'))
  }
  return {
    counter(name, help) {
      const count = new Count()
      count.inc(0)
      register('counter', { name, help }, () => count.lines(name, ''))
      return count
    },
    counters(name, help, labels) {
      const family = new Family(labels, () => new Count())
      register('counter', { name, help }, () => family.lines(name))
      return family
    },
    gauge(name, help, read) {
      register('gauge', { name, help }, () => [sample(name, '', read())])
    },
    seconds(name, help, labels) {
      const family = new Family(labels, () => new Times())
      register('histogram', { name, help }, () => family.lines(name))
      return family
    },
    async text() {
      const ofNode = await registry.metrics()
      const ours = Array.from(texts.values(), (text) => `\n${text()}\n`)
      return { contentType: registry.contentType, body: ofNode + ours.join('') }
    },
  }
}
