/**
 * Does a plugin that never ends slow other projects down? Sends captures of one project at a fixed
 * rate: alternately alone, and while events of another project reach a plugin with an endless loop.
 * The script enables that plugin again whenever the product disables it. Prints p50 and p99 of both
 * and their ratios.
 * Run: `npx tsx bench/plugin-neighbour.ts [RATE]`, after `npm run build`.
 */
import { systemClock } from '../src/core/clock.ts'
import { AppError } from '../src/core/code.ts'
import { spreadOf } from './load/report/stats.ts'
import { runOnce, startSplit, WORKLOADS } from './load/single-run.ts'
import { callManagement, isManaged } from './load/workload/management-api.ts'

const RATE_PER_S = Number(process.argv[2] ?? 500)
const ROUNDS = 8
const LOOP = 'export function processEvent() { for (;;); }'
const EVENT_EVERY_MS = 100
const ENABLE_EVERY_MS = 500

const { product } = await startSplit({ projects: 2 })
try {
  const [looping, other] = product.projects
  if (looping === undefined || other === undefined || !isManaged(looping)) {
    throw new AppError('internal', 'two projects are needed')
  }
  const manage = async (path: string, body: object): Promise<{ id: number }> => {
    const answer = await callManagement(product.url, looping, 'POST', path, body)
    if (answer.status !== 201) throw new AppError('unavailable', `${path}: ${answer.status}`)
    return answer.body as { id: number }
  }
  const files = { 'index.ts': LOOP }
  const made = { plugin_type: 'source', name: 'endless', files }
  const { id: plugin } = await manage('/api/organizations/@current/plugins/', made)
  const configs = `/api/projects/${looping.projectId}/plugin_configs/`
  const enable = (enabled: boolean) => manage(configs, { plugin, order: 1, enabled })

  /** Sends events to the loop, and switches it on again, until it is told to end. */
  const loop = async (signal: AbortSignal): Promise<number> => {
    let events = 0
    for (let ms = 0; !signal.aborted; ms += EVENT_EVERY_MS) {
      if (ms % ENABLE_EVERY_MS === 0) await enable(true)
      events += 1
      const event = { api_key: looping.apiKey, event: 'loop', distinct_id: 'a' }
      // Not awaited: the answer takes as long as the loop is allowed to run.
      void fetch(`${product.url}/capture/`, { method: 'POST', body: JSON.stringify(event) }).catch(
        () => {
          // The product ends with the bench.
        },
      )
      await systemClock.sleep(EVENT_EVERY_MS)
    }
    await enable(false)
    return events
  }
  const measured = async () => {
    const { run } = await runOnce({
      product,
      projects: [other],
      workload: WORKLOADS.capture,
      model: { kind: 'open', ratePerS: RATE_PER_S, arrivals: 'poisson' },
      warmupMs: 2_000,
      durationMs: 6_000,
      distinctIds: 10_000,
    })
    return run.figures
  }
  await measured() // Warms the code up; not counted.
  const rows = []
  for (let round = 1; round <= ROUNDS; round++) {
    const alone = await measured()
    const over = new AbortController()
    const looped = loop(over.signal)
    const beside = await measured()
    over.abort()
    const loopEvents = await looped
    rows.push({ round, alone, beside, loopEvents })
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`)
  }
  for (const name of ['p50', 'p99'] as const) {
    const alone = spreadOf(rows.map((row) => row.alone[name])).median
    const beside = spreadOf(rows.map((row) => row.beside[name])).median
    const ratio = (beside / alone).toFixed(2)
    process.stdout.write(
      `${name}: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside a loop, ${ratio}\n`,
    )
  }
} finally {
  await product.stop()
}
