/** Links to pages: the drawer that makes them, and the pages that strangers see. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { choose, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole, type View } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { failing } from './support/states.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const TITLE = `Ours ${HOSTILE}`
const PASSWORD = 'correct horse'
const STRANGER: View = { isStranger: true }
const LOOKS = [
  { name: 'light', theme: 'light', width: 1280 },
  { name: 'dark', theme: 'dark', width: 1280 },
  { name: 'phone', theme: 'light', width: 390 },
] as const
const KINDS = [
  { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: '$pageview' }],
    trendsFilter: { display: 'BoldNumber' },
  },
  {
    kind: 'FunnelsQuery',
    series: ['$pageview', 'paid'].map((event) => ({ kind: 'EventsNode', event })),
  },
  { kind: 'RetentionQuery', retentionFilter: { totalIntervals: 4 } },
  { kind: 'PathsQuery', pathsFilter: {} },
]

t.test('links to pages', async (t) => {
  const console = await startConsole(t)
  await console.capture(sampleEvents())
  const { personalKey: key } = console.product
  const call = async (path: string, body?: object, method = 'POST') => {
    const url = `${console.url}/api/projects/1/${path}`
    return (await request(url, { method, key, body })).body as Readonly<Record<string, unknown>>
  }
  const insights: Readonly<Record<string, unknown>>[] = []
  for (const [index, query] of KINDS.entries()) {
    insights.push(await call('insights/', { name: `Insight ${index}`, query }))
  }
  const board = await call('dashboards/', {
    name: HOSTILE,
    description: 'For everybody',
    tiles: [
      { text: { body: HOSTILE } },
      ...insights.map(({ short_id: insight }) => ({ insight, layouts: {} })),
    ],
  })
  const share = async (body: object) => String((await call('sharing/', body))['access_token'])
  const tokenOf = (address: string) => address.split('/').at(-1) ?? ''

  await t.test('a link is made, copied, changed and revoked', async (t) => {
    const screen = await console.open(`/project/1/dashboard/${board['id']}`)
    const { page } = screen
    await choose(screen, `More for ${HOSTILE}`, 'Share…')
    await page.waitForSelector('dialog')
    await press(screen, 'New link')
    await page.waitForSelector('dialog form')
    t.strictSame(await screen.faults(), [])
    // The form takes the focus of the button that it replaces.
    await page.keyboard.type(TITLE)
    await typeInto(screen, 'dialog input[name=password]', PASSWORD)
    await press(screen, 'Create link')
    await page.waitForSelector('dialog input[readonly]:focus')
    const values = await page.$$eval('dialog input[readonly]', (all) => all.map((e) => e.value))
    t.match(values, [/\/shared\/\w{43}$/, /^<iframe src="[^"]+\/embedded\/\w{43}"/])
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Done')
    await page.waitForSelector('.share-item')
    t.match(await textOf(screen, '.share-item'), /Password/)
    t.equal(await textOf(screen, '.share-item strong'), TITLE)
    const stranger = await console.open(new URL(values[0] ?? '').pathname, STRANGER)
    t.equal(await textOf(stranger, 'h1'), 'This page is protected by a password')
    await typeInto(stranger, 'input[type=password]', 'wrong horse')
    await press(stranger, 'Open')
    await stranger.page.waitForSelector('.field-problem')
    // The field has the focus again.
    await stranger.page.keyboard.type(PASSWORD)
    await stranger.page.keyboard.press('Enter')
    await stranger.page.waitForSelector('.tile .chart')
    t.equal(await textOf(stranger, 'h1'), TITLE)
    t.strictSame(await stranger.faults(/401/), [])
    await pressOn(screen, '.share-item [role=switch]')
    await until('it is off', async () => {
      const url = `${console.url}/api/shared/${tokenOf(values[0] ?? '')}/`
      return (await request(url, { method: 'POST', body: {} })).status === 404
    })
    await choose(screen, `More for ${TITLE}`, 'Revoke…')
    await press(screen, 'Revoke link')
    await page.waitForFunction('document.querySelector(".share-item") === null')
    t.strictSame(await screen.faults(), [])
    await stranger.close()
    await screen.close()
  })

  await t.test(
    'a dashboard as strangers see it, in all looks, with nothing to press',
    async (t) => {
      const token = await share({ kind: 'dashboard', dashboard: board['id'] })
      for (const { name, ...look } of LOOKS) {
        const screen = await console.open(`/shared/${token}`, { ...STRANGER, ...look })
        const { page } = screen
        await page.waitForSelector('.tile .paths-way')
        const fill = 'getComputedStyle(document.querySelector(".paths-way")).fill'
        t.equal(await page.evaluate(fill), 'none', 'its drawings have their styles')
        await page.waitForSelector('.tile .funnel')
        t.equal(await textOf(screen, '.tile-text'), HOSTILE)
        t.equal(await page.$$eval('.tile', (all) => all.length), 6)
        t.equal(await page.$('button.figure'), null, 'no number opens')
        t.equal(await page.$('nav'), null)
        t.strictSame(await screen.faults(), [], name)
        await screen.close()
      }
    },
  )

  await t.test('a site, whose range and number a stranger chooses', async (t) => {
    const goals = [{ name: HOSTILE, event: 'paid', properties: [] }]
    await request(`${console.url}/api/projects/1/`, {
      method: 'PATCH',
      key,
      body: { web_goals: goals },
    })
    const token = await share({ kind: 'web', title: 'Our site', filters: { date_from: '-7d' } })
    for (const { name, ...look } of LOOKS) {
      const screen = await console.open(`/shared/${token}`, { ...STRANGER, ...look })
      const { page } = screen
      await page.waitForSelector('.web-panel li')
      await page.select('select', '-30d')
      await pressOn(screen, '.stat:nth-child(2)')
      await page.waitForSelector('.stat:nth-child(2)[aria-pressed=true]')
      await page.waitForSelector('[aria-busy=false] .web-panel li')
      t.equal(await page.$('button.ranked-item'), null, 'no row filters')
      t.ok(await page.$('.web-map'), 'the map is shown')
      t.match(await textOf(screen, '[aria-label=Goals]'), HOSTILE)
      t.equal(await page.$('.web-more'), null, 'no goal is edited')
      t.match(await textOf(screen, '.shared-range'), /^\d+ current visitors?/)
      t.strictSame(await screen.faults(), [], name)
      await screen.close()
    }
  })

  await t.test('the web page shares its range and filters', async (t) => {
    const screen = await console.open('/project/1/web?date=-30d')
    await press(screen, 'Share')
    await press(screen, 'New link')
    await screen.page.waitForSelector('dialog form')
    await press(screen, 'Create link')
    await screen.page.waitForSelector('dialog input[readonly]')
    const { results } = await call('sharing/?kind=web&limit=1', undefined, 'GET')
    t.match(results, [{ filters: { date_from: '-30d', properties: [] } }])
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a link that was revoked in the middle of a view shows nothing', async (t) => {
    const { id, access_token: token } = await call('sharing/', { kind: 'web' })
    const screen = await console.open(`/shared/${token}`, STRANGER)
    await screen.page.waitForSelector('.web-panel li')
    await call(`sharing/${id}/`, undefined, 'DELETE')
    await screen.page.select('select', '-30d')
    await screen.page.waitForFunction('document.querySelector(".web-panel") === null')
    t.equal(await textOf(screen, 'h1'), 'This link is not available')
    t.strictSame(await screen.faults(/404/), [])
    await screen.close()
  })

  await t.test('a token that opens nothing, and a server that fails, say so', async (t) => {
    const gone = await console.open(`/shared/${'x'.repeat(43)}`, STRANGER)
    t.equal(await textOf(gone, 'h1'), 'This link is not available')
    t.strictSame(await gone.faults(/404/), [])
    await gone.close()
    const token = await share({ kind: 'insight', insight: insights[0]?.['id'] })
    const { may, stubs = [] } = failing(/query/, 500)
    const screen = await console.open(`/shared/${token}`, { ...STRANGER, stubs })
    await screen.page.waitForSelector('.tile')
    t.strictSame(await screen.faults(may), [])
    await screen.close()
  })

  await t.test('pages of the project’s addresses embed it, and no other pages', async (t) => {
    const token = await share({ kind: 'insight', insight: insights[0]?.['id'], title: 'Views' })
    const policyOf = async (path: string) => {
      const { headers } = await fetch(`${console.url}/${path}/${token}`)
      return /frame-ancestors ([^;]+)/.exec(headers.get('content-security-policy') ?? '')?.[1]
    }
    t.equal(await policyOf('embedded'), "'none'")
    const urls = { app_urls: ['https://shop.example.com/start'] }
    await request(`${console.url}/api/projects/1/`, { method: 'PATCH', key, body: urls })
    const fresh = await share({ kind: 'insight', insight: insights[0]?.['id'] })
    const { headers } = await fetch(`${console.url}/embedded/${fresh}`)
    t.match(headers.get('content-security-policy'), /frame-ancestors https:\/\/shop\.example\.com;/)
    t.equal(await policyOf('shared'), "'none'")
    const screen = await console.open(`/embedded/${token}`, STRANGER)
    await screen.page.waitForSelector('.tile .chart')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})
