/** Sorts the time of a profile into stages of an event. */
import type { Spent } from './read-profile.ts'

/** Stages of an event by the code that runs; the first pattern that matches counts. */
const STAGES: readonly (readonly [stage: string, fits: RegExp])[] = [
  ['garbage collection', /^ \(garbage collector\)$/],
  ['native code: sockets, uWebSockets.js, built-in functions', /^ /],
  ['HTTP in and out', /^gateway\/http\//],
  ['decode the body', /^gateway\/body\//],
  [
    'encode and decode protobuf',
    /^(node_modules\/(protobufjs|@protobufjs|long)|src\/(wire\/proto|events\/batch-(en|de)coder))/,
  ],
  ['parse and normalise', /^src\/(events|wire\/validation)/],
  ['answer of decide', /^(gateway\/(cache|decide|cached)|src\/flags)/],
  ['micro-batches and routing', /^gateway\//],
  ['gRPC', /^node_modules\/@grpc/],
  ['HTTP/2 of Node', /^node:internal\/http2/],
  ['SQL driver', /^node_modules\/postgres/],
  ['Redis driver', /^node_modules\/(redis|@redis)/],
  ['NATS driver', /^node_modules\/nats/],
  ['writer and store', /^src\/(ingest|store|worker\/worker-writer)/],
  ['actors and RPC of the worker', /^src\/(actor|project|rpc|persons|plugins)/],
  ['cluster', /^cluster\//],
  ['rest of the product', /^(src|proto)\//],
  ['streams, timers and events of Node', /^node:/],
]

export type Share = { readonly stage: string; readonly amount: number }

/** Sums by stage, the largest first. */
export function stagesOf(spent: readonly Spent[]): Share[] {
  const sums = new Map<string, number>()
  for (const { where, name, amount } of spent) {
    const stage = stageOf(`${where} ${name}`)
    sums.set(stage, amount + (sums.get(stage) ?? 0))
  }
  return [...sums].map(([stage, amount]) => ({ stage, amount })).sort((a, b) => b.amount - a.amount)
}

function stageOf(text: string): string {
  return STAGES.find(([, fits]) => fits.test(text))?.[0] ?? 'anything else'
}
