/** Reactions of the newest posthog-js in a browser to lost answers and refusals of this server. */
import t from 'tap'
import { testDatabase } from '../support/servers/database.ts'
import { startBrowser } from './support/browser.ts'
import { until } from './support/observed.ts'
import { openPosthogPage, posthogJs } from './support/posthog-js.ts'
import { type Exchange, startProxy } from './support/proxy.ts'
import { startWorld } from './support/world.ts'

t.test('posthog-js in trouble', async (t) => {
  const database = await testDatabase(t)
  const world = await startWorld(t, { DATABASE_URL: database.url })
  const answered: Exchange[] = []
  let isLost = false
  const url = await startProxy(t, world.product.url, (exchange) => {
    if (exchange.method !== 'POST' || !exchange.path.includes('/e/')) return 'pass'
    answered.push(exchange)
    return isLost ? 'lose' : 'pass'
  })
  const statuses = () => answered.map(({ status }) => status)
  const browser = await startBrowser(t)
  const open = () =>
    openPosthogPage(browser, world, { version: posthogJs.newest, init: { api_host: url } })
  const page = await open()
  await world.waitForEvents('$pageview', 1)

  await t.test('events whose answer is lost are sent again, and stored once', async (t) => {
    answered.length = 0
    isLost = true
    await page.call('capture', 'answer lost', {})
    await world.waitForEvents('answer lost', 1)
    isLost = false
    await until(t, 'it is sent again', () => answered.length >= 2)
    t.ok(
      statuses().every((status) => status === 200),
      'and acknowledged again',
    )
    await world.waitForEvents('answer lost', 1)
  })

  await t.test('events of a page that is left are stored, though nobody hears of it', async () => {
    const other = await open()
    isLost = true
    await other.call('capture', 'before leaving', {})
    await other.leave()
    await world.waitForEvents('before leaving', 1)
    isLost = false
  })

  await t.test('events that are refused while Postgres is dead are stored later', async (t) => {
    answered.length = 0
    await database.pg.kill('SIGKILL')
    await page.call('capture', 'while Postgres was dead', {})
    await until(t, 'they are refused', () => statuses().includes(503))
    await database.pg.restart()
    await until(t, 'they are taken', () => statuses().at(-1) === 200)
    await world.waitForEvents('while Postgres was dead', 1)
  })
})
