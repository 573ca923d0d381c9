/** The page of stored events, as a browser shows it over the real product. */
import type { Page } from 'puppeteer-core'
import t from 'tap'
import { addressOf, focusOn, pressOn } from './support/actions.ts'
import { type Screen, startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, usualStates } from './support/states.ts'

const HOME = '/project/1/events'
const ROWS = 'tbody tr:not(.row-space)'
const query = /^\/api\/projects\/1\/query\//

t.test('the page of events', async (t) => {
  const console = await startConsole(t)
  await t.test('before the first event the page says why it is empty', async (t) => {
    const screen = await console.open(HOME)
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await console.capture(sampleEvents(240))
  await checkStates(t, console, [[HOME, usualStates(query, ROWS)]])

  await t.test(
    'a row opens by keys, with its JSON and its person; more come on demand',
    async (t) => {
      const screen = await console.open(HOME)
      const { page } = screen
      await page.waitForSelector(ROWS)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForSelector('dialog .json')
      t.ok((await addressOf(screen)).searchParams.get('open'), 'the address says which is open')
      t.match(await page.$eval('dialog a', ({ href }) => href), /\/project\/1\/person\/person-\d+$/)
      t.strictSame(await screen.faults(), [])
      await page.keyboard.press('Escape')
      await page.waitForFunction('document.querySelector("dialog") === null')
      await press(screen, 'Load more')
      await page.waitForFunction(has('.more', '200 of 240'))
      const csv = await page.$eval('a[download]', ({ href }) => href)
      const file = await page.evaluate(
        `fetch(${JSON.stringify(csv)}).then((answer) => answer.text())`,
      )
      t.equal(String(file).trim().split('\n').length, 241)
      await screen.close()
    },
  )

  await t.test('filters and expressions are in the address, each as what it is', async (t) => {
    const screen = await console.open(HOME, { width: 1440 })
    const { page } = screen
    await page.waitForSelector('.events-facet li button')
    const where = async () => (await addressOf(screen)).searchParams.get('where')
    await press(screen, 'signed up')
    t.equal(await where(), "event = 'signed up'")
    await page.waitForFunction(has('.chip', 'event is signed up'))
    await buttonOf(page, 'As text')
    t.equal(await page.evaluate(PRESSED), 'TEXTAREA', 'no key between is lost')
    await page.keyboard.press('End')
    await page.keyboard.sendCharacter(" and properties.amount > 100 and lower(event) != 'x'")
    await page.keyboard.press('Enter')
    t.equal(
      await where(),
      "event = 'signed up' and properties.amount > 100 and lower(event) != 'x'",
    )
    await press(screen, 'As filters')
    await page.waitForSelector('.chip:nth-child(3)')
    t.strictSame(await page.$$eval('.chip-text', (all) => all.map((each) => each.textContent)), [
      ...['event is signed up', 'properties.amount > 100', "lower(event) != 'x'"],
    ])
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, '.chip:nth-child(1) .chip-close')
    t.equal(await where(), '["properties.amount > 100","lower(event) != \'x\'"]')
    await page.goBack()
    await page.goBack()
    t.equal(await where(), "event = 'signed up'", 'the way back is the state before')
    await screen.close()
  })

  await t.test('a filter on a property has the comparisons of all conditions', async (t) => {
    const screen = await console.open(`${HOME}?facet=person.properties.plan`, { width: 1440 })
    const { page } = screen
    await page.waitForSelector('.events-facet li button')
    const shown = async () => {
      await page.waitForFunction(
        'document.querySelector(".stale") === null && document.querySelector(".more") !== null',
      )
      return await page.$eval('.more', ({ textContent }) => textContent?.split(',')[0])
    }
    await press(screen, 'pro')
    const filter = async () =>
      JSON.parse((await addressOf(screen)).searchParams.get('properties') ?? '[]')[0]
    t.strictSame(await filter(), { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] })
    await page.waitForFunction(has('.chip', 'plan is pro'))
    const found = await shown()
    const other = JSON.stringify([{ ...(await filter()), value: ['PRO'] }])
    await page.goto(`${console.url}${HOME}?properties=${encodeURIComponent(other)}`)
    await page.waitForFunction(has('.chip', 'plan is PRO'))
    await page.waitForSelector(ROWS)
    t.equal(await shown(), found, 'case is ignored, as in questions and flags')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('an error in an expression is underlined at its character', async (t) => {
    const wrong = "event = 'paid' and nosuch > 1"
    const screen = await console.open(`${HOME}?where=${encodeURIComponent(wrong)}`)
    const { page } = screen
    await page.waitForSelector('.events-wrong')
    t.equal(await page.$eval('.events-wrong', ({ textContent }) => textContent), 'nosuch')
    t.equal(await page.$eval('textarea', ({ value }) => value), wrong)
    t.equal(await page.$eval('textarea', ({ selectionStart }) => selectionStart), 19)
    t.strictSame(await screen.faults(/400/), [])
    await page.goto(`${console.url}${HOME}?select=event&select=nosuch(1)`)
    await page.waitForSelector('.events-problem .events-wrong')
    await screen.close()
  })

  await t.test(
    'columns and order are those of the address, a title sorts, and it is saved as an insight',
    async (t) => {
      const order = encodeURIComponent('["-count()"]')
      const screen = await console.open(`${HOME}?select=event&select=count()&orderBy=${order}`)
      const { page } = screen
      await page.waitForSelector(ROWS)
      const cells = (place: number) =>
        page.$$eval(`${ROWS} td:nth-child(${place})`, (all) => all.map((each) => each.textContent))
      t.equal((await cells(1))[0], 'Pageview')
      t.equal(await page.$eval('th[aria-sort]', (each) => each.ariaSort), 'descending')
      await press(screen, 'Event')
      await page.waitForFunction('document.querySelector("th[aria-sort]")?.textContent[0] === "E"')
      await page.waitForFunction('document.querySelector(".stale") === null')
      const names = await cells(1)
      t.strictSame(names, [...names].sort().reverse())
      t.equal((await addressOf(screen)).searchParams.get('orderBy'), '["-event"]')
      await press(screen, 'Columns')
      await page.waitForSelector('dialog li')
      await page.keyboard.sendCharacter('properties.plan -- Plan')
      t.strictSame(await screen.faults(), [])
      await page.keyboard.press('Enter')
      await page.waitForFunction(has('thead', 'Plan'))
      t.strictSame(JSON.parse((await addressOf(screen)).searchParams.get('select') ?? ''), [
        ...['event', 'count()', 'properties.plan -- Plan'],
      ])
      await press(screen, 'Save')
      await page.waitForSelector('dialog input')
      await page.keyboard.type('Events by name')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.insight-answer .table')
      const id = /insights\/(\w+)$/.exec((await addressOf(screen)).pathname)?.[1]
      const saved = await page.evaluate(
        `fetch('/api/projects/1/insights/${id}/').then((answer) => answer.json())`,
      )
      t.match(saved, {
        name: 'Events by name',
        query: { select: ['event', 'count()', 'properties.plan -- Plan'], orderBy: ['-event'] },
      })
      t.strictSame(await screen.faults(), [])
      await screen.close()
    },
  )

  await t.test('only the rows in view are drawn, of a thousand', async (t) => {
    const screen = await console.open(HOME, { width: 360, stubs: [thousand] })
    await screen.page.waitForSelector(ROWS)
    t.equal(await screen.page.$eval('table', ({ ariaRowCount: count }) => count ?? ''), '1001')
    t.ok((await screen.page.$$eval(ROWS, ({ length }) => length)) < 60)
    await focusOn(screen, '[data-key=rows]')
    await screen.page.keyboard.press('End')
    await screen.page.waitForFunction(has('tbody', 'event 999'))
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})

const thousand = {
  path: query,
  body: {
    ...{ types: ['UUID', 'String', 'Tuple()', 'String', 'DateTime'], hasMore: false, count: 1000 },
    pinned_before: '2026-01-01T00:00:00Z',
    results: Array.from({ length: 1000 }, (_, at) => [
      ...[`id-${at}`, `event ${at}`, null, 'a long path '.repeat(9), '2026-01-01T00:00:00Z'],
    ]),
  },
}

/** Presses what has the focus, and says what has it once the page is drawn anew. */
const PRESSED = `(async () => {
  document.activeElement.click()
  for (let turn = 0; turn < 5; turn += 1) await undefined
  return document.activeElement.tagName
})()`

/** Holds once an element says this. */
function has(selector: string, text: string): string {
  return `[...document.querySelectorAll(${JSON.stringify(selector)})]
    .some(({ textContent }) => textContent.includes(${JSON.stringify(text)}))`
}

/** Presses the button that begins with this text, by the keyboard. */
async function press({ page }: Screen, text: string): Promise<void> {
  await buttonOf(page, text)
  await page.keyboard.press('Enter')
}

async function buttonOf(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`(() => {
    const all = [...document.querySelectorAll('button')]
    const button = all.find(({ textContent }) => textContent.startsWith(${JSON.stringify(text)}))
    button?.focus()
    return button !== undefined && document.activeElement === button
  })()`)
}
