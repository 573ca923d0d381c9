/** Cohorts on the pages that name them and make them, over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { choose, focusOn, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'

t.test('cohorts in filters, breakdowns, lists of persons, and the palette', async (t) => {
  const console = await startConsole(t)
  const { personalKey: key } = console.product
  await console.capture([
    ...['ann', 'ben', 'cleo'].map((id) =>
      event(id, 'seen', { plan: id === 'cleo' ? 'free' : 'pro' }),
    ),
    event('ann', 'paid', {}),
  ])
  const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }
  const { body } = await request(`${console.url}/api/projects/1/cohorts/`, {
    ...{ method: 'POST', key, body: { name: 'Pro people', filters: { properties: [plan] } } },
  })
  const { id } = body as { readonly id: number }
  const seen = { kind: 'EventsNode', event: 'seen' }
  const asked = (query: object) =>
    `/project/1/insights/new#q=${encodeURIComponent(JSON.stringify(query))}`

  await t.test('an insight is filtered and broken down by a cohort', async (t) => {
    const screen = await console.open(asked({ kind: 'TrendsQuery', series: [seen] }))
    const { page } = screen
    await pressOn(screen, '.insight-part > .chips > [data-key=filter]')
    await page.waitForSelector('dialog select')
    await page.select('dialog select', 'cohort')
    await page.waitForSelector(`dialog option[value="${id}"]`)
    t.strictSame(await screen.faults(), [])
    await page.select('dialog .field:nth-of-type(3) select', String(id))
    await press(screen, 'Apply')
    await page.waitForFunction(has('.chip', 'in cohort Pro people'))
    await page.waitForFunction(`decodeURIComponent(location.hash).includes('"type":"cohort"')`)
    const breakdown = 'select:has(option[value=cohort])'
    await page.waitForSelector(breakdown)
    await page.select(breakdown, 'cohort')
    await page.waitForFunction(has('ul[aria-label=Cohorts]', 'Pro people'))
    await page.waitForFunction(`decodeURIComponent(location.hash).includes('"breakdown":[${id}]')`)
    await page.waitForSelector('main figure.chart')
    t.strictSame(await screen.faults(/400/), [])
    // The number behind the chart is kept: its name is not.
    for (const name of ['Pro people', 'Paying people', 'Pro people']) {
      await request(`${console.url}/api/projects/1/cohorts/${id}/`, {
        ...{ method: 'PATCH', key, body: { name } },
      })
      await page.reload()
      await pressOn(screen, '.chart-head button')
      await page.waitForFunction(has('main figure.chart', name))
    }
    await screen.close()
  })

  await t.test('events, persons and live events are filtered by a cohort', async (t) => {
    for (const { shown, address } of LISTS) {
      const screen = await console.open(`/project/1/${address}`)
      const { page } = screen
      await page.waitForFunction(has('main', 'cleo'))
      await pressOn(screen, '.chips > [data-key=filter]')
      await page.waitForSelector('dialog select')
      await page.select('dialog select', 'cohort')
      await page.waitForSelector(`dialog option[value="${id}"]`)
      await page.select('dialog .field:nth-of-type(3) select', String(id))
      t.strictSame(await screen.faults(), [])
      await press(screen, 'Apply')
      await page.waitForFunction(has('.chip', 'in cohort Pro people'))
      await page.waitForFunction(`!(${has('main', 'cleo')}) && ${has('main', 'ben')}`)
      if (address === 'live') {
        await console.capture([event('cleo', 'again', {}), event('ann', 'again', {})])
        await page.waitForFunction(has('main', 'again'))
      }
      await page.reload()
      await page.waitForFunction(`!(${has('main', 'cleo')}) && ${has('main', 'ben')}`)
      t.match(await textOf(screen, 'main'), shown, address)
      t.strictSame(await screen.faults(), [])
      await screen.close()
    }
  })

  await t.test('persons who left a funnel are saved as a cohort', async (t) => {
    const series = [seen, { kind: 'EventsNode', event: 'paid' }]
    const screen = await console.open(asked({ kind: 'FunnelsQuery', series }))
    const { page } = screen
    await page.waitForFunction(`[...document.querySelectorAll('main button')].some(({ textContent }) =>
      textContent === '2')`)
    await press(screen, '2')
    await press(screen, 'Save as cohort')
    await page.waitForSelector('dialog input[name=name]')
    await typeInto(screen, 'dialog input[name=name]', 'Left before paying')
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Save')
    await page.waitForFunction(has('body', '2 persons are in it'))
    await screen.close()
  })

  await t.test('persons of a search are saved, and the palette finds the cohort', async () => {
    const screen = await console.open('/project/1/persons?search=ann')
    const { page } = screen
    await press(screen, 'Save as cohort')
    await typeInto(screen, 'dialog input[name=name]', 'Only ann')
    await press(screen, 'Save')
    await page.waitForFunction(has('dialog', '1 person is in it'))
    await page.keyboard.press('Escape')
    await press(screen, 'Find Ctrl K')
    await typeInto(screen, '.palette-input', 'only')
    await page.waitForFunction(has('.palette-list', 'Only ann'))
    await page.keyboard.press('Enter')
    await page.waitForFunction(has('h1', 'Only ann'))
    await page.waitForFunction(has('.cohort-members', '1 of 1'))
    await screen.close()
  })

  await t.test('a flag names a cohort', async (t) => {
    const { body: flag } = await request(`${console.url}/api/projects/1/feature_flags/`, {
      ...{ method: 'POST', key, body: { key: 'till', filters: { groups: [{ properties: [] }] } } },
    })
    const screen = await console.open(
      `/project/1/feature_flags/${(flag as { readonly id: number }).id}`,
    )
    const { page } = screen
    await choose(screen, 'Add condition', 'in cohort Pro people')
    await page.waitForFunction(has('.flag-reach', '2 of 3 persons match'))
    t.match(await textOf(screen, '.flag-set'), /in cohort Pro people/)
    await focusOn(screen, 'h1')
    await screen.close()
  })
})

const LISTS = [
  { address: 'events', shown: /3 of 3/ },
  { address: 'persons', shown: /2 of 2/ },
  { address: 'live', shown: /ann/ },
]

function event(id: string, name: string, $set: object): object {
  return { event: name, distinct_id: id, properties: { $set } }
}

/** Holds once an element says this. */
function has(selector: string, text: string): string {
  return `document.querySelector(${JSON.stringify(selector)})
    ?.textContent.includes(${JSON.stringify(text)}) === true`
}
