/** The pages of dashboards, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { press } from './support/actions.ts'
import { type Screen, startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, usualStates } from './support/states.ts'

const LIST = '/project/1/dashboards'
const HOSTILE = '<img src=x onerror=alert(1)>'
const QUESTIONS = [
  { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  { kind: 'StickinessQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  { kind: 'RetentionQuery' },
  { kind: 'EventsQuery', select: ['event', 'count()'] },
]

// A machine that is busy is no failure.
t.setTimeout(600_000)

t.test('the pages of dashboards', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  const api = async (method: string, tail: string, body?: object) => {
    const url = `${console.url}/api/projects/1/${tail}`
    const answer = await request(url, { method, key: personalKey, body })
    t.ok(answer.status < 300, `${method} ${tail}: ${answer.status}`)
    return answer.body as { readonly [name: string]: unknown }
  }
  await console.capture(sampleEvents(60))
  const insights: string[] = []
  for (const [at, query] of QUESTIONS.entries()) {
    insights.push(String((await api('POST', 'insights/', { name: `q${at}`, query }))['short_id']))
  }
  const texts = [{ text: { body: HOSTILE } }]
  const tiles = [...texts, ...insights.map((insight) => ({ insight }))]
  const { id } = await api('POST', 'dashboards/', { name: HOSTILE, tiles })
  const page = `/project/1/dashboard/${id}`

  const list = /\/dashboards\/\?limit/
  const none = { count: 0, next: null, previous: null, results: [] }
  const whole = '.tiles .heat, .tiles .table'
  await checkStates(t, console, [
    [
      LIST,
      {
        ...usualStates(list, '.table'),
        empty: { shows: '.empty', stubs: [{ path: list, body: none }] },
      },
    ],
    [page, usualStates(/\/dashboards\/\d+\/$/, whole)],
    ['/project/1/dashboard/99', { unknown: { shows: 'main input[type=search]', may: /404/ } }],
  ])

  await t.test('two tiles are asked at a time, and a date for all is asked of each', async (t) => {
    const [first, second] = [gate(), gate()]
    const held = (after: Promise<void>) => [{ path: /\/query\/$/, after }]
    const screen = await console.open(LIST, { stubs: held(first.opened) })
    const asked: string[] = []
    screen.page.on('request', (made) => {
      if (made.url().endsWith('/query/')) asked.push(made.postData() ?? '')
    })
    await screen.page.waitForSelector('.dashboards-name')
    await screen.page.focus('.dashboards-name')
    await screen.page.keyboard.press('Enter')
    await until('two are asked', () => asked.length >= 2)
    await screen.page.waitForSelector('.tile .skeleton')
    t.equal(asked.length, 2)
    first.open()
    const answered = 'document.querySelectorAll(".tile .result-foot").length === 4'
    await screen.page.waitForFunction(answered)
    t.equal(asked.length, 4)
    screen.stub(held(second.opened))
    await choose(screen, 'Date range', 'Last 30 days')
    await screen.page.waitForFunction('document.querySelectorAll(".tile .stale").length === 4')
    for (const theme of ['light', 'dark'] as const) {
      await screen.look({ theme })
      t.strictSame(await screen.faults(), [], `old answers in the ${theme}`)
    }
    second.open()
    await until('all are asked again', () => asked.length >= 8)
    t.match(screen.page.url(), /date=-30d/)
    const dates = asked.slice(4).map((body) => /"(?:date_from|after)":"([^"]*)"/.exec(body)?.[1])
    t.strictSame(dates, ['-30d', '-30d', '-30d', '-30d'])
    await screen.page.waitForFunction('document.querySelector(".tile .stale") === null')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a dashboard is made, filled and put in order by keys', async (t) => {
    const screen = await console.open(LIST)
    const shown = screen.page
    await shown.waitForSelector('.table')
    await press(screen, 'New dashboard')
    await shown.waitForSelector('dialog input')
    await shown.keyboard.type('Shop')
    await shown.keyboard.press('Enter')
    await shown.waitForSelector('main .empty')
    const made = Number(/dashboard\/(\d+)/.exec(shown.url())?.[1])
    for (const name of ['q0', 'q2']) {
      await press(screen, 'Add insight')
      await shown.waitForSelector('.dashboard-choices button')
      await press(screen, name)
      await shown.waitForSelector(`.tile button[aria-label="More for ${name}"]`)
    }
    await choose(screen, 'More for Shop', 'Add a text…')
    await shown.waitForSelector('dialog textarea')
    await shown.keyboard.type('Look here')
    await press(screen, 'Save text')
    await shown.waitForSelector('.tile-text')
    await choose(screen, 'More for the text', 'Move forward')
    await shown.waitForFunction('document.querySelector(".tile:nth-child(2) .tile-text") !== null')
    await choose(screen, 'More for q2', 'Take out')
    await shown.waitForFunction('document.querySelectorAll(".tile").length === 2')
    const kept = async () =>
      (
        (await api('GET', `dashboards/${made}/`))['tiles'] as readonly { name: string | null }[]
      ).map(({ name }) => name)
    await until('it is kept', async () => (await kept()).length === 2)
    t.strictSame(await kept(), ['q0', null])
    await choose(screen, 'More for Shop', 'Make it the home of the project')
    await shown.waitForSelector('.dashboard-home')
    const project = await request(`${console.url}/api/projects/1/`, { key: personalKey })
    t.match(project.body, { primary_dashboard: made })
    t.strictSame(await screen.faults(), [])
    await choose(screen, 'More for Shop', 'Delete…')
    await shown.waitForSelector('dialog .button-danger')
    await press(screen, 'Delete dashboard')
    await shown.waitForSelector('.dashboards-name')
    t.equal((await api('GET', 'dashboards/'))['count'], 1)
    await screen.close()
  })
})

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** Chooses an item of the menu with this name, by the keyboard. */
async function choose(screen: Screen, menu: string, item: string): Promise<void> {
  const { page } = screen
  const list = `[role=menu][aria-label="${menu}"]`
  const id = await page.$eval(list, (element) => element.id)
  await page.focus(`[popovertarget="${id}"]`)
  await page.keyboard.press('Enter')
  // Its first item takes the focus a moment after it has opened: the item to choose is focused then.
  await page.waitForSelector(`${list}:popover-open:focus-within`)
  const items = await page.$$(`${list} [role=menuitem]`)
  const texts = await Promise.all(items.map((each) => each.evaluate((e) => e.textContent)))
  await items[texts.indexOf(item)]?.focus()
  await page.keyboard.press('Enter')
}
