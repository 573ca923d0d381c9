/** The shell of the console and its overview, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { textOf } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, NEVER, usualStates } from './support/states.ts'

// A machine that is busy is no failure.
t.setTimeout(600_000)

t.test('the shell', async (t) => {
  const console = await startConsole(t)
  await t.test('before the first event the page says why it is empty', async (t) => {
    const screen = await console.open('/project/1')
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await console.capture(sampleEvents(60))
  const query = /^\/api\/projects\/1\/query\//
  const failing = { path: query, status: 500, body: problem('internal', 'A word of the server.') }
  await checkStates(t, console, [['/project/1', usualStates(query, '.overview-lists')]])

  await t.test('there is no line of a range before in which nothing happened', async (t) => {
    const screen = await console.open('/project/1?date=-30d')
    await screen.page.waitForSelector('.overview-numbers .chart')
    t.equal(await screen.page.$('.overview-numbers .is-earlier'), null)
    t.notMatch(await textOf(screen, '.stats'), /none before/)
    await screen.show('/project/1?date=-7d', {})
    await screen.page.waitForSelector('.overview-numbers .is-earlier')
    await screen.close()
  })

  await t.test('a call that fails is made again when the user asks', async (t) => {
    const screen = await console.open('/project/1', { stubs: [failing] })
    await screen.page.waitForSelector('.failure')
    screen.stub([])
    await screen.page.click('.failure button')
    await screen.page.waitForSelector('.overview-lists')
    t.equal(await screen.page.$('.failure'), null)
    await screen.close()
  })

  await t.test(
    'a click on a row filters, with Alt it excludes, and the address says so',
    async (t) => {
      const screen = await console.open('/project/1')
      const { page } = screen
      const countries = 'section[aria-label=Countries]'
      await page.waitForSelector(`${countries} button`)
      const answered = () =>
        page.waitForResponse((response) => query.test(new URL(response.url()).pathname))
      await Promise.all([answered(), page.click(`${countries} li:nth-child(1) button`)])
      await page.waitForSelector(`${countries} li:only-child`)
      const held = () => JSON.parse(new URL(page.url()).searchParams.get('f') ?? '[]') as object[]
      t.match(held(), [{ key: '$geoip_country_code', operator: 'exact' }])
      await page.keyboard.down('Alt')
      await Promise.all([answered(), page.click('section[aria-label=Browsers] button')])
      await page.keyboard.up('Alt')
      t.match(held(), [{ operator: 'exact' }, { key: '$browser', operator: 'is_not' }])
      await page.goBack()
      t.equal(held().length, 1, 'the way back is the state before')
      await screen.close()
    },
  )

  await t.test('a click on the name of an event counts the events of that name', async (t) => {
    const screen = await console.open('/project/1?date=-30d')
    const { page } = screen
    const first = 'section[aria-label=Events] li:nth-child(1)'
    await page.waitForSelector(`${first} button`)
    const text = (part: string) =>
      page.$eval(`${first} ${part}`, ({ textContent }) => textContent ?? '')
    const [name, count] = [await text('.ranked-label'), await text('.figure')]
    await page.click(`${first} button`)
    await page.waitForSelector('section[aria-label=Events] li:only-child')
    const events = 'button.stat:nth-of-type(2) .stat-value'
    t.equal(await page.$eval(events, ({ textContent }) => textContent), count)
    t.equal(await text('.ranked-label'), name)
    t.equal(await page.$$eval('section[aria-label=Pages] li', ({ length }) => length > 0), true)
    t.equal(await page.$eval('.chip-text', ({ textContent }) => textContent), `event is ${name}`)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('numbers that are counted anew stay legible', async (t) => {
    for (const theme of ['light', 'dark'] as const) {
      const screen = await console.open('/project/1', { theme })
      await screen.page.waitForSelector('.overview-lists')
      screen.stub([{ path: query, after: NEVER }])
      await screen.page.click('section[aria-label=Browsers] button')
      await screen.page.waitForSelector('.stale')
      await screen.page.waitForFunction(`document.querySelector('.stale').getAnimations()
        .every(({ playState }) => playState === 'finished')`)
      t.strictSame(await screen.faults(), [], theme)
      await screen.close()
    }
  })

  await t.test('the five numbers are those that a trend answers, asked in one call', async (t) => {
    const screen = await console.open('/project/1?date=-30d')
    const { page } = screen
    await page.waitForSelector('.overview-lists')
    const shown = await page.$$eval('button.stat .stat-value', (all) =>
      all.map(({ textContent }) => Number(textContent?.replace(/,/g, ''))),
    )
    const series = [
      { math: 'dau', event: null },
      { math: 'total', event: null },
      { math: 'unique_session', event: null },
      { math: 'total', event: '$feature_flag_called' },
    ].map((each) => ({ kind: 'EventsNode', ...each }))
    const { body } = await request(`${console.url}/api/projects/1/query/`, {
      key: console.product.personalKey,
      body: {
        query: {
          ...{ kind: 'TrendsQuery', series, dateRange: { date_from: '-30d' } },
          trendsFilter: { display: 'BoldNumber' },
        },
      },
    })
    const { results } = body as { results: { aggregated_value: number }[] }
    t.strictSame(
      shown,
      results.map(({ aggregated_value }) => aggregated_value),
    )
    await screen.close()
  })

  await t.test('the palette finds pages, persons and events by keys alone', async (t) => {
    const screen = await console.open('/project/1')
    const { page } = screen
    await page.waitForSelector('.overview-lists')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.waitForSelector('dialog [role=combobox]')
    await page.keyboard.type('signed')
    await page.waitForSelector('[role=option]')
    t.strictSame(await screen.faults(), [])
    await page.keyboard.down('Control')
    await page.keyboard.press('a')
    await page.keyboard.up('Control')
    await page.keyboard.type('Live')
    await page.waitForSelector('[role=option][aria-selected=true]')
    await page.keyboard.press('Enter')
    await page.waitForFunction('location.pathname === "/project/1/live"')
    t.equal(await page.$('dialog'), null)
    await screen.close()
  })

  await t.test('single keys open pages and help, until they are switched off', async (t) => {
    const screen = await console.open('/project/1')
    const { page } = screen
    await page.waitForSelector('.overview-lists')
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.waitForFunction('location.pathname === "/project/1/live"')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog .keys')
    t.strictSame(await screen.faults(), [])
    await page.click('dialog [role=switch]')
    await page.keyboard.press('Escape')
    await page.waitForFunction('document.querySelector("dialog") === null')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.keyboard.press('?')
    t.equal(await page.$('dialog'), null)
    t.equal(new URL(page.url()).pathname, '/project/1/live')
    await screen.close()
  })

  await t.test('a session that ends asks to sign in, and the call is made again', async (t) => {
    const ended = { path: query, status: 401, body: problem('not_authenticated', 'It has ended.') }
    const login = { path: /^\/api\/login\//, body: {} }
    const screen = await console.open('/project/1?show=events', { stubs: [ended, login] })
    const { page } = screen
    await page.waitForSelector('dialog .sign-in')
    t.strictSame(await screen.faults(/401/), [])
    screen.stub([login])
    await page.type('dialog input[name=email]', 'owner@example.com')
    await page.type('dialog input[name=password]', 'a password')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.overview-lists')
    t.equal(await page.$('dialog'), null)
    t.equal(new URL(page.url()).search, '?show=events', 'the page is where it was')
    await screen.close()
  })

  await t.test('an address that leads nowhere says so, and offers a search', async (t) => {
    const screen = await console.open('/project/1/nowhere')
    const heading = await screen.page.$eval('h1', ({ textContent }) => textContent)
    t.equal(heading, 'There is no such page')
    t.ok(await screen.page.$('main input[type=search]'))
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('the secret of a link leaves the address before it is used', async (t) => {
    const sent: unknown[] = []
    const screen = await console.open('/', {
      isStranger: true,
      stubs: [
        { path: /^\/api\/session\//, body: { user: null } },
        {
          ...{ path: /^\/api\/login\//, status: 401 },
          body: problem('login_link_used', 'This link has been used already.'),
        },
      ],
    })
    screen.page.on('request', (asked) => {
      if (asked.url().endsWith('/api/login/')) sent.push(JSON.parse(asked.postData() ?? '{}'))
    })
    t.equal(new URL(screen.page.url()).pathname, '/login')
    await screen.page.goto(`${console.url}/login?again=1#secret-of-a-link`)
    await screen.page.waitForSelector('.failure')
    t.equal(screen.page.url(), `${console.url}/login?again=1`)
    const heading = () => screen.page.$eval('.failure h2', ({ textContent }) => textContent)
    t.equal(await heading(), 'This link has been used already')
    await screen.page.evaluate('location.hash = "another-secret"')
    await until('the second one was tried', async () => sent.length === 2)
    await screen.page.waitForSelector('.failure')
    t.equal(screen.page.url(), `${console.url}/login?again=1`, 'nor does one that is pasted')
    t.strictSame(sent, [{ login_token: 'secret-of-a-link' }, { login_token: 'another-secret' }])
    t.strictSame(await screen.faults(/401/), [])
    await screen.close()
  })
})

function problem(code: string, detail: string): object {
  return { type: 'server_error', code, detail, attr: null }
}
