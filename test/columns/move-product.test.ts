/** The events of an instance move to ClickHouse, and questions always find what is stored. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Json } from '../../src/core/json.ts'
import { freshDatabase } from '../support/columns/column-store.ts'
import { commandsOf } from '../support/columns/commands.ts'
import { startEngine } from '../support/columns/engine.ts'
import { diskFolder } from '../support/servers/folders.ts'
import { type Product, request, startStandalone } from '../support/servers/product.ts'
import { beginCommand } from '../support/servers/run-command.ts'
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

/** Counts anew. @returns the store that did; none while it does not answer. */
async function ask({ url, personalKey: key }: Site, query: Json) {
  const body = { query, refresh: 'force_blocking' }
  const { status, body: answer } = await request(`${url}/api/projects/@current/query/`, {
    ...{ key, body },
  })
  if (status === 503) return { results: [], store: undefined }
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

async function engineOf(t: Test) {
  const folder = await mkdtemp(join(diskFolder(), 'sluice-move-'))
  const engine = await startEngine(t, { folder: join(folder, 'data') })
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return { engine, database: await freshDatabase(t, engine.url) }
}

t.test('the events of an instance move while it runs', async (t) => {
  const { engine, database } = await engineOf(t)
  const product = await startStandalone(t)
  const run = commandsOf(product)
  await send(
    product,
    ['a', 'b', 'c'].map((id) => seen(id)),
  )
  await product.restart({ EVENTS_URL: database })
  const questions = [trend('total'), trend('dau'), byPlan, funnel]
  await send(product, [seen('d', { plan: 'pro' }), seen('a')])
  const before = await Promise.all(questions.map((query) => ask(product, query)))
  t.same(new Set(before.map(({ store }) => store)), new Set(['sql']), 'Postgres answers until then')
  t.match(await run('events', 'status'), {
    text: /home {5}Postgres: "sluice events move"[\s\S]*lacking {2}distinct ids/,
  })

  await t.test('a command that is killed is run again', async (t) => {
    await engine.kill()
    const { DATA_DIR = '' } = product.settings
    const { kill, ended } = beginCommand(['events', 'move'], {
      ...{ DATA_DIR, GRPC_PORT: String(product.process.ports.grpc) },
    })
    await until('it waits for the copy', async () => {
      return /being copied/.test((await run('events', 'status')).text)
    })
    kill('SIGKILL')
    await ended
    t.equal((await ask(product, trend('total'))).store, 'sql')
    await engine.start()
  })
  const moved = await run('events', 'move')
  t.match(
    moved,
    {
      status: 0,
      text: /distinct ids {2}4 with a person, the same in both\n[\s\S]*5 events, moved\n[\s\S]*the events are in ClickHouse/,
    },
    JSON.stringify(moved),
  )
  t.match(await run('events', 'status'), { text: /home {5}ClickHouse\nwaiting/ })
  const after = await Promise.all(questions.map((query) => ask(product, query)))
  t.same(new Set(after.map(({ store }) => store)), new Set(['clickhouse']))
  t.strictSame(
    after.map(({ results }) => results),
    before.map(({ results }) => results),
  )
  t.match(await run('events', 'move'), { status: 0 }, 'again is nothing new')

  for (let nth = 1; nth <= 10; nth++) {
    await send(product, [seen(`new-${nth}`)])
    const [total, actors] = [await ask(product, trend('total')), await ask(product, trend('dau'))]
    t.strictSame([numberOf(total.results), total.store], [5 + nth, 'clickhouse'])
    t.strictSame([numberOf(actors.results), actors.store], [4 + nth, 'clickhouse'])
  }
  await send(product, [
    { event: '$identify', distinct_id: 'a', properties: { $anon_distinct_id: 'new-1' } },
    { event: '$identify', distinct_id: 'a', properties: { $anon_distinct_id: 'new-2' } },
  ])
  const merged = await ask(product, trend('dau'))
  t.strictSame([numberOf(merged.results), merged.store], [12, 'clickhouse'], 'two persons are one')
  t.match(await run('events', 'verify'), { status: 0 })
  t.match(await run('events', 'move', '--accept-loss'), { status: 2, stderr: /needs --month/ })
})

t.test('while the engine is killed again and again, no question misses an event', async (t) => {
  const { engine, database } = await engineOf(t)
  const product = await startStandalone(t, { EVENTS_URL: database })
  await send(product, [seen('first')])
  let [stored, isOver] = [1, false]
  const capturing = async () => {
    for (let nth = 0; !isOver; nth++) {
      await send(product, [seen(`c-${nth}`), seen(`c-${nth}`)])
      stored += 2
    }
  }
  const answers = { found: 0, refused: 0 }
  const asking = async () => {
    while (!isOver) {
      const atLeast = stored
      const { results, store } = await ask(product, trend('total'))
      if (store === undefined) {
        answers.refused += 1
        continue
      }
      const found = numberOf(results)
      // One batch may be stored and not yet answered.
      if (found < atLeast || found > stored + 2) t.fail(`${store}: ${found} of ${atLeast}`)
      answers.found += 1
    }
  }
  const working = Promise.all([capturing(), asking(), asking()])
  for (let kills = 0; kills < 4; kills++) {
    const before = answers.found
    await until('ClickHouse answers', async () => answers.found > before + 2)
    await engine.kill()
    const refused = answers.refused
    const captured = stored
    await until('questions are refused', async () => answers.refused > refused)
    await until('captures are taken', async () => stored > captured)
    await engine.start()
  }
  isOver = true
  await working
  await until('all are counted', async () => {
    return numberOf((await ask(product, trend('total'))).results) === stored
  })
  t.match(await commandsOf(product)('events', 'verify'), { status: 0 })
})
