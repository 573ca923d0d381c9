/** Extreme input of people and apps, as the pages show it over the real product. */
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { pasteInto, press, textOf } from './support/actions.ts'
import { startConsole } from './support/console.ts'

const HOUR_MS = 3_600_000
/** Written from right to left, turns what follows it, and is HTML. */
const NAME = '<img src=x onerror="window.wasRun=1">\u202Eשלום مرحبا'
const ROWS = 'tbody tr:not(.row-space)'
/** A megabyte is read each time. */
const SELDOM = { pollMs: 250 }

t.test('extremes', async (t) => {
  const console = await startConsole(t)
  const api = async (method: string, path: string, body?: object) => {
    const url = `${console.url}/api/projects/1/${path}`
    const answer = await request(url, { method, key: console.product.personalKey, body })
    t.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    return answer.body as { readonly id: number; readonly short_id?: string }
  }
  const flag = await api('POST', 'feature_flags/', { key: 'known', name: NAME, tags: [NAME] })
  const called = {
    ...{ event: '$feature_flag_called', distinct_id: 'somebody' },
    properties: { $feature_flag: 'known', $feature_flag_response: true },
  }
  await t.test('the clock of the browser is an hour ahead, or behind', async (t) => {
    for (const offMs of [HOUR_MS, -HOUR_MS]) {
      // Persons who did anything in the last five minutes are in the list.
      await console.capture([called])
      const screen = await console.open('/project/1/live')
      const { page } = screen
      await screen.runBefore(clockOff(offMs))
      const show = async (path: string, wanted: string, text: RegExp) => {
        await screen.show(path, {})
        await page.waitForSelector(wanted)
        await until(`${path} says ${text}`, async () => text.test(await textOf(screen, wanted)))
        t.strictSame(await screen.faults(), [], `${path}, ${offMs}`)
      }
      await show('/project/1', '.stats', /Active now1/)
      await show('/project/1/live', '.live-bar > .figure', /^1 person/)
      await show('/project/1/feature_flags', ROWS, /(?:now|sec\. ago|min\. ago)$/)
      const busy = { code: 'unavailable', detail: 'Too much to do.', type: 'server_error' }
      const path = /\/query\//
      await screen.show('/project/1', {
        stubs: [{ path, status: 503, body: busy, headers: { 'retry-after': '2' } }],
      })
      await page.waitForSelector('.failure-count')
      screen.stub([])
      await page.waitForSelector('.stats')
      await screen.close()
    }
  })

  await t.test(
    'a property of nearly a megabyte is shown in part, and more on demand',
    async (t) => {
      const big = 'a long text '.repeat(80_000)
      const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`member ${at}`, at]))
      await console.capture([
        {
          ...{ event: 'big', distinct_id: 'large', timestamp: new Date().toISOString() },
          properties: { big, $pathname: 'short', $set: { email: 'large@example.com', many } },
        },
        { event: 'set', distinct_id: 'large', properties: { $set: { big } } },
      ])
      const screen = await console.open('/project/1/events?select=event&select=properties.big')
      const { page } = screen
      await page.waitForSelector(ROWS)
      const shown = async () => (await page.$eval('body', ({ innerText }) => innerText)).length
      t.ok((await shown()) < 10_000)
      await page.$$eval(ROWS, (rows) => {
        const row = rows.find(({ textContent }) => textContent?.startsWith('big'))
        row?.querySelector('td')?.click()
      })
      await page.waitForSelector('dialog .json')
      t.ok((await shown()) < 20_000)
      t.strictSame(await screen.faults(), [])
      const more = `Show more of ${big.length.toLocaleString('en')} characters`
      await press(screen, more)
      await until('more is shown', async () => (await shown()) > 20_000, SELDOM)
      await press(screen, more)
      await press(screen, more)
      await until('all is shown', async () => (await shown()) > big.length - 1, SELDOM)
      await screen.show('/project/1/person/large', {})
      await page.waitForSelector('.person-properties')
      t.ok((await shown()) < 20_000)
      t.strictSame(await screen.faults(), [])
      await screen.show('/project/1/live', {})
      await page.waitForSelector('tbody tr')
      await page.$eval('tbody tr td', (cell) => cell.click())
      await page.waitForSelector('dialog .json')
      t.ok((await shown()) < 40_000)
      await screen.close()
    },
  )

  await t.test(
    'names that are HTML and turn what follows are text, and turn nothing',
    async (t) => {
      await console.capture([
        {
          ...{ event: NAME, distinct_id: NAME },
          properties: {
            ...{ [NAME]: NAME, $pathname: NAME, $browser: NAME, $referring_domain: NAME },
            ...{
              $session_id: NAME,
              list: [NAME, { [NAME]: NAME }],
              $set: { name: NAME, [NAME]: 1 },
            },
          },
        },
      ])
      const filter = { key: NAME, type: 'person', operator: 'exact', value: [NAME] }
      const filters = { groups: [{ properties: [filter], rollout_percentage: 50 }] }
      await api('PATCH', `feature_flags/${flag.id}/`, { filters })
      const held = { properties: { type: 'AND', values: [{ type: 'AND', values: [filter] }] } }
      await api('POST', 'cohorts/', { name: NAME, filters: held })
      const query = {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: NAME }],
        breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
      }
      const insight = await api('POST', 'insights/', { name: NAME, description: NAME, query })
      const tiles = [{ text: { body: NAME } }, { insight: insight.short_id }]
      const dashboard = await api('POST', 'dashboards/', { name: NAME, description: NAME, tiles })
      const id = encodeURIComponent(NAME)
      const where = encodeURIComponent(`event = '${NAME}'`)
      const pages = {
        '/project/1': '.overview-lists li',
        '/project/1/live': 'tbody tr',
        [`/project/1/events?where=${where}`]: ROWS,
        '/project/1/persons': 'tbody tr',
        [`/project/1/person/${id}`]: '.person-event',
        [`/project/1/insights/${insight.short_id}`]: '.insight-answer .chart',
        '/project/1/insights': 'tbody tr',
        '/project/1/dashboards': 'tbody tr',
        [`/project/1/dashboard/${dashboard.id}`]: '.chart',
        '/project/1/feature_flags': 'tbody tr',
        [`/project/1/feature_flags/${flag.id}`]: '.flag-set',
        [`/project/1/feature_flags/${flag.id}?tab=history`]: '.flag-version',
        '/project/1/settings/audit': '.settings-entry',
      }
      const screen = await console.open('/project/1')
      for (const [path, wanted] of Object.entries(pages)) {
        await screen.show(path, {})
        await screen.page.waitForSelector(wanted)
        await screen.page.$$eval('main details', (all) => {
          for (const each of all) each.open = true
        })
        t.strictSame(await turnedWords(screen.page), [], path)
        t.strictSame(await screen.faults(), [], path)
        t.equal(await screen.page.evaluate('window.wasRun'), undefined, path)
      }
      for (const path of ['/project/1/live', `/project/1/events?where=${where}`]) {
        await screen.show(path, {})
        await screen.page.waitForSelector(ROWS)
        await screen.page.$eval(`${ROWS} td`, (cell) => cell.click())
        await screen.page.waitForSelector('dialog .json')
        t.strictSame(await turnedWords(screen.page), [], `${path}, opened`)
      }
      await screen.close()
    },
  )

  await t.test('ten thousand flags are listed, found and scrolled', async (t) => {
    const [known] = [await api('GET', `feature_flags/${flag.id}/`)]
    const page = (from: number) =>
      Array.from({ length: 1_000 }, (_, at) => ({
        ...{ ...known, id: 1_000 + from + at, key: `flag-${from + at}`, name: '', tags: [] },
      }))
    const stubs = Array.from({ length: 10 }, (_, at) => ({
      path: new RegExp(`/feature_flags/\\?limit=1000&offset=${at * 1_000}$`),
      body: { count: 10_000, next: null, previous: null, results: page(at * 1_000) },
    }))
    const screen = await console.open('/project/1/feature_flags', { stubs })
    const rows = () => screen.page.$$eval(ROWS, ({ length }) => length)
    await screen.page.waitForSelector(ROWS)
    await screen.page.waitForFunction('document.querySelector(".flags-part") === null')
    t.equal(await rows(), 100, 'rows that nobody has asked for are not drawn')
    // In one piece: each key filters ten thousand rows.
    await pasteInto(screen, 'input[type=search]', 'flag-9999')
    await until('the last one is found', async () => (await rows()) === 1)
    t.match(await textOf(screen, ROWS), /flag-9999/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})

/** A script for each page before its own: its clock is so far off. */
function clockOff(offMs: number): string {
  return `{
    const Real = Date
    window.Date = class extends Real {
      constructor(...parts) {
        if (parts.length === 0) super(Real.now() + ${offMs})
        else super(...parts)
      }
      static now() { return Real.now() + ${offMs} }
    }
  }`
}

/** Latin words on the page, outside the name, whose last letter stands before their first one. */
async function turnedWords(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const name = ${JSON.stringify(NAME)}
    const turned = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const leftOf = (node, at) => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect()
    }
    while (walker.nextNode()) {
      const node = walker.currentNode
      const bare = node.data.replaceAll(name, ' '.repeat(name.length))
      for (const { 0: word, index } of bare.matchAll(/[A-Za-z]{2,}/g)) {
        const [first, last] = [leftOf(node, index), leftOf(node, index + word.length - 1)]
        if (first.width > 0 && first.top === last.top && last.left < first.left) {
          const { outerHTML } = node.parentElement
          turned.push(word + ' in ' + node.data + ' of ' + outerHTML.slice(0, 120))
        }
      }
    }
    return turned
  })()`)) as readonly string[]
}
