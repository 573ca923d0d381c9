/** The pages of persons, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { addressOf, focusOn, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { checkStates, usualStates } from './support/states.ts'

const LIST = '/project/1/persons'
const ROWS = 'tbody tr:not(.row-space)'
/** An address must not mistake it for another. */
const ODD = 'a/b %2F?#ü'
const HOSTILE = '<img src=x onerror="window.wasRun=1">'

t.test('the pages of persons', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  await t.test('before the first event the list says why it is empty', async (t) => {
    const screen = await console.open(LIST)
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await console.capture([
    event('ann', '1', 'signed up', { $session_id: 'one', $set: { email: 'ann@example.com' } }),
    event('ann', '2', 'paid', { $session_id: 'one', $pathname: HOSTILE }),
    event('ann', '3', HOSTILE, { $session_id: 'two', $set: { plan: 'pro', note: HOSTILE } }),
    event(ODD, '4', 'odd', {}),
    event('ben', '5', 'paid', { $set: { team: 'red' } }),
    ...Array.from({ length: 130 }, (_, at) => event(`many-${at}`, '6', 'seen', {})),
  ])
  const groups = [{ properties: [{ key: 'plan', type: 'person', value: 'pro' }] }]
  await request(`${console.url}/api/projects/1/feature_flags/`, {
    ...{ method: 'POST', key: personalKey, body: { key: 'till', filters: { groups } } },
  })

  const values = [{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }]
  await request(`${console.url}/api/projects/1/cohorts/`, {
    ...{ method: 'POST', key: personalKey },
    body: { name: HOSTILE, filters: { properties: { type: 'AND', values } } },
  })

  await checkStates(t, console, [
    [LIST, usualStates(/persons\/\?limit/, ROWS)],
    ['/project/1/person/ann', usualStates(/persons\/ann\//, '.person-flags')],
  ])

  await t.test('the list says when persons were last seen, and is a file', async (t) => {
    const screen = await console.open(`${LIST}?search=ann`)
    const { page } = screen
    await page.waitForSelector(`${ROWS} td:last-child time`)
    const text = await page.$eval('a[download]', async ({ href }) => (await fetch(href)).text())
    const [head = '', ann = '', ...others] = text.split('\r\n')
    t.match(head, /^uuid,.*,last_seen_at,.*properties\.email,properties\.note,properties\.plan$/)
    t.match(ann, /,ann@example\.com,ann,1,false,\S+Z,2026-03-01T10:03:00.000000Z,.*,pro$/)
    t.strictSame(others, [''])
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a person that is not there is said so', async (t) => {
    const screen = await console.open('/project/1/person/nobody')
    await screen.page.waitForSelector('main .empty h1')
    t.match(await textOf(screen, 'h1'), /no such person/)
    t.strictSame(await screen.faults(/404/), [])
    await screen.close()
  })

  await t.test('a profile says which cohorts hold the person', async (t) => {
    const screen = await console.open('/project/1/person/ann')
    await screen.page.waitForSelector('[aria-labelledby=cohorts] li')
    t.equal(await textOf(screen, '[aria-labelledby=cohorts] li'), HOSTILE)
    await screen.show('/project/1/person/ben', {})
    await screen.page.waitForSelector('[aria-labelledby=cohorts] .person-none')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a search finds, and a row leads to the profile, by keys alone', async (t) => {
    const screen = await console.open(LIST)
    const { page } = screen
    await page.waitForFunction(has('.more', '100 of 133'))
    await press(screen, 'Load more')
    await page.waitForFunction(has('.more', '133 of 133'))
    await typeInto(screen, 'input[type=search]', 'ANN@example')
    await page.waitForFunction(`document.querySelector('.stale') === null &&
      document.querySelector('table')?.ariaRowCount === '2'`)
    t.equal((await addressOf(screen)).searchParams.get('search'), 'ANN@example')
    await focusOn(screen, '[data-key=rows]')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.person-flags')
    t.equal((await addressOf(screen)).pathname, '/project/1/person/ann')
    t.equal(await textOf(screen, 'h1'), 'ann@example.com')
    await screen.close()
  })

  await t.test('a long number of a profile has all its digits', async (t) => {
    const body = `{"properties":{"order":9007199254740993}}`
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${personalKey}` }
    const path = `${console.url}/api/projects/1/persons/ben/`
    t.equal((await fetch(path, { method: 'PATCH', headers, body })).status, 200)
    const screen = await console.open('/project/1/person/ben')
    await screen.page.waitForSelector('.person-properties')
    t.match(await textOf(screen, '.person-properties'), /order.*9007199254740993/s)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a profile has properties with their time, sessions, ids and flags', async (t) => {
    const screen = await console.open('/project/1/person/ann')
    const { page } = screen
    await page.waitForSelector('.person-flags')
    await page.waitForSelector('.person-visit')
    const since = await page.$('.person-properties .person-since')
    t.equal(since, null, 'the history is on demand')
    await press(screen, 'Show history')
    await page.waitForSelector('.person-properties .person-since .time')
    t.match(await textOf(screen, '.person-properties'), /email.*set 1 Mar 2026.*by signed up/s)
    const visits = await page.$$eval('.person-visit', (all) => all.map((each) => each.textContent))
    t.equal(visits.length, 2)
    t.match(visits[1], /Session.*2 events.*paid.*signed up/s)
    t.match(await textOf(screen, '.person-flags'), /till.*on.*condition set 1/s)
    t.match(await textOf(screen, '.person-ids'), /ann/)
    await pressOn(screen, '.person-event')
    await page.waitForSelector('dialog .json')
    t.equal(await textOf(screen, 'dialog h2'), HOSTILE)
    t.equal(await page.evaluate('window.wasRun'), undefined)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a profile lists the sessions of the person', async (t) => {
    const screen = await console.open('/project/1/person/ann?tab=sessions')
    await screen.page.waitForSelector('.person-main tbody tr')
    t.match(await textOf(screen, '.person-main tbody'), /1 Mar 2026.*(?:s|min|h)/)
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, '.person-main tbody a')
    await screen.page.waitForFunction('location.pathname.endsWith("/events")')
    const { searchParams } = await addressOf(screen)
    t.match(searchParams.get('where'), /^properties\.\$session_id = '.+'$/)
    await screen.page.waitForSelector('[data-key=rows] tbody tr a')
    await screen.close()
  })

  await t.test('an id with any characters has an address', async (t) => {
    const screen = await console.open(`/project/1/person/${encodeURIComponent(ODD)}`)
    await screen.page.waitForSelector('.person-visit')
    t.equal(await textOf(screen, 'h1'), ODD)
    await screen.close()
  })

  await t.test('a merge shows what it makes before it is made', async (t) => {
    const screen = await console.open('/project/1/person/ann')
    const { page } = screen
    await page.waitForSelector('.person-visit')
    await press(screen, 'Merge…')
    await page.waitForSelector('dialog textarea')
    await page.keyboard.type('ben')
    await press(screen, 'Preview')
    await page.waitForSelector('.person-preview')
    t.match(await textOf(screen, '.person-preview'), /Merges 1 person.*ann, ben.*team: red/s)
    t.strictSame(await screen.faults(), [])
    const ben = () => request(`${console.url}/api/projects/1/persons/ben/`, { key: personalKey })
    t.match((await ben()).body, { distinct_ids: ['ben'] }, 'nothing is merged yet')
    await press(screen, 'Merge')
    await page.waitForFunction(has('.person-ids', 'ben'))
    await page.waitForFunction(has('.person-timeline', '4 of 4 events'))
    t.match((await ben()).body, { distinct_ids: ['ann', 'ben'] })
    await screen.close()
  })

  await t.test('a person is deleted once its id is typed', async (t) => {
    const screen = await console.open('/project/1/person/ann')
    const { page } = screen
    await page.waitForSelector('.person-visit')
    await press(screen, 'Delete…')
    await page.waitForFunction(has('dialog', '4 stored events'))
    const asks = 'document.querySelector("dialog button[type=submit]").disabled'
    await typeInto(screen, 'dialog input[name=typed]', 'ann')
    t.ok(await page.evaluate(asks), 'it must be said what becomes of the events')
    await focusOn(screen, 'dialog input[type=radio]')
    await page.keyboard.press('Space')
    await page.waitForFunction(`!${asks}`)
    await typeInto(screen, 'dialog input[name=typed]', 'a')
    await page.waitForFunction(asks)
    t.strictSame(await screen.faults(), [])
    await page.keyboard.press('Backspace')
    await page.waitForFunction(`!${asks}`)
    await page.keyboard.press('Enter')
    await page.waitForFunction('location.pathname === "/project/1/persons"')
    const { status } = await request(`${console.url}/api/projects/1/persons/ann/`, {
      key: personalKey,
    })
    t.equal(status, 404)
    const { body } = await request(`${console.url}/api/projects/1/deletions/`, { key: personalKey })
    t.match(body, { results: [{ kind: 'person', delete_events: true }] })
    await screen.close()
  })
})

/** On a minute of one day. */
function event(id: string, minute: string, name: string, properties: object): object {
  const timestamp = `2026-03-01T10:0${minute}:00Z`
  return { event: name, distinct_id: id, timestamp, properties }
}

/** Holds once an element says this. */
function has(selector: string, text: string): string {
  return `document.querySelector(${JSON.stringify(selector)})
    ?.textContent.includes(${JSON.stringify(text)}) === true`
}
