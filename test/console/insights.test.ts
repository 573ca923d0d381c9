/** The pages of insights, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { clearOfMidnight } from '../support/until.ts'
import {
  addressOf,
  focusOn,
  pasteInto,
  press,
  pressOn,
  textOf,
  typeInto,
} from './support/actions.ts'
import { type Screen, startConsole } from './support/console.ts'
import { comeToRest } from './support/faults.ts'
import { fetchedBy } from './support/fetched.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, failing, usualStates } from './support/states.ts'

const LIST = '/project/1/insights'
const NEW = `${LIST}/new`
const HOSTILE = '<img src=x onerror=alert(1)>'
const VIEWS = { kind: 'EventsNode', event: '$pageview' }
const SIGNUP = { kind: 'EventsNode', event: 'signed up' }
const DATES = { dateRange: { date_from: '-14d' } }
const TREND = { kind: 'TrendsQuery', series: [{ ...VIEWS, math: 'dau' }], ...DATES }
const FUNNEL = { kind: 'FunnelsQuery', series: [VIEWS, SIGNUP], ...DATES }
/** Bytes, gzipped. */
const SHELL_MAX = 30 * 1024
const PAGE_MAX = 20 * 1024
const FILES_MAX = 15

t.test('the pages of insights', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  const api = async (method: string, tail: string, body?: object) => {
    const url = `${console.url}/api/projects/1/${tail}`
    const answer = await request(url, { method, key: personalKey, body })
    t.ok(answer.status < 300, `${method} ${tail}: ${answer.status}`)
    return answer.body as { readonly [name: string]: unknown }
  }
  await console.capture(sampleEvents(120))
  await api('POST', 'insights/', { name: HOSTILE, description: HOSTILE, query: FUNNEL })

  const none = { count: 0, next: null, previous: null, results: [] }
  const list = /\/insights\/\?limit/
  const at = (query: object) => `${NEW}#q=${encodeURIComponent(JSON.stringify(query))}`
  const kinds = {
    compared: [
      { ...TREND, compareFilter: { compare: true }, breakdownFilter: { breakdown: '$browser' } },
      '.chart .legend li:nth-child(5)',
    ],
    bars: [{ ...TREND, trendsFilter: { display: 'ActionsBar' } }, '.chart-box'],
    rows: [{ ...TREND, trendsFilter: { display: 'ActionsBarValue' } }, '.result-bar'],
    pie: [{ ...TREND, trendsFilter: { display: 'ActionsPie' } }, '.chart-slice'],
    number: [{ ...TREND, trendsFilter: { display: 'BoldNumber' } }, '.result-numbers'],
    funnel: [FUNNEL, '.funnel-bar'],
    'funnel by value': [{ ...FUNNEL, breakdownFilter: { breakdown: '$browser' } }, '.result-group'],
    'funnel over time': [{ ...FUNNEL, funnelsFilter: { funnelVizType: 'trends' } }, '.chart-line'],
    times: [{ ...FUNNEL, funnelsFilter: { funnelVizType: 'time_to_convert' } }, '.chart-box'],
    retention: [{ kind: 'RetentionQuery', ...DATES }, '.heat'],
    paths: [{ kind: 'PathsQuery', ...DATES }, '.paths-way, .result-note'],
    stickiness: [{ kind: 'StickinessQuery', series: [VIEWS], ...DATES }, '.chart-box'],
    lifecycle: [{ kind: 'LifecycleQuery', series: [VIEWS], ...DATES }, '.chart-box'],
    table: [{ kind: 'EventsQuery', select: ['event', 'count()'] }, '.insight-answer .table'],
    whole: [{ kind: 'EventsQuery', limit: 3 }, '.insight-answer .table'],
    unknown: [{ kind: 'HogQLQuery', query: 'select 1' }, '.failure'],
  } as const
  const asked = /\/query\/$/
  await checkStates(t, console, [
    [
      LIST,
      {
        data: { shows: '.table', isSeenInAllLooks: true },
        empty: { shows: '.empty', stubs: [{ path: list, body: none }] },
        'error 500': failing(list, 500),
      },
    ],
    [NEW, usualStates(asked, '.chart-line', '.insight-answer .skeleton')],
    [`${LIST}/nothing`, { unknown: { shows: '.empty h1', may: /404/ } }],
  ])

  await t.test('each kind of question is drawn', async (t) => {
    const screen = await console.open(NEW)
    await openJson(screen)
    for (const [name, [query, shows]] of Object.entries(kinds)) {
      await screen.page.evaluate(`location.hash = ${JSON.stringify(at(query).split('#')[1])}`)
      await screen.page.waitForFunction(
        `document.querySelector('.insight-json textarea').value === ${JSON.stringify(
          JSON.stringify(query, null, 2),
        )}`,
      )
      await settled(screen, shows)
      t.strictSame(await screen.faults(/400/), [], name)
    }
    await screen.close()
  })

  await t.test('the address holds the question, and undo and redo go through it', async (t) => {
    const screen = await console.open(at(TREND))
    const { page } = screen
    const kind = async () => {
      const { hash } = await addressOf(screen)
      return /"kind":"(\w+)"/.exec(decodeURIComponent(hash))?.[1]
    }
    await page.waitForSelector('.chart-line')
    await press(screen, 'Funnel')
    await page.waitForSelector('.funnel-bar')
    t.equal(await kind(), 'FunnelsQuery')
    t.match(await textOf(screen, '.insight-sentence'), /how many persons do “Pageview”, then any/)
    await pressOn(screen, 'button[aria-label=Undo]')
    await page.waitForSelector('.chart-line')
    t.equal(await kind(), 'TrendsQuery')
    await pressOn(screen, 'button[aria-label=Redo]')
    await page.waitForSelector('.funnel-bar')
    await page.goBack()
    await settled(screen, '.chart-line')
    t.equal(await kind(), 'TrendsQuery')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('an event is picked by its display name, by keys alone', async (t) => {
    const screen = await console.open(at(TREND))
    const { page } = screen
    const event = '.insight-series button[aria-haspopup=dialog]'
    const list = '[role=dialog] [role=option]'
    await page.waitForSelector('.chart-line')
    t.equal(await textOf(screen, event), 'Pageview')
    await focusOn(screen, event)
    await page.keyboard.type('SIGN')
    await page.waitForSelector(list)
    await page.waitForFunction(
      `document.querySelector('[role=dialog] [role=combobox]').value === 'SIGN' &&
        document.querySelector(${JSON.stringify(list)}).textContent.startsWith('signed up')`,
    )
    t.strictSame(await screen.faults(), [])
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      `document.querySelector(${JSON.stringify(event)}).textContent === 'signed up'`,
    )
    t.match(decodeURIComponent((await addressOf(screen)).hash), /"event":"signed up"/)
    await page.waitForFunction('document.querySelector("[role=dialog]") === null')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'signed up', 'focus is back')
    await page.keyboard.press('Enter')
    await page.waitForSelector(list)
    await page.keyboard.type('order pl')
    await page.waitForFunction(
      `/Use “order pl”Never seen/.test(document.querySelector('[role=dialog]').textContent)`,
    )
    await page.keyboard.press('Escape')
    await page.waitForFunction('document.querySelector("[role=dialog]") === null')
    t.match(decodeURIComponent((await addressOf(screen)).hash), /"event":"signed up"/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a path begins at a page or an event that is picked', async (t) => {
    const screen = await console.open(at({ kind: 'PathsQuery', ...DATES }))
    const { page } = screen
    await page.waitForSelector('.paths-way')
    for (const [at, typed, name, group] of [
      [1, '/pri', '/pricing', 'Pages'],
      [2, 'signed', 'signed up', 'Events'],
    ] as const) {
      const button = `.insight-part .field:nth-of-type(${at}) button[aria-haspopup=dialog]`
      await focusOn(screen, button)
      await page.keyboard.type(typed)
      await page.waitForFunction(
        `document.querySelector('[role=dialog] [role=option]')?.textContent.includes('${name}')`,
      )
      t.match(await textOf(screen, '[role=dialog]'), group)
      await page.keyboard.press('Enter')
      await page.waitForSelector(`${button}[title="${name}"]`)
    }
    const { hash } = await addressOf(screen)
    t.match(decodeURIComponent(hash), /"startPoint":"\/pricing","endPoint":"signed up"/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a question about an event that was never seen says so', async (t) => {
    const series = [VIEWS, { kind: 'EventsNode', event: 'order pl' }]
    const screen = await console.open(at({ ...TREND, series }))
    await screen.page.waitForSelector('.insight-answer [role=status]')
    const said = await textOf(screen, '.insight-answer [role=status]')
    t.equal(said, 'Never seen in this project: order pl')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test(
    'values of a breakdown are bars side by side in each step of a funnel',
    async (t) => {
      const screen = await console.open(
        at({ ...FUNNEL, breakdownFilter: { breakdown: '$browser' } }),
      )
      await screen.page.waitForSelector('.funnel-bar')
      const values = (await screen.page.$$('.funnel tbody tr')).length
      t.ok(values > 1)
      t.equal((await screen.page.$$('.funnel thead th')).length, FUNNEL.series.length)
      t.equal((await screen.page.$$('.funnel thead th:last-child .funnel-bar')).length, values)
      t.match(await textOf(screen, '.funnel tbody td:last-child'), /dropped off \(\d+(\.\d)?%\)/)
      await screen.close()
    },
  )

  await t.test('retention has a mean of the periods that are over, and a curve', async (t) => {
    const retentionFilter = { period: 'Day', totalIntervals: 4 }
    const dateRange = { date_from: '-3d' }
    const query = { kind: 'RetentionQuery', dateRange, retentionFilter }
    const screen = await console.open(at(query))
    const { page } = screen
    await page.waitForSelector('.heat-mean')
    t.match(await textOf(screen, '.heat-mean'), /^Mean\s*100%/)
    t.ok(await page.$('.chart-line'))
    t.match(await textOf(screen, '.result-note'), /^\* This period is not over yet/)
    await screen.close()
  })

  await t.test('a number opens exactly the persons that it counts', async (t) => {
    await clearOfMidnight()
    const screen = await console.open(at(FUNNEL))
    const { page } = screen
    await page.waitForSelector('.funnel tbody .link')
    const count = Number(await textOf(screen, '.funnel tbody .link'))
    t.ok(count > 0)
    await pressOn(screen, '.funnel tbody .link')
    await page.waitForSelector('dialog .actors li')
    t.equal((await page.$$('dialog .actors li')).length, count)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('groups behind a number have their names, and no page of a person', async (t) => {
    const properties = { $groups: { team: 'acme' } }
    await console.capture([{ event: 'met', distinct_id: 'someone', properties }])
    const series = [
      { kind: 'EventsNode', event: 'met', math: 'unique_group', math_group_type_index: 0 },
    ]
    const display = { trendsFilter: { display: 'BoldNumber' } }
    const screen = await console.open(at({ ...TREND, series, ...display }))
    await screen.page.waitForSelector('.result-numbers .link')
    await pressOn(screen, '.result-numbers .link')
    await screen.page.waitForSelector('dialog .actors li')
    t.equal(await textOf(screen, 'dialog .actors li'), 'acme')
    t.strictSame(await screen.page.$$('dialog .actors a, dialog .actors + p, dialog p button'), [])
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a question that is refused says where, and nothing of it is lost', async (t) => {
    const screen = await console.open(at(TREND))
    const { page } = screen
    await page.waitForSelector('.chart-line')
    await openJson(screen)
    const write = async (text: string) => {
      await pasteInto(screen, '.insight-json textarea', text)
      await press(screen, 'Apply')
    }
    await write('{"kind": ')
    await page.waitForSelector('.insight-json [role=alert]')
    t.match(await textOf(screen, '.insight-json [role=alert]'), /Not a valid JSON object/)
    await write(JSON.stringify({ ...TREND, series: [{ ...VIEWS, math: 'most' }] }))
    await page.waitForSelector('.failure')
    t.match(await textOf(screen, '.insight-json [role=alert]'), /^series\.0\.math: Must be one of/)
    t.match(await page.evaluate('document.querySelector(".insight-json textarea").value'), /most/)
    t.strictSame(await screen.faults(/400/), [])
    await screen.close()
  })

  await t.test('JSON that is written as soon as there is a field for it stays', async (t) => {
    const screen = await console.open(at(TREND))
    const { page } = screen
    const text = async () => await page.$eval('.insight-json textarea', ({ value }) => value)
    await page.waitForSelector('.chart-line')
    await page.evaluate(`new MutationObserver((changes, observer) => {
      const field = document.querySelector('.insight-json textarea')
      if (field === null) return
      observer.disconnect()
      field.value = '{"kind": '
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }).observe(document.querySelector('.insight-json'), { childList: true, subtree: true })`)
    await openJson(screen)
    await comeToRest(page)
    t.equal(await text(), '{"kind": ')
    await pasteInto(screen, '.insight-json textarea', JSON.stringify(FUNNEL))
    await press(screen, 'Apply')
    await page.waitForSelector('.funnel-bar')
    t.equal(await text(), JSON.stringify(FUNNEL, null, 2), 'it is the question')
    await pressOn(screen, 'button[aria-label=Undo]')
    await settled(screen, '.chart-line')
    t.equal(await text(), JSON.stringify(TREND, null, 2), 'until there is another one')
    await screen.close()
  })

  await t.test('a goal is a line of the chart', async (t) => {
    const screen = await console.open(at(TREND))
    const { page } = screen
    await page.waitForSelector('.chart-line')
    await press(screen, 'Add goal line')
    await page.waitForSelector('.insight-goals input[type=number]')
    await pasteInto(screen, '.insight-goals input[type=number]', '500')
    await page.keyboard.press('Enter')
    const { hash } = await addressOf(screen)
    t.match(decodeURIComponent(hash), /"goalLines":\[\{"label":"Goal","value":500\}\]/)
    await page.waitForFunction('/500.*Goal/.test(document.querySelector(".plot svg").textContent)')
    t.equal((await page.$$('.chart-goal')).length, 1)
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, 'button[aria-label="Remove goal line Goal"]')
    await page.waitForFunction('document.querySelector(".chart-goal") === null')
    await screen.close()
  })

  await t.test('the list has the insights of a type, with their author', async (t) => {
    const made = await Promise.all(
      [TREND, kinds.lifecycle[0]].map((query, at) =>
        api('POST', 'insights/', { name: `Kept ${at}`, query }),
      ),
    )
    const screen = await console.open(LIST)
    const { page } = screen
    await page.waitForSelector('.insights-name')
    await page.select('.insights-search select', 'LifecycleQuery')
    await page.waitForFunction('document.querySelectorAll(".insights-name").length === 1')
    t.match(await textOf(screen, 'main tbody'), /Kept 1.*Lifecycle.*Shows how many.*owner/)
    t.strictSame(await screen.faults(), [])
    for (const { id } of made) await api('DELETE', `insights/${String(id)}/`)
    await screen.close()
  })

  await t.test('an insight is saved, changed and deleted, and only by saving', async (t) => {
    const screen = await console.open(at(TREND))
    const { page } = screen
    await page.waitForSelector('.chart-line')
    await press(screen, 'Save')
    await page.waitForSelector('dialog input')
    await page.keyboard.type('Visitors')
    await page.keyboard.press('Enter')
    await page.waitForFunction('/insights\\/\\w{10}$/.test(location.href)')
    const id = (await addressOf(screen)).pathname.slice(-10)
    t.match(await api('GET', `insights/${id}/`), { name: 'Visitors', query: TREND })
    await page.waitForSelector('.chart-line')
    await press(screen, 'Lifecycle')
    await page.waitForSelector('.chart-box')
    t.match(await api('GET', `insights/${id}/`), { query: TREND })
    await press(screen, 'Save changes')
    await page.waitForFunction('location.hash === ""')
    t.match(await api('GET', `insights/${id}/`), { query: { kind: 'LifecycleQuery' } })
    await press(screen, 'Add to dashboard…')
    await typeInto(screen, 'dialog input[name=name]', 'Shop')
    await page.keyboard.press('Enter')
    await page.waitForFunction('document.querySelector("dialog") === null')
    t.match(await api('GET', 'dashboards/1/'), { name: 'Shop', tiles: [{ insight: id }] })
    t.ok(await page.waitForSelector('.toast a[href="/project/1/dashboard/1"]'), 'a way to it')
    const [file] = await page.$$eval('a[href*="/export/"]', (links) =>
      links.map(({ href }) => href).filter((href) => href.endsWith('=png')),
    )
    const type = `fetch('${file}').then((reply) => reply.headers.get('content-type'))`
    t.equal(await page.evaluate(type), 'image/png', 'the menu has files, for the session too')
    await press(screen, 'Delete…')
    await page.waitForSelector('dialog .button-danger')
    await press(screen, 'Delete insight')
    await page.waitForSelector('.insights-name')
    t.match(await api('GET', 'insights/'), { count: 1, results: [{ name: HOSTILE }] })
    await screen.close()
  })

  await t.test('a cold load fetches no more than its budget', async (t) => {
    const tiles = []
    for (const query of [TREND, FUNNEL, kinds.retention[0], kinds.paths[0]]) {
      const { short_id: insight } = await api('POST', 'insights/', { name: 'Tile', query })
      tiles.push({ insight })
    }
    const { id } = await api('POST', 'dashboards/', { name: 'All kinds', tiles })
    const loads: readonly (readonly [path: string, shows: string])[] = [
      ['/project/1', '.chart-line'],
      [at(TREND), '.chart-line'],
      [at(FUNNEL), '.funnel-bar'],
      [at(kinds.paths[0]), '.paths-way, .result-note'],
      [`/project/1/dashboard/${id}`, '.tile:nth-child(4) :is(.paths-way, .result-note)'],
    ]
    for (const [path, shows] of loads) {
      const screen = await console.open(path)
      await settled(screen, shows)
      const { shell, page, files } = await fetchedBy(screen)
      t.ok(shell <= SHELL_MAX, `${path.slice(0, 40)}: the shell has ${shell} bytes`)
      t.ok(page <= PAGE_MAX && page > 0, `${page} bytes of the page in ${files} files`)
      t.ok(files <= FILES_MAX, `${files} files`)
      await screen.close()
    }
  })
})

async function openJson(screen: Screen): Promise<void> {
  await pressOn(screen, '.insight-json summary')
  await screen.page.waitForSelector('.insight-json textarea')
}

/** The answer on screen belongs to the question, and does not move. */
async function settled({ page }: Screen, shows: string): Promise<void> {
  await page.waitForFunction(
    `document.querySelector(${JSON.stringify(shows)}) !== null &&
      document.querySelector('.stale, .skeleton') === null && document.getAnimations().length === 0`,
  )
}
