/** The page of web analytics as a browser shows it. */
import t from 'tap'
import { clearOfMidnight, until } from '../support/until.ts'
import {
  addressOf,
  choose,
  clickOn,
  pasteInto,
  press,
  textOf,
  typeInto,
} from './support/actions.ts'
import { startConsole } from './support/console.ts'

const MINUTE_MS = 60_000

type View = readonly [visitor: string, path: string, minutesAgo: number, more?: object]

function views(rows: readonly View[]): readonly object[] {
  const now = Date.now()
  return rows.map(([visitor, $pathname, minutesAgo, more]) => ({
    event: '$pageview',
    distinct_id: visitor,
    timestamp: new Date(now - minutesAgo * MINUTE_MS).toISOString(),
    properties: { $session_id: `session of ${visitor}`, $pathname, ...more },
  }))
}

t.test('the page of web analytics', async (t) => {
  await clearOfMidnight(120_000)
  const console = await startConsole(t)

  await console.capture(
    views([
      ['ann', '/', 12, { $referring_domain: 'www.google.com', $browser: 'Chrome' }],
      ['ann', '/plans', 10, { $browser: 'Chrome' }],
      ['ben', '/', 9, { $referring_domain: '$direct', $geoip_country_code: 'BR' }],
      ['cid', '/plans', 8, { $referring_domain: 'chatgpt.com', $browser: 'Safari' }],
    ]),
  )

  await t.test('shows numbers, a chart and panels', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-panels .ranked-item')
    const stats = await textOf(screen, '.web-numbers .stats')
    t.match(stats, /Visitors3.*Page views4.*Sessions3.*Views per session1\.3.*Bounce rate66\.7%/)
    const panels = await textOf(screen, '.web-panels')
    for (const channel of ['Organic Search', 'Direct', 'AI']) t.match(panels, channel)
    t.match(panels, /Top pages.*\/.*66\.7%2.*\/plans.*66\.7%2/)
    await clickOn(screen, '.web-numbers .stats button:nth-child(6)')
    await page.waitForSelector('.web-numbers button:nth-child(6)[aria-pressed=true]')
    t.equal((await addressOf(screen)).searchParams.get('show'), 'bounce rate')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a project with page views opens with them', async (t) => {
    const screen = await console.open('/')
    await screen.page.waitForSelector('.web-numbers')
    t.equal((await addressOf(screen)).pathname, '/project/1/web')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('any earlier period is compared', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-numbers')
    await page.select('main select', 'custom')
    await page.waitForSelector('dialog [name=count]')
    t.strictSame(await screen.faults(), [])
    await pasteInto(screen, 'dialog [name=count]', '3')
    await page.select('dialog [name=unit]', 'w')
    await press(screen, 'Compare')
    await page.waitForFunction('document.querySelector("main select")?.value === "-3w"')
    t.equal((await addressOf(screen)).searchParams.get('compare'), '-3w')
    t.match(await textOf(screen, 'main select option:checked'), /^3 weeks earlier$/)
    await screen.close()
  })

  await t.test('a date range is a period up to now, or days', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-numbers')
    const date = async () => (await addressOf(screen)).searchParams.get('date')
    await choose(screen, 'Date range', 'Custom range…')
    await page.waitForSelector('dialog [name=count]')
    t.strictSame(await screen.faults(), [])
    await pasteInto(screen, 'dialog [name=count]', '3')
    await page.select('dialog [name=unit]', 'w')
    await press(screen, 'Show this period')
    await page.waitForFunction('document.body.textContent.includes("Date range: Last 3 weeks")')
    t.equal(await date(), '-3w')
    await choose(screen, 'Date range', 'Custom range…')
    for (const name of ['from', 'to']) {
      await page.$eval(`dialog [name=${name}]`, (field) => {
        field.value = '2026-03-01'
      })
    }
    await press(screen, 'Show these days')
    await page.waitForFunction('document.querySelector("dialog") === null')
    t.equal(await date(), '2026-03-01..2026-03-01')
    await screen.close()
  })

  await t.test('a letter chooses the date range', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-numbers')
    const date = async () => (await addressOf(screen)).searchParams.get('date')
    await page.keyboard.press('t')
    await page.waitForFunction('document.body.textContent.includes("Date range: Last 30 days")')
    t.equal(await date(), '-30d')
    await page.keyboard.press('w')
    await page.waitForFunction('document.body.textContent.includes("Date range: Last 7 days")')
    t.equal(await date(), null, 'the default')
    await screen.close()
  })

  await t.test('a row is a filter of sessions, and a tab another table', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-panels .ranked-item')
    await clickOn(screen, '.ranked-item[title^="Organic Search"]')
    await page.waitForFunction(
      `/Visitors1/.test(document.querySelector('.web-numbers .stats')?.textContent)`,
    )
    t.match(await textOf(screen, '.chips'), /Channel type is Organic Search/)
    await press(screen, 'Exit pages')
    await page.waitForFunction(
      `/^\\/plans.*1$/.test(document.querySelector('.web-panel:nth-child(2) li')?.textContent)`,
    )
    t.equal((await addressOf(screen)).searchParams.get('pages'), 'ExitPage')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a country of the map is a filter, as its row is', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    const brazil = await page.waitForSelector('.web-map use[href$="#BR"]')
    await brazil?.evaluate((shape) => shape.scrollIntoView({ block: 'center' }))
    await until('the shapes have come', async () => ((await brazil?.boundingBox())?.width ?? 0) > 5)
    await brazil?.click()
    await page.waitForFunction(
      `/Visitors1/.test(document.querySelector('.web-numbers .stats')?.textContent)`,
    )
    t.match(await textOf(screen, '.chips'), /is BR/)
    t.match(await textOf(screen, '.ranked-item[aria-pressed=true]'), /^Brazil/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('details have all rows, a search and a file', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-panels .ranked-item')
    await clickOn(screen, '.web-panel:nth-child(1) .web-more')
    await page.waitForSelector('dialog tbody tr')
    t.equal((await page.$$('dialog tbody tr')).length, 3)
    await page.keyboard.type('dir')
    await page.waitForFunction(`document.querySelectorAll('dialog tbody tr').length === 1`)
    const file = await page.$eval('dialog a[download]', ({ href }) => href)
    t.match(decodeURIComponent(file), /Channel,Visitors,Page views,Bounce rate\r\nDirect,1,1,1\r\n/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('parts without an answer say why, and are asked for again', async (t) => {
    const detail = 'The query took too long.'
    const body = { results: Array.from({ length: 8 }, () => ({ error: { code: 'x', detail } })) }
    for (const path of ['/project/1/web', '/project/1?date=-30d']) {
      const screen = await console.open(path, { stubs: [{ path: /\/query\//, body }] })
      await screen.page.waitForSelector('.failure')
      t.match(await textOf(screen, '.failure'), detail)
      t.strictSame(await screen.faults(), [])
      screen.stub([])
      await press(screen, 'Try again')
      await screen.page.waitForSelector('.ranked-item')
      t.equal(await screen.page.$('.failure'), null)
      await screen.close()
    }
  })

  await t.test('a goal is made on the page, and its conversions are shown', async (t) => {
    const screen = await console.open('/project/1/web')
    const { page } = screen
    await page.waitForSelector('.web-panel .ranked-empty')
    t.match(await textOf(screen, '.web-panel:nth-child(5)'), /No goals yet/)
    await press(screen, 'Add a goal')
    await typeInto(screen, 'dialog input[maxlength="100"]', 'Saw a page')
    await clickOn(screen, 'dialog .input-select')
    await typeInto(screen, '[popover] input', '$pageview')
    await page.waitForSelector('[popover] [role=option][aria-selected=true]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog button[type=submit]:not([disabled])')
    await clickOn(screen, 'dialog button[type=submit]')
    await page.waitForSelector('dialog .web-goals li')
    await page.keyboard.press('Escape')
    await clickOn(screen, '.ranked-item[title^="Saw a page"]')
    await page.waitForFunction(
      `/Conversion rate100%/.test(document.querySelector('.web-numbers .stats')?.textContent)`,
    )
    t.equal((await addressOf(screen)).searchParams.get('goal'), 'Saw a page')
    await clickOn(screen, '.web-panel:nth-child(5) .web-more')
    await page.waitForSelector('dialog .web-goals li')
    await press(screen, 'Edit')
    await page.waitForFunction(`document.querySelector('dialog form input').value === 'Saw a page'`)
    await pasteInto(screen, 'dialog form input', 'Looked')
    await press(screen, 'Save goal')
    await page.waitForFunction(
      `document.querySelector('dialog .web-goals').textContent.startsWith('Looked')`,
    )
    t.equal((await page.$$('dialog .web-goals li')).length, 1, 'the same goal, not one more')
    await page.waitForSelector('.ranked-item[title^="Looked"][aria-pressed=true]')
    t.equal((await addressOf(screen)).searchParams.get('goal'), 'Looked', 'the page follows')
    t.equal(await page.$eval('dialog form input', ({ value }) => value), '', 'a new one is next')
    await clickOn(screen, 'dialog .web-goals button[aria-label^="Remove"]')
    await page.waitForFunction(`document.querySelector('dialog .web-goals') === null`)
    await page.keyboard.press('Escape')
    await page.waitForFunction(`!location.search.includes('goal=')`)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('an empty range says so', async (t) => {
    const screen = await console.open('/project/1/web?date=2020-01-01..2020-01-02')
    await screen.page.waitForSelector('.empty')
    t.match(await textOf(screen, '.empty'), /No page views in this range/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})
