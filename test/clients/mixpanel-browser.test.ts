import type { HTTPRequest } from 'puppeteer-core'
import t, { type Test } from 'tap'
import { allStarted } from '../support/all-started.ts'
import { clientNamed } from './catalogue.ts'
import { startBrowser, type TestBrowser } from './support/browser.ts'
import {
  BATCH_SIZE,
  checkAlias,
  checkBatch,
  checkCapture,
  checkGroups,
  checkIdentify,
  type Names,
  namesOf,
  PROPERTIES,
  type Task,
  taskOf,
} from './support/expected.ts'
import { versionsOf } from './support/installed.ts'
import { type Checks, checkFeatures } from './support/outcome.ts'
import { SNIPPET_EVENT, snippetFor } from './support/snippet.ts'
import type { Visitor } from './support/visitor.ts'
import { startWorld, TIER, type World } from './support/world.ts'

const client = clientNamed('mixpanel-browser')
/** Sends each event on its own by GET, and tells the server of no anonymous id. */
const FIRST = '2.22.4'

type BrowserNames = Names & {
  /** Sent by a library that is told to send plain JSON. */
  readonly plain: string
  /** Tracked on leaving the page. */
  readonly last: string
}
type BrowserTask = Task & { readonly names: BrowserNames }
/** Answers of `drivers/mixpanel-browser.mjs` in the page. */
type Suite = {
  start(task: Task, options: object): void
  visit(task: Task): Promise<{ readonly hasGroups: boolean }>
  track(name: string, properties: object): void
}
declare const suite: Suite

t.test('mixpanel-browser, every version', async (t) => {
  const [world, browser] = await allStarted([startWorld(t), startBrowser(t)])
  for (const version of versionsOf(client)) {
    await t.test(version, async (t) => {
      const own = namesOf(client.name, version)
      const names = { ...own, plain: `${own.captured} plainly`, last: `${own.captured} last` }
      const task = { ...taskOf(world, '', version, names), names }
      const [hasGroups] = await Promise.all([
        visit(t, world, browser, task),
        ...(version === FIRST
          ? []
          : [sendPlainly(t, world, browser, task), leave(t, world, browser, task)]),
      ])
      await checkFeatures(t, client, version, checksOf(world, names, version, hasGroups))
    })
  }
  await t.test('its snippet', (t) => checkPage(t, world, browser))
})

/** Far more than it takes to leave. What was left behind is sent again after twice as long. */
const DUE_MS = 6_000
/** All but how often the library sends is as it comes. */
const OFTEN = { batch_flush_interval_ms: 200 }

/** Everything the suite asks. Answers once all of it was answered. */
async function visit(t: Test, world: World, browser: TestBrowser, task: BrowserTask) {
  const visitor = await open(browser, task, OFTEN)
  const { page } = visitor
  const tracked = trackRequest(visitor)
  const answerOf = (path: string) =>
    page.waitForResponse((answer) => new URL(answer.url()).pathname === path)
  const answers = { engage: answerOf('/engage/'), groups: answerOf('/groups/') }
  // Nobody may wait for it.
  answers.groups.catch(() => undefined)
  const { hasGroups } = await page.evaluate((task) => suite.visit(task), task)
  const { batched, captured, grouped, aliased } = task.names
  await answers.engage
  await world.waitForEvents(batched, BATCH_SIZE)
  await world.waitForEvents(captured, 1)
  if (hasGroups) await Promise.all([answers.groups, world.waitForEvents(grouped, 1)])
  await world.waitForEvents(aliased, 1)
  await page.waitForNetworkIdle({ idleTime: 100 })
  const sent = await tracked
  const isForm = task.version !== FIRST
  t.equal(sent.method(), isForm ? 'POST' : 'GET')
  if (isForm) t.match(sent.postData(), /^data=[\w%=]+$/, 'base64 in a form')
  t.strictSame(visitor.troubles, [], 'the browser reports no error')
  await visitor.close()
  return hasGroups
}

async function sendPlainly(t: Test, world: World, browser: TestBrowser, task: BrowserTask) {
  const visitor = await open(browser, task, { ...OFTEN, api_payload_format: 'json' })
  const tracked = trackRequest(visitor)
  const { names, properties } = task
  await track(visitor, names.plain, properties)
  t.match((await tracked).postData(), /^data=%5B(?:%0A|%20)*%7B/, 'JSON in a form')
  const [event] = await world.waitForEvents(names.plain, 1)
  t.match(event?.properties, PROPERTIES, 'properties as sent')
  t.strictSame(visitor.troubles, [], 'the browser reports no error')
  await visitor.close()
}

/** Leaves before a batch is due, so that a beacon must send it, and comes back. */
async function leave(t: Test, world: World, browser: TestBrowser, task: BrowserTask) {
  const visitor = await open(browser, task, { batch_flush_interval_ms: DUE_MS })
  const { last } = task.names
  const { page } = visitor
  const url = page.url()
  await track(visitor, last, {})
  await page.goto('about:blank')
  await world.waitForEvents(last, 1)
  // The library does not know that it arrived, and sends it again.
  await page.goto(url)
  const [answer] = await Promise.all([
    page.waitForResponse((answer) => isTrack(answer.url())),
    page.evaluate((task, options) => suite.start(task, options), task, OFTEN),
  ])
  t.equal(answer.status(), 200)
  await world.waitForEvents(last, 1)
  await visitor.close()
}

async function track({ page }: Visitor, name: string, properties: object): Promise<void> {
  await page.evaluate((name, properties) => suite.track(name, properties), name, properties)
}

/** The next one. */
async function trackRequest({ page }: Visitor): Promise<HTTPRequest> {
  return await page.waitForRequest((request) => isTrack(request.url()))
}

function isTrack(url: string): boolean {
  return new URL(url).pathname === '/track/'
}

async function open(browser: TestBrowser, task: BrowserTask, options: object): Promise<Visitor> {
  const { version } = task
  const folder = version === FIRST ? 'build' : 'dist'
  const library = browser.pages.libraryPath(client.name, version, `${folder}/mixpanel.umd.js`)
  const scripts = [library, browser.pages.driverPath('mixpanel-browser.mjs')]
  const tags = scripts.map((path) => `<script src="${path}"></script>`).join('')
  const visitor = await browser.visitor()
  await visitor.page.goto(browser.pages.show(`/${version}.html`, `<!doctype html>${tags}`))
  await visitor.page.evaluate((task, options) => suite.start(task, options), task, options)
  return visitor
}

function checksOf(world: World, names: BrowserNames, version: string, hasGroups: boolean): Checks {
  const checks: Checks = {
    capture: async (t) => {
      const event = await checkCapture(t, world, names)
      t.match(event.properties, { mp_lib: 'web', $lib_version: version })
    },
    batch: (t) => checkBatch(t, world, names),
    identify: async (t) => {
      await checkIdentify(t, world, names)
      if (version === FIRST) return
      const [event] = await world.events(names.anonymous)
      t.match(event?.person?.properties, { email: names.email }, 'the anonymous visitor is known')
    },
    alias: (t) => checkAlias(t, world, names),
  }
  if (hasGroups) {
    checks.groups = async (t) => {
      await checkGroups(t, world, names)
      const filter = { key: '$group_key', value: names.group, operator: 'exact', type: 'event' }
      const properties = JSON.stringify([filter])
      const [change] = await world.events('$groupidentify', { properties })
      t.match(change?.properties, { $group_set: { tier: TIER } })
    }
  }
  return checks
}

async function checkPage(t: Test, world: World, browser: TestBrowser): Promise<void> {
  const library = browser.pages.libraryPath(client.name, client.newest, 'dist/mixpanel.umd.js')
  const html = snippetFor(world, 'mixpanel-browser.html').replace('mixpanel.umd.js', library)
  const visitor = await browser.visitor()
  await visitor.page.goto(browser.pages.show('/snippet.html', html))
  await visitor.page.click('#buy')
  await visitor.page.goto('about:blank')
  const [event] = await world.waitForEvents(SNIPPET_EVENT, 1)
  t.match(event?.properties, { total: 12.5, mp_lib: 'web' })
  t.strictSame(visitor.troubles, [], 'the browser reports no error')
  await visitor.close()
}
