/** Annotations on the axis of charts, as a browser shows them. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { clearOfMidnight } from '../support/until.ts'
import { clickOn, focusOn, pasteInto, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'

const DAY_MS = 86_400_000
const MARK = '.annotation-mark'

t.test('annotations of a chart', async (t) => {
  await clearOfMidnight(120_000)
  const console = await startConsole(t)
  const api = async (method: string, tail: string, body?: object) => {
    const url = `${console.url}/api/projects/1/${tail}`
    const answer = await request(url, { method, key: console.product.personalKey, body })
    t.ok(answer.status < 300, `${method} ${tail}: ${answer.status}`)
    return answer.body as { readonly [name: string]: unknown }
  }
  const at = new Date(Date.now() - 2 * DAY_MS).toISOString()
  await console.capture([
    { event: '$pageview', distinct_id: 'ann', timestamp: at, properties: { $pathname: '/' } },
  ])
  const query = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview' }],
    dateRange: { date_from: '-7d' },
  }
  const views = await api('POST', 'insights/', { name: 'Views', query })
  const other = await api('POST', 'insights/', { name: 'Other', query })
  await api('POST', 'annotations/', { content: '<b>Release</b> 2.0', date_marker: at })
  await api('POST', 'annotations/', {
    content: 'Of another insight',
    date_marker: at,
    scope: 'insight',
    dashboard_item: other['id'],
  })

  await t.test('a mark says its text, by pointer and by keys', async (t) => {
    for (const path of ['/project/1/web', '/project/1']) {
      const screen = await console.open(path)
      await screen.page.waitForSelector(MARK)
      t.equal((await screen.page.$$(MARK)).length, 1, path)
      await focusOn(screen, MARK)
      t.match(await textOf(screen, '.chart-card'), /<b>Release<\/b> 2\.0/, path)
      t.strictSame(await screen.faults(), [])
      await screen.close()
    }
  })

  await t.test('a day is marked, the mark changed and deleted', async (t) => {
    const screen = await console.open(`/project/1/insights/${views['short_id']}`)
    const { page } = screen
    await page.waitForSelector(MARK)
    await clickOn(screen, '.annotation-axis')
    await press(screen, 'Cancel')
    await clickOn(screen, '[aria-label="Add an annotation"]')
    await typeInto(screen, 'dialog textarea', 'Sale')
    await page.select('dialog select', 'insight')
    await press(screen, 'Save')
    await page.waitForSelector(`${MARK}:nth-of-type(2)`)
    t.match(await api('GET', 'annotations/?search=sale'), {
      count: 1,
      results: [{ content: 'Sale', scope: 'insight', insight_short_id: views['short_id'] }],
    })
    await pressOn(screen, `${MARK}[aria-label*=Sale]`)
    await press(screen, 'Edit')
    await pasteInto(screen, 'dialog textarea', 'Sale begins')
    await press(screen, 'Save')
    await page.waitForSelector(`${MARK}[aria-label*="Sale begins"]`)
    await pressOn(screen, `${MARK}[aria-label*=Sale]`)
    await press(screen, 'Delete')
    await press(screen, 'Delete annotation')
    await page.waitForSelector(`${MARK}[aria-label*=Sale]`, { hidden: true })
    t.match(await api('GET', 'annotations/?search=sale'), { count: 0 })
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})
