/** The pages of dashboards, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { addressOf, choose, press, pressOn } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, usualStates } from './support/states.ts'
import { gate } from './support/stubs.ts'

const LIST = '/project/1/dashboards'
const HOSTILE = '<img src=x onerror=alert(1)>'
const QUESTIONS = [
  { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  { kind: 'StickinessQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
  { kind: 'RetentionQuery' },
  { kind: 'EventsQuery', select: ['event', 'count()'] },
]

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
    ['/project/1/dashboard/99', { unknown: { shows: '.empty h1', may: /404/ } }],
  ])

  await t.test('two tiles are asked at a time, and a date for all is asked of each', async (t) => {
    const [first, second] = [gate(), gate()]
    const held = (after: Promise<void>) => [{ path: /\/query\/$/, after }]
    const screen = await console.open(LIST, { stubs: held(first.opened) })
    const asked: string[] = []
    screen.page.on('request', (made) => {
      if (made.url().endsWith('/query/')) asked.push(made.postData() ?? '')
    })
    await pressOn(screen, '.dashboards-name')
    await until('two are asked', () => asked.length >= 2)
    await screen.page.waitForSelector('.tile .skeleton')
    t.equal(asked.length, 2)
    first.open()
    const answered = 'document.querySelectorAll(".tile > [aria-busy=false]").length === 4'
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
    t.equal((await addressOf(screen)).searchParams.get('date'), '-30d')
    const dates = asked.slice(4).map((body) => /"(?:date_from|after)":"([^"]*)"/.exec(body)?.[1])
    t.strictSame(dates, ['-30d', '-30d', '-30d', '-30d'])
    await screen.page.waitForFunction('document.querySelector(".tile .stale") === null')
    t.notMatch(asked.join(), /force_blocking/, 'cached answers will do')
    await press(screen, 'Refresh')
    await until('all are asked once more', () => asked.length >= 12)
    for (const body of asked.slice(8)) t.match(body, /"refresh":"force_blocking"/)
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
    const made = Number(/dashboard\/(\d+)/.exec((await addressOf(screen)).pathname)?.[1])
    for (const name of ['q0', 'q2']) {
      await press(screen, 'Add insight')
      await shown.waitForSelector('.dashboard-choices button')
      await press(screen, name)
      await shown.waitForSelector(`.tile button[aria-label="More for ${name}"]`)
    }
    await choose(screen, 'More for Shop', 'Add text card…')
    await shown.waitForSelector('dialog textarea')
    await shown.keyboard.type('Look here')
    await press(screen, 'Save text')
    await shown.waitForSelector('.tile-text')
    await choose(screen, 'More for text card', 'Move forward')
    await shown.waitForFunction('document.querySelector(".tile:nth-child(2) .tile-text") !== null')
    await choose(screen, 'More for q2', 'Remove')
    await shown.waitForFunction('document.querySelectorAll(".tile").length === 2')
    const kept = async () =>
      (
        (await api('GET', `dashboards/${made}/`))['tiles'] as readonly { name: string | null }[]
      ).map(({ name }) => name)
    // The shown answer is kept a moment later.
    await until('it is kept', async () => String(await kept()) === 'q0,')
    t.strictSame(await kept(), ['q0', null])
    await choose(screen, 'More for Shop', 'Set as project home')
    await shown.waitForSelector('.dashboard-home')
    const project = await request(`${console.url}/api/projects/1/`, { key: personalKey })
    t.match(project.body, { primary_dashboard: made })
    const home = await console.open('/')
    await home.page.waitForSelector('.tile')
    t.equal((await addressOf(home)).pathname, `/project/1/dashboard/${made}`)
    await home.close()
    t.strictSame(await screen.faults(), [])
    await choose(screen, 'More for Shop', 'Delete…')
    await shown.waitForSelector('dialog .button-danger')
    await press(screen, 'Delete dashboard')
    await shown.waitForSelector('.dashboards-name')
    t.equal((await api('GET', 'dashboards/'))['count'], 1)
    await screen.close()
  })

  await t.test(
    'a change of tiles waits for the one before, whose answer takes nothing back',
    async (t) => {
      const held = gate()
      const path = /\/dashboards\/\d+\/$/
      const screen = await console.open(page, {
        stubs: [{ method: 'PATCH', path, after: held.opened }],
      })
      const shown = screen.page
      const sent: string[] = []
      shown.on('request', (made) => {
        if (made.method() === 'PATCH') sent.push(made.postData() ?? '')
      })
      await choose(screen, 'More for q0', 'Remove')
      await shown.waitForFunction('document.querySelectorAll(".tile").length === 4')
      await choose(screen, 'More for q1', 'Remove')
      await shown.waitForFunction('document.querySelectorAll(".tile").length === 3')
      t.equal(sent.length, 1)
      await shown.evaluate(MOST_TILES)
      held.open()
      const kept = async () =>
        Object((await api('GET', `dashboards/${id}/`))['tiles']).map(
          ({ name }: { readonly name: string | null }) => name,
        )
      await until('both are kept', async () => String(await kept()) === ',q2,q3')
      t.equal(sent.length, 2)
      await shown.waitForFunction('document.querySelector(".tile .skeleton, .stale") === null')
      t.equal(await shown.evaluate('mostTiles'), 3)
      await screen.close()
    },
  )

  await t.test('a menu has the focus as soon as it is open', async (t) => {
    const screen = await console.open(page)
    await screen.page.waitForSelector('[popovertarget]')
    t.match(await screen.page.evaluate(OPENED), { role: 'menuitem', isFirst: true })
    await screen.close()
  })
})

/** Notes how many tiles were on the page at most from now on. */
const MOST_TILES = `{
  const count = () => document.querySelectorAll('.tile').length
  window.mostTiles = count()
  new MutationObserver(() => { mostTiles = Math.max(mostTiles, count()) })
    .observe(document.querySelector('.tiles'), { childList: true })
}`

/** Opens the first menu, and says in the same moment what has the focus. */
const OPENED = `(() => {
  const button = document.querySelector('[popovertarget]')
  button.focus()
  button.click()
  const { activeElement } = document
  return { role: activeElement.role, isFirst: activeElement.previousElementSibling === null }
})()`
