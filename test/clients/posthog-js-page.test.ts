import t from 'tap'
import { type Product, request } from '../support/servers/product.ts'
import { startBrowser } from './support/browser.ts'
import { modulePage } from './support/page.ts'
import {
  clickUntilCaptured,
  openPosthogPage,
  posthogJs,
  posthogModules,
} from './support/posthog-js.ts'
import { SNIPPET_EVENT, snippetFor } from './support/snippet.ts'
import { startWorld } from './support/world.ts'

/** Use of the newest posthog-js in pages besides the features of the suite. */
t.test('a page with the newest posthog-js', async (t) => {
  const world = await startWorld(t)
  const { product } = world
  const browser = await startBrowser(t)
  const open = (init = {}, script = '') =>
    openPosthogPage(browser, world, { version: posthogJs.newest, init, script })

  await t.test('is told by the remote config what is on', async (t) => {
    const page = await open()
    await world.waitForEvents('$pageview', 1)
    const requests = await page.visitor.requests()
    const asked = requests.filter(({ url }) => url.pathname.startsWith('/array/'))
    const path = `/array/${product.projectKey}/config.js`
    t.strictSame(
      asked.map(({ url }) => url.pathname),
      [path],
      'the script is enough',
    )
    t.equal(await page.call('isRecording'), false, 'nobody records')
    const recording = requests.filter(({ url }) => /^\/s\/|record/.test(url.pathname))
    t.strictSame(recording, [], 'nothing of recording is loaded or sent')
    t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
    await page.leave()
    const [left] = await world.waitForEvents('$pageleave', 1)
    t.match(left?.properties, { $current_url: page.url })
    await page.visitor.close()
  })

  await t.test('sends its events packed, and asks nobody before', async (t) => {
    const page = await open(QUICK)
    for (const index of EVENTS) await page.call('capture', 'packed', { index })
    await world.waitForEvents('packed', EVENTS.length)
    const requests = await page.visitor.requests()
    const sent = requests.filter(({ url }) => url.pathname === '/i/v0/e/')
    const later = sent.slice(sent.findIndex((each) => each.body[0] === GZIP))
    t.not(later.length, 0)
    t.ok(
      later.every(({ contentType }) => contentType === 'text/plain'),
      'a type that pages may send anywhere',
    )
    t.ok(
      sent.every(({ method }) => method === 'POST'),
      'no preflight',
    )
    await page.visitor.close()
  })

  await t.test('asks for the config itself where it may load no scripts', async (t) => {
    const page = await open({ ...QUICK, disable_external_dependency_loading: true })
    await clickUntilCaptured(t, world, page)
    const paths = (await page.visitor.requests()).map(({ url }) => url.pathname)
    t.ok(paths.includes(`/array/${product.projectKey}/config`))
    t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
    await page.visitor.close()
  })

  await t.test('needs to ask nothing when the library came with the config', async (t) => {
    const name = 'came with the config'
    const library = `/array/${product.projectKey}/array.js`
    const page = await open(QUICK, `${product.url}${library}`)
    await page.call('capture', name, {})
    await world.waitForEvents(name, 1)
    const paths = (await page.visitor.requests()).map(({ url }) => url.pathname)
    t.strictSame(
      paths.filter((path) => path.startsWith('/array/')),
      [library],
    )
    t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
    await page.visitor.close()
  })

  await t.test('has no surveys, tours, early access or experiments', async (t) => {
    const page = await open({ disable_web_experiments: false })
    const lists = await page.call<Record<string, { list: unknown; context?: unknown }>>('askLists')
    for (const [name, { list, context }] of Object.entries(lists)) {
      t.strictSame(list, [], name)
      t.notMatch(context, { isLoaded: false }, `${name} are loaded`)
    }
    const paths = (await page.visitor.requests()).map(({ url }) => url.pathname)
    for (const name of ['surveys', 'early_access_features', 'product_tours', 'web_experiments']) {
      t.ok(paths.includes(`/api/${name}/`), `${name} were asked for`)
    }
    t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
    await page.visitor.close()
  })

  await t.test('enrols people in features', async (t) => {
    const own = { feature_enrollment: true, groups: nobody }
    const property = `$feature_enrollment/${BETAS[1]}`
    const isEnrolled = { key: property, value: ['true'], operator: 'exact', type: 'person' }
    const superGroup = { properties: [isEnrolled], rollout_percentage: 100 }
    await createFlag(product, BETAS[0], own)
    await createFlag(product, BETAS[1], { super_groups: [superGroup], groups: nobody })
    const openAs = (distinctID: string) =>
      open({ ...QUICK, bootstrap: { distinctID, isIdentifiedID: true } })
    const page = await openAs('tester')
    for (const key of BETAS) t.equal(await page.call('isOn', key), false, `${key} is off`)
    for (const key of BETAS) await page.call('enrol', key)
    await world.waitForEvents('$feature_enrollment_update', BETAS.length)
    const elsewhere = await openAs('tester')
    for (const key of BETAS) t.equal(await elsewhere.call('isOn', key), true, `${key} is on`)
    const other = await openAs('somebody else')
    for (const key of BETAS) t.equal(await other.call('isOn', key), false, 'for nobody else')
    for (const { visitor } of [page, elsewhere, other]) {
      t.strictSame(visitor.troubles, [], 'the browser reports no error')
      await visitor.close()
    }
  })

  await t.test('sends nothing of those who opt out', async (t) => {
    const page = await open(QUICK)
    const answer = await page.call('optOutAndIn', 'opted out', 'opted in')
    t.strictSame(answer, { isOut: true, isIn: true })
    await world.waitForEvents('opted in', 1)
    await world.waitForEvents('$opt_in', 1)
    await world.waitForEvents('opted out', 0)
    t.strictSame(page.visitor.troubles, [], 'the browser reports no error')
    await page.visitor.close()
  })

  for (const file of ['sluice-js.html', 'posthog-js.html', 'posthog-js.mjs']) {
    await t.test(`its snippet ${file}`, async (t) => {
      const isPage = file.endsWith('.html')
      const snippet = snippetFor(world, file)
      const html = isPage ? snippet : modulePage(posthogModules(browser, posthogJs.newest), snippet)
      const visitor = await browser.visitor()
      const before = (await world.events(SNIPPET_EVENT)).length
      await visitor.page.goto(browser.pages.show(`/${file}`, html))
      if (isPage) await visitor.page.click('#buy')
      const [event] = await world.waitForEvents(SNIPPET_EVENT, before + 1)
      t.match(event?.properties, { total: 12.5, $lib: 'web' })
      if (!isPage) t.equal(event?.distinct_id, 'user-1')
      t.strictSame(visitor.troubles, [], 'the browser reports no error')
      await visitor.close()
    })
  }

  await t.test('the one-line snippet takes options, and says what it lacks', async (t) => {
    const line = snippetFor(world, 'sluice-js.html')
    const key = ` data-key="${product.projectKey}"`
    const changes = [
      ['options', `${key} data-options='{"capture_pageview": false}'`],
      ['no-key', ''],
      ['bad-options', `${key} data-options="{"`],
    ] as const
    for (const [name, attributes] of changes) {
      const visitor = await browser.visitor()
      const html = line.replace(key, () => attributes)
      await visitor.page.goto(browser.pages.show(`/${name}.html`, html))
      const isStarted = await visitor.page.evaluate('window.posthog.__loaded === true')
      t.equal(isStarted, name === 'options', name)
      if (name === 'options') {
        t.equal(await visitor.page.evaluate('window.posthog.config.capture_pageview'), false)
        t.strictSame(visitor.troubles, [])
      } else {
        const [trouble = '', ...more] = visitor.troubles
        t.match(trouble, name === 'no-key' ? /the script tag needs data-key/ : /is not JSON/)
        t.strictSame(more, [])
      }
      await visitor.close()
    }
  })
})

const EVENTS = [...Array(20).keys()]
/** First byte of its format. */
const GZIP = 0x1f
/** Batches go sooner than the usual three seconds. */
const QUICK = { request_queue_config: { flush_interval_ms: 250 } }
const BETAS = ['suite-beta', 'suite-beta-super'] as const
const nobody = [{ properties: [], rollout_percentage: 0 }]

async function createFlag(product: Product, key: string, filters: object): Promise<void> {
  const path = '/api/projects/1/feature_flags/'
  const answer = await request(`${product.url}${path}`, {
    key: product.personalKey,
    body: { key, filters },
  })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer))
}
