/**
 * How many events a second does each built-in plugin process? The plugin gets batches of 128 events
 * with 20 properties and 20,000 users, as a worker makes them. Prints the machine, then for each
 * plugin the median, lowest and highest rate of the runs. Rates are per second of processor time,
 * which other programs on the machine disturb less than wall time. Making the events is not
 * counted.
 * `npx tsx bench/builtins.ts [--json]`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PLUGIN_BATCH_EVENTS_MAX } from '../src/core/limits/limits-plugins.ts'
import { silentLog } from '../src/core/log.ts'
import { BUILTINS } from '../src/plugins/builtin/builtins.ts'
import { createGeo } from '../src/plugins/host/geo.ts'
import type { PluginEvent, PluginInstance } from '../src/plugins/ports.ts'
import {
  httpResponse,
  pluginEvent,
  pluginHost,
  startBuiltin,
} from '../test/support/plugins/builtins.ts'
import { mmdb } from '../test/support/plugins/mmdb.ts'

const RUNS = 5
const RUN_MS = 1_000
const AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36'

const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'property-filter': { properties: 'prop_1, email, nested.street, $ip, missing' },
  'property-hasher': { salt: 'pepper', properties: 'email, prop_3', hash_distinct_id: 'yes' },
  'url-normalizer': { remove_parameters: 'utm_*, gclid' },
  'event-sampler': { percent: '50' },
  'webhook-forwarder': { url: 'https://example.com/' },
}

const PLACE = {
  city: { names: { en: 'London' } },
  country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
  location: { latitude: 51.5, longitude: -0.1, time_zone: 'Europe/London' },
}

const more = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`prop_${at}`, `text ${at}`]))
const texts = Array.from({ length: 20_000 }, (_, at) =>
  JSON.stringify(
    pluginEvent(
      {
        $ip: `81.2.${at >> 8}.${at & 255}`,
        $current_url: 'https://Example.com/products/shoes/?utm_source=mail&q=red&gclid=abc#top',
        $referrer: 'https://www.google.com/',
        $pathname: '/products/shoes/',
        $raw_user_agent: AGENT,
        $browser: 'Chrome',
        email: `user-${at}@example.com`,
        nested: { street: 'a', city: 'b' },
        $set: { email: `user-${at}@example.com`, plan: 'pro' },
        ...more,
      },
      { distinct_id: `user-${at}` },
    ),
  ),
)
if (Object.keys(JSON.parse(texts[0] ?? '').properties).length !== 20) throw new Error('not 20')

/** Events a second of processing. */
async function run(instance: PluginInstance): Promise<number> {
  const end = performance.now() + RUN_MS
  let events = 0
  let tookUs = 0
  let next = 0
  while (performance.now() < end) {
    const batch: PluginEvent[] = []
    for (let at = 0; at < PLUGIN_BATCH_EVENTS_MAX; at++) {
      batch.push(JSON.parse(texts[next++ % texts.length] ?? ''))
    }
    const start = process.cpuUsage()
    const answers = await instance.process(batch)
    const { user, system } = process.cpuUsage(start)
    tookUs += user + system
    if (answers.some(({ kind }) => kind === 'failed')) throw new Error('an event failed')
    events += answers.length
  }
  return (events * 1_000_000) / tookUs
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
try {
  const file = join(folder, 'geo.mmdb')
  await writeFile(file, mmdb({ '81.2.0.0/17': PLACE }))
  const geo = await createGeo(file, silentLog)
  const host = pluginHost({ locate: geo.locate, fetch: async () => httpResponse(200) })
  const machine = `${cpus()[0]?.model} x ${cpus().length}, node ${process.version}`
  const results: object[] = []
  const isJson = process.argv.includes('--json')
  if (!isJson) console.log(machine)
  for (const { name } of BUILTINS) {
    const instance = await startBuiltin(name, SETTINGS[name] ?? {}, host)
    await run(instance)
    const rates: number[] = []
    for (let at = 0; at < RUNS; at++) rates.push(await run(instance))
    await instance.teardown()
    const [min = 0, , median = 0, , max = 0] = rates.sort((a, b) => a - b).map(Math.round)
    results.push({ name, median, min, max })
    if (isJson) continue
    console.log(`${name.padEnd(20)} median ${median} events/s  min ${min}  max ${max}`)
  }
  if (isJson) console.log(JSON.stringify({ machine, runs: RUNS, runMs: RUN_MS, results }))
} finally {
  await rm(folder, { recursive: true, force: true })
}
