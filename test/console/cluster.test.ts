/** The page of the cluster, as a browser shows it over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { checkStates, failures } from './support/states.ts'
import type { Stub } from './support/stubs.ts'

const PAGE = '/cluster'
const HOSTILE = '<img src=x onerror=alert(1)>'
const STATUS = /^\/api\/cluster\/$/
const CAUSES = /dead_letters\/causes/
const COPY = /^\/api\/cluster\/copy\//
const KEPT = {
  ...{ configured: true, state: 'unreachable', problem: HOSTILE, holder: '', blocks: 1_200 },
  ...{ waiting_events: 1_234_567, waiting_flushes: 9_000, waiting_bytes: 182_000_000 },
  ...{ lag_ms: 93_000, months: ['y2026m03'], home: 'clickhouse', columns: ['plan'] },
  ...{ parts: 1_048, parts_most: 12 },
  gaps: [
    { month: 'y2026m03', reason: 'the outbox was full', asked: false },
    { month: 'old', reason: 'the table was made anew', asked: true },
  ],
}
const CAUSE = {
  ...{ sqlstate: '22P05', error: HOSTILE, count: 700, projects: 2 },
  ...{ oldest_at: '2026-01-01T00:00:00Z', newest_at: '2026-01-02T00:00:00Z' },
}

t.test('the page of the cluster', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  const { body } = await request(`${console.url}/api/cluster/`, { key: personalKey })
  const single = body as { readonly members: readonly object[]; readonly shards: readonly object[] }
  const worker = (id: string, address: string) => ({
    ...{ ...single.members[0], id, address, role: 'worker', shards: 128 },
  })
  const pair = {
    ...single,
    ...{ membership: 'connected', redis: 'down', dead_letters: 700 },
    members: [worker('m1', '10.0.0.1:8001'), worker('m2', '10.0.0.2:8001')],
    shards: single.shards.map((shard, at) => ({ ...shard, owner: at % 2 === 0 ? 'm1' : 'm2' })),
    problems: [`Redis is down: ${HOSTILE}`],
    spill: { ...Object(Object(single)['spill']), configured: true, connected: true, bytes_max: 10 },
  }
  const ofTwo: readonly Stub[] = [
    { path: STATUS, body: pair },
    { path: COPY, body: KEPT },
    { path: CAUSES, body: [CAUSE] },
  ]
  await checkStates(t, console, [
    [
      PAGE,
      {
        'two workers': { shows: '.table', stubs: ofTwo, isSeenInAllLooks: true },
        ...failures(STATUS),
      },
    ],
  ])

  await t.test('the copy of the events is told, and what it lacks', async (t) => {
    const screen = await console.open(PAGE, { stubs: ofTwo })
    await screen.page.waitForSelector('.cluster-lacking')
    const text = await textOf(screen, 'section[aria-labelledby=cluster-copy]')
    t.match(text, /ClickHouse\s*does not answer.*1,234,567 events \(182 MB\), the oldest for 93 s/s)
    t.match(text, /Blocks\s+1,200.*no worker.*<img src=x/s)
    t.match(text, /2026-03\s*the outbox was full\s*before 2000.*being copied/s)
    t.match(text, /sluice events move/)
    t.match(
      text,
      /Postgres keeps their keys.*Parts\s+1,048, at most 12 in a month.*Properties with columns\s+plan/s,
    )
    screen.stub([{ path: COPY, body: { ...KEPT, state: 'shipping', problem: '', gaps: [] } }])
    await screen.page.waitForFunction('document.querySelector(".cluster-lacking") === null')
    t.match(await textOf(screen, 'section[aria-labelledby=cluster-copy]'), /takes what is new/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a user who is not staff sees no link, and an explanation', async (t) => {
    const user = { id: 1, email: 'member@example.com', first_name: 'Max', is_staff: false }
    const rest = { project_id: 1, scopes: null, expires_at: '2030-01-01T00:00:00Z' }
    const stubs = [{ path: /^\/api\/session\//, body: { user, ...rest, csrf_token: 'x' } }]
    const screen = await console.open(PAGE, { stubs })
    await screen.page.waitForSelector('.failure')
    t.match(await textOf(screen, '.failure'), /Only staff.*403 permission_denied/s)
    t.equal(await screen.page.$('nav a[href="/cluster"]'), null)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test(
    'dead letters are replayed a page at a time, and go on after a failure',
    async (t) => {
      const done = { stored: 0, refused: 0, discarded: 0 }
      const replay = /dead_letters\/replay/
      const first = { ...done, matched: 500, stored: 500, cursor: 9 }
      const screen = await console.open(PAGE, { stubs: ofTwo })
      const { page } = screen
      const sent: string[] = []
      page.on('request', (asked) => {
        if (replay.test(asked.url())) sent.push(asked.postData() ?? '')
      })
      const busy = { type: 'a', code: 'unavailable', detail: 'Busy.', attr: null }
      screen.stub([{ path: replay, status: 503, body: busy }, ...ofTwo])
      await pressOn(screen, '[aria-label="Replay 22P05"]')
      await page.waitForSelector('.cluster-run button')
      t.match(await textOf(screen, '.cluster-run'), /0 of 700.*Stopped: Busy/s)
      screen.stub([{ path: replay, body: first }, ...ofTwo])
      await pressOn(screen, '.cluster-run button')
      await page.waitForFunction(
        'document.querySelector(".cluster-run").textContent.includes("Done")',
      )
      t.match(await textOf(screen, '.cluster-run'), /1,000 of 700, 1,000 stored/)
      t.match(sent, [/"cursor":0,"limit":500/, /"cursor":0,"limit":500/, /"cursor":9,"limit":200/])
      t.strictSame(await screen.faults(/503/), [])
      await screen.close()
    },
  )

  await t.test('a drain asks for the address of the member', async (t) => {
    const drained = { member_id: 'm2', address: '10.0.0.2:8001', released: 128 }
    const drain = { method: 'POST', path: /cluster\/drain/, body: drained }
    const screen = await console.open(PAGE, { stubs: [drain, ...ofTwo] })
    const { page } = screen
    const sent = page.waitForRequest((asked) => asked.url().endsWith('/drain/'))
    await pressOn(screen, '[aria-label="Drain 10.0.0.2:8001"]')
    await typeInto(screen, 'dialog [name=typed]', '10.0.0.1:8001')
    t.not(await page.$('dialog button[type=submit]:disabled'), null, 'another one does not do')
    for (let n = 0; n < 6; n++) await page.keyboard.press('Backspace')
    await page.keyboard.type('2:8001')
    t.strictSame(await screen.faults(), [])
    await page.keyboard.press('Enter')
    const body: unknown = JSON.parse((await sent).postData() ?? '')
    t.strictSame(body, { member: 'm2', address: '10.0.0.2:8001' })
    await page.waitForFunction('document.querySelector("dialog") === null')
    await screen.close()
  })

  await t.test('known figures stay, dimmed, while the server is away', async (t) => {
    const screen = await console.open(PAGE)
    const { page } = screen
    await page.waitForSelector('.cluster-cell')
    const text = await textOf(screen, 'main')
    await page.waitForFunction(
      'document.querySelector("main").textContent.includes("Postgres: EVENTS_URL is not set")',
    )
    t.match(text, /All is well\..*Postgres.*NATS.*not used.*Redis.*not used.*256/s)
    t.equal((await page.$$('.cluster-cell')).length, 256)
    t.strictSame(await screen.faults(), [])
    const away = { type: 'a', code: 'unavailable', detail: 'Away.', attr: null }
    screen.stub([{ path: STATUS, status: 503, body: away }])
    await page.waitForSelector('.stale .cluster-cell')
    t.match(await textOf(screen, '.failure'), /Away/)
    screen.stub([])
    await page.waitForFunction('document.querySelector(".stale") === null')
    t.strictSame(await screen.faults(/503/), [])
    await screen.close()
  })
})
