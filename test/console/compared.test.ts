/** Comparisons as a browser shows them: of a started day with as much of a day. */
import t from 'tap'
import { clearOfMidnight } from '../support/until.ts'
import { addressOf, clickOn, textOf } from './support/actions.ts'
import { type Screen, startConsole } from './support/console.ts'

const DAY_MS = 86_400_000
const QUERY = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: '$pageview' }],
  dateRange: { date_from: '-7d' },
  compareFilter: { compare: true },
  breakdownFilter: { breakdown: '$browser' },
}
const INSIGHT = `/project/1/insights/new#q=${encodeURIComponent(JSON.stringify(QUERY))}`
const CARD = '.chart-card'

/** `Tue 14 Nov`, so many days ago. */
function dayAgo(days: number): string {
  const [weekday, day, month] = new Date(Date.now() - days * DAY_MS).toUTCString().split(/,? /)
  return `${weekday} ${Number(day)} ${month}`
}

function views(count: number, ms: number, browser: string): readonly object[] {
  return Array.from({ length: count }, (_, nth) => ({
    ...{ event: '$pageview', distinct_id: `${browser} ${nth}` },
    timestamp: new Date(ms).toISOString(),
    properties: { $browser: browser },
  }))
}

/** Shows the numbers of a place: 0 to 1 of the way over the chart. */
async function pointAt({ page }: Screen, share: number): Promise<void> {
  const box = await (await page.waitForSelector('.plot'))?.boundingBox()
  if (!box) throw new Error('no plot')
  const [left, right] = [60, 20]
  await page.mouse.move(box.x + left + share * (box.width - left - right), box.y + box.height / 2)
  await page.waitForSelector(CARD)
}

t.test('a range that lasts beside the one before it', async (t) => {
  await clearOfMidnight(120_000)
  const console = await startConsole(t)
  const now = Date.now()
  const nextDay = now - (now % DAY_MS) + DAY_MS
  // The last day of the range before had most of its events later than it is now.
  await console.capture([
    ...views(5, now - 10 * DAY_MS, 'Chrome'),
    ...views(40, nextDay - 8 * DAY_MS - 1_000, 'Chrome'),
    ...views(4, now - 2 * DAY_MS, 'Chrome'),
    ...views(3, now - 3 * DAY_MS, 'Safari'),
  ])

  await t.test('the overview has the sign of what has passed', async (t) => {
    const screen = await console.open('/project/1?show=events')
    const { page } = screen
    await page.waitForSelector('.overview-numbers .is-earlier')
    t.match(await textOf(screen, '.stats [aria-pressed=true]'), /Events7↑ 40%, was 5/)
    t.match(await textOf(screen, '.overview-numbers .legend'), /Events.*Previous period/)
    await pointAt(screen, 1)
    const card = await textOf(screen, CARD)
    t.match(card, `${dayAgo(0)}Events0 so far${dayAgo(8)}Previous period0 by this time`)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test(
    'the same days of the week before are chosen, and the address says so',
    async (t) => {
      const screen = await console.open('/project/1?show=events')
      const { page } = screen
      await page.waitForSelector('.overview-numbers .is-earlier')
      await page.select('.page-actions select', '-7d')
      await page.waitForFunction(
        `document.querySelector('.stale') === null &&
        document.querySelector('.legend').textContent.includes('Same days of the week before')`,
      )
      t.equal((await addressOf(screen)).searchParams.get('compare'), '-7d')
      await pointAt(screen, 0)
      t.match(await textOf(screen, CARD), `${dayAgo(7)}Events0${dayAgo(14)}`)
      await screen.close()
    },
  )

  await t.test(
    'an earlier series has the colour of its own, and its persons are its own',
    async (t) => {
      const screen = await console.open(INSIGHT)
      const { page } = screen
      await page.waitForSelector('.chart-line')
      const tones = await page.$$eval('.legend li', (items) =>
        items.map(({ className, textContent }) => `${textContent}: ${className}`),
      )
      t.strictSame(tones, [
        'Chrome: tone-1',
        'Safari: tone-2',
        'Chrome · previous period: tone-1 is-earlier',
        'Safari · previous period: tone-2 is-earlier',
      ])
      t.match(await textOf(screen, '.insight-sentence'), /compared to the previous period/)
      await pointAt(screen, 0)
      t.match(await textOf(screen, CARD), /Chrome.*Safari.*\d \w+Chrome.*Safari/, 'by its own day')
      t.notMatch(await textOf(screen, CARD), /previous period/)
      await clickOn(screen, '.chart-head button')
      const cell = await page.waitForSelector(
        `.chart tbody td:nth-child(4) ::-p-text(${dayAgo(10)}: 5)`,
      )
      await cell?.click()
      await page.waitForSelector('dialog[open] tbody tr:nth-child(5), dialog[open] li:nth-child(5)')
      t.match(await textOf(screen, 'dialog[open] h2'), dayAgo(10))
      t.strictSame(await screen.faults(), [])
      await screen.close()
    },
  )

  await t.test('a trend is compared to the week before', async (t) => {
    const screen = await console.open(INSIGHT)
    const { page } = screen
    await page.waitForSelector('.chart-line')
    const select = await page.waitForSelector('::-p-aria([name="Compare to"])')
    await select?.select('-7d')
    await page.waitForFunction(
      'document.querySelector(".insight-sentence").textContent.includes("compared to 7 days earlier")',
    )
    t.match(decodeURIComponent((await addressOf(screen)).hash), /"compare_to":"-7d"/)
    await select?.select('')
    await page.waitForFunction(
      '!document.querySelector(".insight-sentence").textContent.includes("compared")',
    )
    t.notMatch(decodeURIComponent((await addressOf(screen)).hash), /compareFilter/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})
