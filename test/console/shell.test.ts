/** The shell of the console and its overview, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { addressOf, clickOn, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, NEVER, usualStates } from './support/states.ts'

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

  await t.test('a page that waits stands still in the end', async (t) => {
    const screen = await console.open('/project/1', { stubs: [{ path: query, after: NEVER }] })
    const { page } = screen
    await page.waitForSelector('.overview-skeleton')
    const moving = `document.getAnimations()
      .map(({ effect }) => String(effect.getComputedTiming().endTime))`
    const ends = ((await page.evaluate(moving)) as string[]).map(Number)
    t.ok(ends.length >= 3, `${ends.length} animations`)
    t.ok(Math.max(...ends) < 5_000, `the last ends after ${Math.max(...ends)} ms`)
    await page.waitForFunction(
      'document.getAnimations().every(({ playState }) => playState !== "running")',
    )
    t.ok(await page.$('.overview-skeleton'), 'it still waits')
    await screen.close()
  })

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
    await pressOn(screen, '.failure button')
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
      const answered = () => page.waitForFunction('document.querySelector(".stale") === null')
      const browsers = () => page.$$eval('section[aria-label=Browsers] li', ({ length }) => length)
      const held = async () =>
        JSON.parse((await addressOf(screen)).searchParams.get('f') ?? '[]') as object[]
      await clickOn(screen, `${countries} li:nth-child(1) button`)
      t.match(await held(), [{ key: '$geoip_country_code', operator: 'exact' }])
      await answered()
      await page.waitForSelector(`${countries} li:only-child`)
      const before = await browsers()
      await page.keyboard.down('Alt')
      await clickOn(screen, 'section[aria-label=Browsers] button')
      await page.keyboard.up('Alt')
      t.match(await held(), [{ operator: 'exact' }, { key: '$browser', operator: 'is_not' }])
      await answered()
      t.equal(await browsers(), before - 1)
      await page.goBack()
      t.equal((await held()).length, 1, 'the way back is the state before')
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
    await pressOn(screen, `${first} button`)
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
      await pressOn(screen, 'section[aria-label=Browsers] button')
      await screen.page.waitForSelector('.stale')
      t.strictSame(await screen.faults(), [], theme)
      const tint = Number(
        await screen.page.evaluate(`{
          const { opacity, fillOpacity } = getComputedStyle(document.querySelector('.stale .chart-area'))
          opacity * fillOpacity
        }`),
      )
      t.ok(tint > 0 && tint < 0.1, 'the area under the line hides nothing')
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

  await t.test('the palette finds a flag among any number of others', async (t) => {
    const flag = { key: 'last-of-many', name: 'Of the checkout' }
    const results = [{ ...flag, id: 4_711 }]
    const path = /\/feature_flags\/\?.*search=of(?:\+|%20)checkout/
    const body = { count: 1, next: null, previous: null, results }
    const screen = await console.open('/project/1', { stubs: [{ path, body }] })
    const { page } = screen
    await page.waitForSelector('.overview-lists')
    await page.keyboard.down('Control')
    await page.keyboard.press('k')
    await page.keyboard.up('Control')
    await page.waitForSelector('dialog [role=combobox]')
    await page.keyboard.type('of checkout')
    await until('the flag is found', async () =>
      /last-of-many.*Feature flag/.test(await textOf(screen, '.palette-list').catch(() => '')),
    )
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('single keys open pages and help, until they are switched off', async (t) => {
    const screen = await console.open('/project/1')
    const { page } = screen
    await page.waitForSelector('.overview-lists')
    // At once: between the two there is a time that must not pass.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('l')])
    await page.waitForFunction('location.pathname === "/project/1/live"')
    await page.evaluate(LATE_KEYS)
    await page.waitForFunction('location.pathname === "/project/1"')
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('l')])
    await page.waitForFunction('location.pathname === "/project/1/live"')
    await page.keyboard.press('?')
    await page.waitForSelector('dialog .keys')
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, 'dialog [role=switch]', 'Space')
    await page.waitForSelector('dialog [role=switch][aria-checked=false]')
    await page.keyboard.press('Escape')
    await page.waitForFunction('document.querySelector("dialog") === null')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.keyboard.press('?')
    t.equal(await page.$('dialog'), null)
    t.equal((await addressOf(screen)).pathname, '/project/1/live')
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
    await typeInto(screen, 'dialog input[name=email]', 'owner@example.com')
    await typeInto(screen, 'dialog input[name=password]', 'a password')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.overview-lists')
    t.equal(await page.$('dialog'), null)
    t.equal((await addressOf(screen)).search, '?show=events', 'the page is where it was')
    await screen.close()
  })

  await t.test('an address that leads nowhere says so, and offers a search', async (t) => {
    const screen = await console.open('/project/1/nowhere')
    const heading = await screen.page.$eval('h1', ({ textContent }) => textContent)
    t.equal(heading, 'There is no such page')
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Search')
    await screen.page.waitForSelector('.palette-input')
    await screen.close()
  })

  await t.test('flags have the address that people type too', async (t) => {
    const screen = await console.open('/project/1/flags/7?tab=code')
    await screen.page.waitForFunction('location.pathname === "/project/1/feature_flags/7"')
    t.equal((await addressOf(screen)).search, '?tab=code')
    await screen.close()
  })

  await t.test('a short page is no higher than its window', async (t) => {
    const screen = await console.open('/project/1/feature_flags')
    await screen.page.waitForSelector('.empty')
    const over = 'document.documentElement.scrollHeight - innerHeight'
    t.equal(await screen.page.evaluate(over), 0)
    await screen.close()
  })

  await t.test(
    'a wait in vain says for what, where it stands and what is on the page',
    async (t) => {
      const screen = await console.open('/project/1/nowhere')
      const waited = await screen.page
        .waitForSelector('.never', { timeout: 50 })
        .catch((error: unknown) => error)
      t.match(waited, {
        message: /^waitForSelector\(\.never\): .*50 ?ms.*\/nowhere says "There is no such page/,
        stack: /shell\.test\.[jt]s/,
      })
      await screen.close()
    },
  )

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
    t.equal((await addressOf(screen)).pathname, '/login')
    await screen.page.goto(`${console.url}/login?again=1#secret-of-a-link`)
    await screen.page.waitForSelector('.failure')
    t.equal((await addressOf(screen)).href, `${console.url}/login?again=1`)
    const heading = () => screen.page.$eval('.failure h2', ({ textContent }) => textContent)
    t.equal(await heading(), 'This link has been used already')
    await screen.page.evaluate('location.hash = "another-secret"')
    await until('the second one was tried', async () => sent.length === 2)
    await screen.page.waitForSelector('.failure')
    const { href } = await addressOf(screen)
    t.equal(href, `${console.url}/login?again=1`, 'nor does one that is pasted')
    t.strictSame(sent, [{ login_token: 'secret-of-a-link' }, { login_token: 'another-secret' }])
    t.strictSame(await screen.faults(/401/), [])
    await screen.close()
  })
})

/** `g` and `o`, of which a page that is busy hears the second one long after it was pressed. */
const LATE_KEYS = `new Promise((done) => {
  const keys = ['g', 'o'].map((key) => new KeyboardEvent('keydown', { key, bubbles: true }))
  document.body.dispatchEvent(keys[0])
  setTimeout(() => done(document.body.dispatchEvent(keys[1])), 1_600)
})`

function problem(code: string, detail: string): object {
  return { type: 'server_error', code, detail, attr: null }
}
