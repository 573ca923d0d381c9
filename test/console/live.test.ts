/** The page of live events, as a browser shows it over the real product. */
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { until } from '../support/until.ts'
import { addressOf, clickOn, pressOn, textOf } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, failing, NEVER } from './support/states.ts'

const HOSTILE = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'

t.test('live events', async (t) => {
  const console = await startConsole(t)
  const send = async (event: string, properties: object = {}) => {
    await console.capture([{ event, distinct_id: 'somebody', properties }])
  }
  const ready = async (page: Page) => {
    await page.waitForSelector('.live-open')
  }

  await t.test('before the first event the page says what it waits for', async (t) => {
    const screen = await console.open('/project/1/live')
    await screen.page.waitForSelector('.live-open')
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await send('the first')
    await screen.page.waitForSelector('tbody tr')
    await screen.close()
  })

  await console.capture(sampleEvents(40))
  const stream = /^\/api\/projects\/1\/live\//
  const list = /^\/api\/projects\/1\/events\//
  await checkStates(t, console, [
    [
      '/project/1/live',
      {
        data: { shows: '.live-open ~ *, tbody tr:nth-child(20)', isSeenInAllLooks: true },
        slow: {
          shows: '.skeleton',
          stubs: [
            { path: stream, after: NEVER },
            { path: list, after: NEVER },
          ],
        },
        // The page asks again by itself.
        'error 500': failing(stream, 500, '.live-waiting'),
        'error 403': failing(stream, 403),
      },
    ],
  ])

  await t.test('the newest is on top, and what an event holds is text', async (t) => {
    const screen = await console.open('/project/1/live')
    const { page } = screen
    await ready(page)
    await send(HOSTILE, { $pathname: HOSTILE, [HOSTILE]: HOSTILE })
    const name = () => page.$eval('tbody tr td:nth-child(2)', ({ textContent }) => textContent)
    await until('it is on top', async () => (await name()) === HOSTILE)
    await clickOn(screen, 'tbody tr td:nth-child(2)')
    await page.waitForSelector('dialog .json')
    t.match(await page.$eval('dialog h2', ({ textContent }) => textContent), HOSTILE)
    t.equal(await page.evaluate('window.wasRun'), undefined)
    t.strictSame(await screen.faults(), [])
    await page.keyboard.press('Escape')
    await page.waitForFunction('document.querySelector("dialog") === null')
    await screen.close()
  })

  await t.test('the list is paused while a user looks, and says how many arrived', async (t) => {
    const screen = await console.open('/project/1/live')
    const { page } = screen
    await ready(page)
    await page.waitForSelector('tbody tr')
    const shown = () => page.$eval('tbody tr td:nth-child(2)', ({ textContent }) => textContent)
    await page.hover('tbody tr')
    const before = await shown()
    await send('while paused 1')
    await send('while paused 2')
    const button = await page.waitForSelector('.live-new button')
    await until(
      'both are counted',
      async () => (await button?.evaluate(({ textContent }) => textContent)) === '2 new',
    )
    t.equal(await shown(), before)
    t.strictSame(await screen.faults(), [])
    await button?.click()
    await until('the newest is shown', async () => (await shown()) === 'while paused 2')
    await screen.close()
  })

  await t.test('an event that the address names is a filter like any other', async (t) => {
    const screen = await console.open('/project/1/live?event=the%20first')
    const { page } = screen
    await ready(page)
    await page.waitForSelector('tbody tr')
    t.equal(await textOf(screen, '.chip-text'), 'event is the first')
    const names = () => page.$$eval('td strong', (all) => all.map((each) => each.textContent))
    t.strictSame([...new Set(await names())], ['the first'])
    await pressOn(screen, '.chip-close')
    await until('all events are shown', async () => (await names()).length > 1)
    t.equal((await addressOf(screen)).search, '')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a tab that is hidden has no stream', async (t) => {
    const screen = await console.open('/project/1/live')
    const { page } = screen
    await ready(page)
    await page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
    `)
    await page.waitForSelector('.live-closed')
    await send('while hidden')
    await page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => false })
      document.dispatchEvent(new Event('visibilitychange'))
    `)
    await ready(page)
    const names = () => page.$$eval('td strong', (all) => all.map((each) => each.textContent))
    await until('the list fills the gap', async () => (await names()).includes('while hidden'))
    t.pass('what came meanwhile is there')
    await screen.close()
  })

  await t.test('a restart cuts no page off, and no event is shown twice', async (t) => {
    const screen = await console.open('/project/1/live')
    const { page } = screen
    await ready(page)
    const names = () => page.$$eval('td strong', (all) => all.map((each) => each.textContent))
    await send('before the restart')
    await until('it is shown', async () => (await names()).includes('before the restart'))
    await console.product.restart()
    await send('after the restart')
    await until('the gap is filled', async () => (await names()).includes('after the restart'))
    await ready(page)
    const shown = await names()
    t.equal(shown.filter((name) => name === 'before the restart').length, 1)
    t.equal(shown.filter((name) => name === 'after the restart').length, 1)
    await screen.close()
  })
})
