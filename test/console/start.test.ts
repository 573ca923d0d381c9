/** The page of the first event, as a browser shows it over the real product. */
import { spawnSync } from 'node:child_process'
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { answered, request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { addressOf, focusOn, pressOn } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { checkStates, failures } from './support/states.ts'

const START = '/project/1/start'
const EVENTS = /^\/api\/projects\/1\/events\//
const CAPTURE = /^\/i\/v0\/e\//

/** Timers of half a minute that nobody has taken back end when the test says so. */
const HALF_A_MINUTE = `
  const [set, clear, waiting] = [setTimeout, clearTimeout, new Map()]
  window.setTimeout = (work, ms) => {
    const id = set(work, ms)
    if (ms === 30000) waiting.set(id, work)
    return id
  }
  window.clearTimeout = (id) => {
    waiting.delete(id)
    clear(id)
  }
  window.halfAMinutePasses = () => waiting.size > 0 && (waiting.forEach((work) => work()), true)
`

t.test('the first event', async (t) => {
  const console = await startConsole(t)
  const { projectKey } = console.product
  const problem = (code: string) => {
    return { type: 'server_error', code, detail: 'A word of the server.', attr: null }
  }
  const said = async (page: Page) =>
    await page.$eval('.start-said', ({ textContent }) => textContent ?? '')

  await t.test('an empty overview leads here, where a test event drops in', async (t) => {
    const screen = await console.open('/project/1')
    const { page } = screen
    await pressOn(screen, '.empty a')
    await page.waitForSelector('.start-open')
    await page.waitForSelector('.start-pulse')
    t.equal((await addressOf(screen)).pathname, START)
    t.match(await said(page), /Waiting for the first event/)
    const command = await page.$eval('.start-demo pre', ({ textContent }) => textContent)
    t.equal(command, 'npx sluice demo')
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, '.start-next button')
    await page.waitForSelector('.start-here')
    t.match(await said(page), /An event has arrived.*test event from test-person/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a snippet has the key and the address, and sends an event as it is', async (t) => {
    const screen = await console.open(`${START}?library=node`)
    const { page } = screen
    await page.waitForSelector('.start-open')
    const shown = () =>
      page.$$eval('.start-block pre', (all) => all.map(({ textContent }) => textContent ?? ''))
    const [install, node] = await shown()
    t.equal(install, 'npm install posthog-node')
    t.match(node, `new PostHog('${projectKey}', { host: '${console.url}' })`)
    await focusOn(screen, '[role=tab][aria-selected=true]')
    for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowRight')
    await page.waitForFunction('location.search === "?library=curl"')
    const [line = ''] = await shown()
    const ran = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
    t.match(ran, { status: 0, stdout: /"status":\s*1/ })
    await page.waitForFunction(
      'document.querySelector(".start-said").textContent.includes("order placed")',
    )
    t.match(await said(page), /order placed from user-1/)
    await screen.close()
  })

  await t.test('a long wait shows what may be wrong, and what was refused', async (t) => {
    const body = { api_key: projectKey, event: '', distinct_id: 'nameless' }
    await answered(`${console.url}/capture/`, { body })
    const at = `${console.url}/api/projects/1/ingestion_warnings/`
    const key = console.product.personalKey
    await until('it is counted', async () => {
      return Object((await request(at, { key })).body).last_hour.length > 0
    })
    const none = { count: 0, next: null, previous: null, results: [] }
    const screen = await console.open('/project/1/live', { stubs: [{ path: EVENTS, body: none }] })
    const { page } = screen
    await screen.runBefore(HALF_A_MINUTE)
    await page.goto(console.url + START)
    await page.waitForSelector('.start-open')
    await page.waitForSelector('.start-pulse')
    await page.waitForFunction('halfAMinutePasses()')
    await page.waitForSelector('.start-checks')
    await page.waitForSelector('.start-refused li')
    const checks = await page.$eval('.start-checks', ({ textContent }) => textContent ?? '')
    t.match(checks, `must reach ${console.url}`)
    t.match(checks, `ends with ${projectKey.slice(-6)}`)
    t.match(checks, /1 dropped no_name The event has no name\. Send event, a text/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await checkStates(t, console, [
    [
      START,
      {
        data: { shows: '.start-here', isSeenInAllLooks: true },
        ...failures(EVENTS, '.start .failure'),
      },
    ],
  ])

  await t.test('a test event that is refused says why', async (t) => {
    const stubs = [{ path: CAPTURE, status: 401, body: problem('invalid_api_key') }]
    const screen = await console.open(START, { stubs })
    await pressOn(screen, '.start-next button')
    const told = await screen.page.waitForSelector('.start-status [role=alert]')
    const text = await told?.evaluate(({ textContent }) => textContent)
    t.equal(text, 'A word of the server.')
    t.strictSame(await screen.faults(/401/), [])
    await screen.close()
  })
})
