/** The pages of definitions, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { addressOf, focusOn, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { checkStates, failures, usualStates } from './support/states.ts'

const EVENTS = '/project/1/data-management'
const PROPERTIES = `${EVENTS}/properties`
const HOSTILE = '<img src=x onerror="window.wasRun=1">'

t.test('the pages of definitions', async (t) => {
  const console = await startConsole(t)
  const { personalKey: key } = console.product
  const definitions = async () => {
    const { body } = await request(`${console.url}/api/projects/1/event_definitions/`, { key })
    return (body as { readonly results: readonly { readonly id: string; readonly name: string }[] })
      .results
  }

  await t.test('a project without events says what comes there', async (t) => {
    const screen = await console.open(EVENTS)
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await screen.show(PROPERTIES, {})
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await console.capture([
    event('$pageview', { $geoip_country_code: 'DE', $set: { plan: 'pro' } }),
    event('order placed', { amount: 12, note: HOSTILE }),
    event('order placed', { amount: 30 }),
    event(HOSTILE, {}),
  ])
  const order = (await definitions()).find(({ name }) => name === 'order placed')
  const opened = `${EVENTS}?open=${order?.id}`

  await checkStates(t, console, [
    [EVENTS, usualStates(/event_definitions\/\?limit=50/, '.definitions-name')],
    [PROPERTIES, usualStates(/\/events\/\?limit=100/, '.definitions-values')],
    [
      opened,
      {
        data: { shows: 'dialog .definitions-values', isSeenInAllLooks: true },
        ...failures(/event_definitions\/[^?]/, 'dialog .failure'),
      },
    ],
  ])

  await t.test('an event is described, tagged and verified by keys alone', async (t) => {
    const screen = await console.open(EVENTS)
    const { page } = screen
    await page.waitForFunction(has('main', 'Somebody opened a page.'))
    await typeInto(screen, 'main input[type=search]', 'order')
    await page.waitForFunction('document.querySelectorAll("main tbody tr").length === 1')
    await pressOn(screen, 'main tbody a')
    await page.waitForSelector('dialog textarea')
    await typeInto(screen, 'dialog textarea', 'A paid order')
    await typeInto(screen, 'dialog input[name=tags]', 'Shop, money')
    await pressOn(screen, 'dialog [role=switch]', 'Space')
    await focusOn(screen, 'dialog select')
    await page.keyboard.press('ArrowDown')
    await press(screen, 'Save')
    await page.waitForFunction(has('main tbody', 'A paid order'))
    const row = await textOf(screen, 'main tbody')
    t.match(row, /money, shop.*Verified/)
    t.match(await textOf(screen, 'dialog'), /by .*owner/)
    t.strictSame(await screen.faults(), [])
    await page.keyboard.press('Escape')
    await page.waitForFunction('!location.search.includes("open")')
    await screen.close()
  })

  await t.test('the address opens an event, with the properties of its newest ones', async (t) => {
    const screen = await console.open(opened)
    await screen.page.waitForSelector('dialog .definitions-values')
    const text = await textOf(screen, 'dialog')
    t.match(text, /order placed.*amount.*2 of 2.*12/s)
    t.notMatch(text, /Country code/)
    t.notOk(await screen.page.evaluate('window.wasRun'), 'nothing from an event is run')
    await screen.close()
  })

  await t.test('properties are found by their display names, with kind and values', async (t) => {
    const screen = await console.open(PROPERTIES)
    await typeInto(screen, 'main input[type=search]', 'country')
    await screen.page.waitForFunction(has('main tbody', 'Country code'))
    t.match(await textOf(screen, 'main tbody'), /^Country code.*Event.*1 of 4 events.*DE$/s)
    await typeInto(screen, 'main input[type=search]', ' nowhere')
    await screen.page.waitForSelector('.empty')
    await screen.show(`${PROPERTIES}?search=plan`, {})
    await screen.page.waitForFunction(has('main tbody', 'Person'))
    t.match(await textOf(screen, 'main tbody'), /^plan.*Person.*1 of 1 person.*pro$/s)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('the palette and two keys lead there', async (t) => {
    const screen = await console.open('/project/1/events')
    await screen.page.waitForSelector('main h1')
    await press(screen, 'Find Ctrl K')
    await typeInto(screen, '.palette-input', 'data man')
    await screen.page.waitForFunction(has('.palette-list', 'Data management'))
    await screen.page.keyboard.press('Enter')
    await screen.page.waitForFunction(has('h1', 'Data management'))
    t.equal((await addressOf(screen)).pathname, EVENTS)
    await screen.show('/project/1/events', {})
    await screen.page.waitForSelector('main h1')
    await screen.page.keyboard.type('gm')
    await screen.page.waitForFunction(has('h1', 'Data management'))
    await screen.close()
  })
})

function event(name: string, properties: object): object {
  return { event: name, distinct_id: 'ann', properties }
}

/** Holds once an element says this. */
function has(selector: string, text: string): string {
  return `document.querySelector(${JSON.stringify(selector)})
    ?.textContent.includes(${JSON.stringify(text)}) === true`
}
