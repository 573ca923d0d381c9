/** Questions are asked of ClickHouse once an operator has moved there, and always find what is stored. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Json } from '../../src/core/json.ts'
import { freshDatabase } from '../support/columns/column-store.ts'
import { startEngine } from '../support/columns/engine.ts'
import { diskFolder } from '../support/servers/folders.ts'
import { type Product, request, startStandalone } from '../support/servers/product.ts'
import { runCommand } from '../support/servers/run-command.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

type Site = Pick<Product, 'url' | 'projectKey' | 'personalKey'>
type Sent = Readonly<Record<string, Json>>

async function send({ url, projectKey }: Site, batch: readonly Sent[]): Promise<void> {
  const body = {
    api_key: projectKey,
    batch: batch.map((each) => ({ uuid: randomUUID(), ...each })),
  }
  const { status } = await request(`${url}/batch/`, { body })
  if (status !== 200) throw new Error(`the batch was answered with ${status}`)
}

const seen = (id: string, more: Sent = {}): Sent => {
  return { event: 'seen', distinct_id: id, properties: { plan: 'free', ...more } }
}

/** Counts anew, and tells which store did. */
async function ask({ url, personalKey: key }: Site, query: Json) {
  const body = { query, refresh: 'force_blocking' }
  const { status, body: answer } = await request(`${url}/api/projects/@current/query/`, {
    ...{ key, body },
  })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(answer)}`)
  const { results, timings } = answer as { results: Json; timings: readonly { k: string }[] } // Its shape is documented.
  return { results, store: timings[0]?.k }
}

const trend = (math: string): Json => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'seen', math }],
  dateRange: { date_from: '-2d' },
  trendsFilter: { display: 'BoldNumber' },
})
const byPlan: Json = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'seen', math: 'dau' }],
  dateRange: { date_from: '-2d' },
  breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
}
const funnel: Json = {
  kind: 'FunnelsQuery',
  series: [
    { kind: 'EventsNode', event: 'seen' },
    { kind: 'EventsNode', event: '$identify' },
  ],
  dateRange: { date_from: '-2d' },
}
const numberOf = (results: Json): number => {
  const [first] = results as readonly { aggregated_value: number }[] // A number of a trend.
  return first?.aggregated_value ?? Number.NaN
}

async function commandsOf(product: Product) {
  const { grpc } = product.process.ports
  const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '', GRPC_PORT: String(grpc) }
  return async (...args: string[]) => {
    const { status, stdout, stderr } = await runCommand(args, settings)
    return { status, text: stdout.toString(), stderr: stderr.toString() }
  }
}

t.test('moved there and back, with the engine killed between', async (t) => {
  const folder = await mkdtemp(join(diskFolder(), 'sluice-move-'))
  const engine = await startEngine(t, { folder: join(folder, 'data') })
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const database = await freshDatabase(t, engine.url)
  const filled = await startStandalone(t)
  await send(
    filled,
    ['a', 'b', 'c'].map((id) => seen(id)),
  )
  filled.process.kill('SIGTERM')
  await filled.process.ended
  const product = await startStandalone(t, {
    ...filled.settings,
    ...{ DATA_DIR: filled.settings['DATA_DIR'] ?? '', EVENTS_URL: database, EVENTS_READ_FROM: '0' },
  })
  const { projectKey, personalKey } = filled
  const site = { projectKey, personalKey, url: product.url }
  const [run, questions] = [
    await commandsOf(product),
    [trend('total'), trend('dau'), byPlan, funnel],
  ]
  await send(site, [seen('d', { plan: 'pro' }), seen('a')])
  const before = await Promise.all(questions.map((query) => ask(site, query)))
  t.same(
    new Set(before.map(({ store }) => store)),
    new Set(['sql']),
    'nothing changes until it is moved',
  )
  t.match(await run('events', 'status'), {
    text: /asked {4}Postgres[\s\S]*lacking {2}distinct ids/,
  })

  const moved = await run('events', 'move', '--to', 'clickhouse')
  t.match(
    moved,
    {
      status: 0,
      text: /distinct ids {2}4 with a person, the same in both\nquestions are asked of ClickHouse/,
    },
    JSON.stringify(moved),
  )
  t.match(await run('events', 'status'), { text: /asked {4}ClickHouse/ })
  const after = await Promise.all(questions.map((query) => ask(site, query)))
  t.same(new Set(after.map(({ store }) => store)), new Set(['clickhouse']))
  t.strictSame(
    after.map(({ results }) => results),
    before.map(({ results }) => results),
  )

  for (let nth = 1; nth <= 10; nth++) {
    await send(site, [seen(`new-${nth}`)])
    const [total, actors] = [await ask(site, trend('total')), await ask(site, trend('dau'))]
    t.strictSame([numberOf(total.results), total.store], [5 + nth, 'clickhouse'])
    t.strictSame([numberOf(actors.results), actors.store], [4 + nth, 'clickhouse'])
  }
  await send(site, [
    { event: '$identify', distinct_id: 'a', properties: { $anon_distinct_id: 'new-1' } },
    { event: '$identify', distinct_id: 'a', properties: { $anon_distinct_id: 'new-2' } },
  ])
  const merged = await ask(site, trend('dau'))
  t.strictSame([numberOf(merged.results), merged.store], [12, 'clickhouse'], 'two persons are one')

  const computed = await ask(site, {
    ...Object(trend('total')),
    properties: [{ type: 'hogql', key: "toFloat('0.1') + toFloat('0.2') = toFloat('0.3')" }],
  })
  t.strictSame([numberOf(computed.results), computed.store], [15, 'sql'], 'decimals are exact')

  await engine.kill()
  await send(site, [seen('while-away')])
  const away = await ask(site, trend('total'))
  t.strictSame([numberOf(away.results), away.store], [16, 'sql'], 'Postgres answers meanwhile')
  await engine.start()
  await until('ClickHouse is asked again', async () => {
    const { results, store } = await ask(site, trend('total'))
    t.equal(numberOf(results), 16)
    return store === 'clickhouse'
  })

  t.match(await run('events', 'move', '--to', 'postgres'), {
    ...{ status: 0, text: 'questions are asked of Postgres\n' },
  })
  t.equal((await ask(site, trend('total'))).store, 'sql')
  t.match(await run('events', 'move', '--to', 'nowhere'), { status: 2, stderr: /Allowed choices/ })
})

t.test(
  'while the engine is killed again and again, no question misses what is stored',
  async (t) => {
    const folder = await mkdtemp(join(diskFolder(), 'sluice-move-'))
    const engine = await startEngine(t, { folder: join(folder, 'data') })
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const database = await freshDatabase(t, engine.url)
    const product = await startStandalone(t, { EVENTS_URL: database, EVENTS_READ_FROM: '0' })
    const run = await commandsOf(product)
    await send(product, [seen('first')])
    const moved = await run('events', 'move', '--to', 'clickhouse')
    t.equal(moved.status, 0, JSON.stringify(moved))
    let [stored, isOver] = [1, false]
    const capturing = async () => {
      for (let nth = 0; !isOver; nth++) {
        await send(product, [seen(`c-${nth}`), seen(`c-${nth}`)])
        stored += 2
      }
    }
    const stores = new Map<string, number>()
    const asking = async () => {
      while (!isOver) {
        const atLeast = stored
        const { results, store = '' } = await ask(product, trend('total'))
        const found = numberOf(results)
        // One batch may be stored and not yet answered.
        if (found < atLeast || found > stored + 2) t.fail(`${store}: ${found} of ${atLeast}`)
        stores.set(store, (stores.get(store) ?? 0) + 1)
      }
    }
    const working = Promise.all([capturing(), asking(), asking()])
    for (let kills = 0; kills < 4; kills++) {
      const before = stores.get('clickhouse') ?? 0
      await until('ClickHouse answers', async () => (stores.get('clickhouse') ?? 0) > before + 2)
      await engine.kill()
      const others = stores.get('sql') ?? 0
      await until('Postgres answers', async () => (stores.get('sql') ?? 0) > others)
      await engine.start()
    }
    isOver = true
    await working
    const last = await ask(product, trend('total'))
    t.equal(numberOf(last.results), stored)
    t.match(await run('events', 'verify'), { status: 0 })
  },
)
