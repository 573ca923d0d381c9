/** Tabs of the console during an outage, on a clock that the test moves. */
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { until } from '../support/until.ts'
import { startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import type { Stub } from './support/stubs.ts'

/**
 * Timers of half a second and longer, and `performance.now`, follow a clock of the test's own. The
 * others draw the page, in real time.
 */
const CLOCK = `{
  const timers = new Map()
  const real = { set: setTimeout.bind(window), clear: clearTimeout.bind(window), fetch: fetch.bind(window) }
  let at = 0, last = 1e9, underWay = 0
  performance.now = () => at
  window.setTimeout = (work, ms, ...given) => {
    if (!(ms >= 500)) return real.set(work, ms, ...given)
    timers.set(++last, { due: at + ms, work: () => work(...given) })
    return last
  }
  window.clearTimeout = (id) => timers.delete(id) || real.clear(id)
  window.fetch = async (...given) => {
    underWay += 1
    try { return await real.fetch(...given) } finally { real.set(() => { underWay -= 1 }, 20) }
  }
  window.testClock = {
    async advance(seconds) {
      for (; seconds > 0; seconds -= 1) {
        at += 1_000
        const due = [...timers].filter(([, timer]) => timer.due <= at)
        for (const [id, { work }] of due) if (timers.delete(id)) work()
        if (due.length > 0) await this.rest()
      }
    },
    // Pages drawn by timers ask, and each request is answered.
    async rest() {
      do await new Promise((resolve) => real.set(resolve, 60))
      while (underWay > 0)
    },
  }
}`

/** Longer than the longest pause, which is a minute. */
const SECONDS_OF_EACH = 90
const TABS = 10
/** With pauses of 2 (as asked), 2, 4, 8, 16, 32 and 40 s, and some of them shared between calls. */
const REQUESTS_MAX = 12
/** Comes first: pauses that have not grown yet would be shorter than what it asks for. */
const ASKED_LONG = '429, for half a minute'
const REQUESTS_OF_ASKED_LONG = 3

const ALL = /^\/api\//
const busy = { type: 'server_error', code: 'unavailable', detail: 'Down.', attr: null }
const html = '<!doctype html><h1>Bad gateway</h1>'
const OUTAGE: readonly (readonly [string, Stub])[] = [
  [ASKED_LONG, { path: ALL, status: 429, body: busy, headers: { 'retry-after': '30' } }],
  ['503', { path: ALL, status: 503, body: busy, headers: { 'retry-after': '2' } }],
  ['429', { path: ALL, status: 429, body: busy, headers: { 'retry-after': '0' } }],
  ['the page of a proxy, 502', { path: ALL, status: 502, html }],
  ['the page of a proxy, 200', { path: ALL, status: 200, html }],
]

t.test('an outage', async (t) => {
  const console = await startConsole(t)
  await console.capture(sampleEvents(20))
  const open = async (path: string, stubs: readonly Stub[]) => {
    const screen = await console.open('/login')
    await screen.runBefore(CLOCK)
    const asked: string[] = []
    screen.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (ALL.test(pathname)) asked.push(pathname)
    })
    await screen.show(path, { stubs })
    await atRest(screen.page)
    asked.splice(0, asked.length - 1)
    return { screen, asked, page: screen.page }
  }

  await t.test('ten tabs that were opened meanwhile ask seldom, and recover', async (t) => {
    const [[, first]] = OUTAGE as [readonly [string, Stub]]
    const tabs = await Promise.all(Array.from({ length: TABS }, () => open('/project/1', [first])))
    for (const [name, stub] of OUTAGE) {
      for (const { screen, asked } of tabs) {
        screen.stub([stub])
        asked.length = 0
      }
      await Promise.all(tabs.map(({ page }) => advance(page, SECONDS_OF_EACH)))
      const counts = tabs.map(({ asked }) => asked.length)
      const max = name === ASKED_LONG ? REQUESTS_OF_ASKED_LONG : REQUESTS_MAX
      t.ok(Math.max(...counts) <= max, `${name}: ${counts} requests in ${SECONDS_OF_EACH} s`)
      t.ok(Math.min(...counts) >= 1, `${name}: each asks again: ${counts}`)
      t.strictSame([...new Set(tabs.flatMap(({ asked }) => asked))], ['/api/session/'])
    }
    for (const { screen } of tabs) screen.stub([])
    await Promise.all(tabs.map(({ page }) => recovers(page, '.overview-lists')))
    for (const { screen } of tabs) await screen.close()
  })

  await t.test('a page whose numbers fail asks seldom, and recovers', async (t) => {
    const query = /^\/api\/projects\/1\/query\//
    const { screen, page, asked } = await open('/project/1', [
      { path: query, status: 503, body: busy },
    ])
    await page.waitForSelector('.failure')
    asked.length = 0
    await advance(page, SECONDS_OF_EACH)
    const queries = asked.filter((path) => query.test(path))
    t.ok(queries.length >= 3 && queries.length <= REQUESTS_MAX, `${queries.length} requests`)
    screen.stub([])
    await recovers(page, '.overview-lists')
    await screen.close()
  })

  await t.test('a stream that a proxy cuts at once is opened seldom', async (t) => {
    const stream = /^\/api\/projects\/1\/live\//
    const headers = { 'content-type': 'text/event-stream' }
    const { screen, page, asked } = await open('/project/1/live', [
      { path: stream, status: 200, html: ':\n\n', headers },
    ])
    await page.waitForSelector('.live-waiting')
    asked.length = 0
    await advance(page, SECONDS_OF_EACH)
    const streams = asked.filter((path) => stream.test(path))
    t.ok(streams.length >= 3 && streams.length <= REQUESTS_MAX, `${streams.length} streams`)
    screen.stub([])
    await recovers(page, '.live-open')
    await screen.close()
  })

  await t.test('a tab in the background asks for nothing until it is shown', async (t) => {
    const [[, first]] = OUTAGE as [readonly [string, Stub]]
    const { screen, page, asked } = await open('/project/1', [first])
    await show(page, false)
    asked.length = 0
    await advance(page, 10 * SECONDS_OF_EACH)
    t.strictSame(asked, [])
    screen.stub([])
    await show(page, true)
    await recovers(page, '.overview-lists')
    await screen.close()
  })

  await t.test('the code of a page that could not be loaded is loaded later', async (t) => {
    const { screen, page } = await open('/project/1', [])
    await page.waitForSelector('.overview-lists')
    await page.setOfflineMode(true)
    await page.evaluate(`document.querySelector('nav a[href$="/persons"]').click()`)
    await page.waitForSelector('main .failure')
    await advance(page, 30)
    await page.waitForSelector('main .failure')
    await page.setOfflineMode(false)
    await recovers(page, '.persons-table, main table')
    t.equal(await page.$('main .failure'), null)
    await screen.close()
  })
})

async function atRest(page: Page): Promise<void> {
  await page.evaluate('testClock.rest()')
}

/** Second by second, each once the requests of the one before are answered. */
async function advance(page: Page, seconds: number): Promise<void> {
  await page.evaluate(`testClock.advance(${seconds})`)
}

async function recovers(page: Page, selector: string): Promise<void> {
  await until(`${selector} is shown`, async () => {
    await advance(page, 1)
    return (await page.$(selector)) !== null
  })
}

async function show(page: Page, isShown: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${!isShown}, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)
}
