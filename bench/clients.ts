/**
 * How fast are real client libraries against the product? Measures how many events a second
 * posthog-node sends and the product stores, and how long a page with posthog-js waits for its
 * first flag. Starts the product, and uses the libraries that the client tests have installed.
 *
 *   npx tsx bench/clients.ts [--events 100000] [--runs 3] [--loads 20] [--only node|browser]
 *
 * After `npm run build`, and for the browser after `npm test` or `npm run test:clients`.
 */
import { Command, Option } from 'commander'
import { systemClock } from '../src/core/clock.ts'
import { measureBrowser } from './clients/browser-flags.ts'
import { measureNode } from './clients/node-events.ts'
import { readEnvironment } from './load/machine/environment.ts'
import { type Product, startProduct } from './load/machine/product.ts'
import { wholeNumber } from './load/plan/option-parsers.ts'

type Options = { events: number; runs: number; loads: number; only?: 'node' | 'browser' }

await new Command('clients')
  .option('--events <count>', 'of a run of posthog-node', wholeNumber(1_000, 10_000_000), 100_000)
  .option('--runs <count>', 'of posthog-node', wholeNumber(1, 100), 3)
  .option('--loads <count>', 'of the page', wholeNumber(1, 1_000), 20)
  .addOption(new Option('--only <part>', 'one of the two').choices(['node', 'browser']))
  .action(run)
  .parseAsync()

async function run({ events, runs, loads, only }: Options): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('interrupted')))
  write({ ...readEnvironment(), events, runs, loads })
  const withProduct = async (measure: (product: Product) => Promise<void>) => {
    const options = { topology: 'standalone', projects: 1, environment: {} } as const
    const product = await startProduct(systemClock, { ...options, signal: stop.signal })
    try {
      await measure(product)
    } finally {
      await product.stop()
    }
  }
  const options = { events, runs, loads, signal: stop.signal, write }
  if (only !== 'browser') await withProduct((product) => measureNode(product, options))
  if (only !== 'node') await withProduct((product) => measureBrowser(product, options))
}

function write(row: object): void {
  process.stdout.write(`${JSON.stringify(row)}\n`)
}
