/** A server that is killed and started again while a real client sends to it. */
import t, { type Test } from 'tap'
import { type Product, request, startStandalone } from '../support/servers/product.ts'
import { clientNamed } from './catalogue.ts'
import { runDriver } from './support/child.ts'
import { entryOf, versionsOf } from './support/installed.ts'
import { until } from './support/observed.ts'
import { startProxy } from './support/proxy.ts'

const client = clientNamed('posthog-node')
/** One of each way of sending. 2.6 takes a refusal for an answer: a server that starts gives none. */
const RUN = ['1.3.0', '2.6.0', '3.6.3', '4.18.0', client.newest]
const COUNT = 3_000
const BATCH = 100
/** The server is killed when this many are stored. */
const KILLED_AT = [COUNT / 8, COUNT / 2]
const PAGE = 1_000

type Task = {
  readonly url: string
  readonly projectKey: string
  readonly library: string
  readonly version: string
  readonly event: string
  readonly count: number
  readonly batch: number
}
type Seen = { readonly ids: readonly string[]; readonly complaints: readonly string[] }
type Row = { readonly id: string; readonly properties: string }
type Page = { readonly count: number; readonly results: readonly Row[] }

async function page(product: Product, event: string, offset: number, limit: number): Promise<Page> {
  const query = new URLSearchParams({ event, limit: String(limit), offset: String(offset) })
  const url = `${product.url}/api/projects/1/events/?${query}`
  return (await request(url, { key: product.personalKey })).body as Page
}

async function storedRows(product: Product, event: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (;;) {
    const { results } = await page(product, event, rows.length, PAGE)
    rows.push(...results)
    if (results.length < PAGE) return rows
  }
}

for (const version of versionsOf(client).filter((each) => RUN.includes(each))) {
  t.test(`posthog-node ${version}`, async (t) => {
    const product = await startStandalone(t)
    await t.test('a batch whose answer is lost', (t) => loseAnswer(t, product, version))
    await t.test('a server that is killed and started again', (t) => kill(t, product, version))
  })
}

async function loseAnswer(t: Test, product: Product, version: string): Promise<void> {
  const statuses: number[] = []
  const url = await startProxy(t, product.url, ({ path, status }) => {
    if (path !== '/batch/') return 'pass'
    return statuses.push(status) === 1 ? 'lose' : 'pass'
  })
  const event = 'answer lost'
  const { ids } = await send({ ...product, url }, { version, event, count: BATCH })
  t.ok(
    statuses.every((status) => status === 200),
    'the server has acknowledged the batch that it was not heard about',
  )
  const rows = await storedRows(product, event)
  checkAllThere(t, rows, BATCH)
  if (sendsIds(version)) checkIds(t, rows, ids)
  else t.ok(rows.length > BATCH, 'events without ids are stored as often as they are sent')
}

async function kill(t: Test, product: Product, version: string): Promise<void> {
  const event = 'steady'
  const sending = send(product, { version, event, count: COUNT })
  sending.catch(() => undefined) // Awaited below: until then a failure may come early.
  for (const count of KILLED_AT) {
    const isReached = async () => (await page(product, event, 0, 1)).count >= count
    await until(t, `${count} are stored`, isReached)
    product.process.kill('SIGKILL')
    t.equal(await product.process.ended, 'SIGKILL')
    await product.restart()
  }
  const { ids, complaints } = await sending
  const rows = await storedRows(product, event)
  t.strictSame(complaints, [], 'the library has given nothing up')
  checkAllThere(t, rows, COUNT)
  if (sendsIds(version)) checkIds(t, rows, ids)
  else t.comment(`${rows.length - COUNT} events without ids were stored again`)
}

type Sent = { readonly version: string; readonly event: string; readonly count: number }

function send({ url, projectKey }: Pick<Product, 'url' | 'projectKey'>, sent: Sent): Promise<Seen> {
  const library = entryOf(client, sent.version)
  const task = { ...sent, url, projectKey, library, batch: BATCH }
  return runDriver<Task, Seen>([process.execPath], 'steady-sender.mjs', task)
}

/** From 3.6 on the library gives each event an id, which it keeps when it tries again. */
function sendsIds(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 3 || (major === 3 && minor >= 6)
}

function checkAllThere(t: Test, rows: readonly Row[], count: number): void {
  const indexes = new Set(rows.map(({ properties }) => Number(JSON.parse(properties).index)))
  const missing = [...Array(count).keys()].filter((index) => !indexes.has(index))
  t.strictSame(missing, [], 'nothing is lost')
}

function checkIds(t: Test, rows: readonly Row[], ids: readonly string[]): void {
  t.strictSame(rows.map(({ id }) => id).sort(), [...ids].sort(), 'and nothing doubled')
}
