/** `sluice tail` while events are stored, and while its server is away. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { isObject, type Json, own } from '../../../src/core/json.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { LIVE_EVENTS_PER_SECOND } from '../../../src/events/live/live-bounds.ts'
import { LIVE_EVENT_BYTES_MAX } from '../../../src/events/live/live-event.ts'
import { cleanEnv } from '../../support/servers/clean-env.ts'
import { answered, type Product, startStandalone } from '../../support/servers/product.ts'
import { until } from '../../support/until.ts'

const DAY_MS = 86_400_000

async function capture({ url, projectKey }: Product, batch: readonly object[]): Promise<void> {
  const sent = await answered(`${url}/batch/`, { body: { api_key: projectKey, batch } })
  if (sent.status !== 200) throw new Error(`captured with ${sent.status}`)
}

const named = (event: string, more: object = {}) => ({ event, distinct_id: 'ann', ...more })

function startTail(t: Test, product: Product, args: readonly string[]) {
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'sluice'), 'tail', ...args], {
    env: cleanEnv({ SLUICE_API_KEY: product.personalKey }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const names = () => lines.map((line) => memberOf(line, 'event'))
  const shown = (name: string) => until(`${name} is shown`, () => names().includes(name))
  return { lines, names, shown, status: async () => (await ended)[0] as unknown }
}

function memberOf(line: string, name: string): Json | undefined {
  const parsed: unknown = JSON.parse(line)
  return isObject(parsed) ? own(parsed, name) : undefined
}

t.test('tail shows each event once, through gaps and a restart', async (t) => {
  const product = await startStandalone(t)
  await capture(product, [named('first')])
  const flood = Array.from({ length: 5 * LIVE_EVENTS_PER_SECOND }, (_, id) => `busy ${id}`)
  const count = String(1 + 2 + flood.length + 2)
  const tail = startTail(t, product, ['--url', product.url, '--count', count])
  await tail.shown('first')

  const timestamp = new Date(Date.now() - DAY_MS).toISOString()
  const text = 'x'.repeat(2 * LIVE_EVENT_BYTES_MAX)
  await capture(product, [named('a day ago', { timestamp, properties: { n: 1.5 } })])
  await tail.shown('a day ago')
  await capture(product, [named('large', { properties: { text, n: 1 } })])
  await tail.shown('large')
  const [, old = '', large = ''] = tail.lines
  t.match(JSON.parse(old), { timestamp: /^\d{4}-/, stored_at: /Z$/, properties: { n: 1.5 } })
  t.equal(Date.parse(String(memberOf(old, 'timestamp'))), Date.parse(timestamp))
  t.match(memberOf(large, 'properties'), { text, n: 1 }, 'whole')

  await capture(
    product,
    flood.map((name) => named(name)),
  )
  await until('the flood is shown', () => tail.lines.length >= 3 + flood.length)
  t.strictSame(new Set(tail.names().slice(3)), new Set(flood))

  await product.restart()
  await capture(product, [named('while away')])
  await tail.shown('while away')
  await capture(product, [named('last')])
  t.equal(await tail.status(), 0)
  t.strictSame(tail.names().slice(3 + flood.length), ['while away', 'last'])
  t.equal(tail.lines.length, Number(count))
})
