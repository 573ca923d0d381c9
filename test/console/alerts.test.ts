/** Alerts on the page of an insight, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { until } from '../support/until.ts'
import { choose, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole, type View } from './support/console.ts'
import { failing } from './support/states.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const LOOKS = [
  { name: 'light', theme: 'light', width: 1280 },
  { name: 'dark', theme: 'dark', width: 1280 },
  { name: 'phone', theme: 'light', width: 390 },
] as const

t.test('alerts of an insight', async (t) => {
  const console = await startConsole(t)
  const { personalKey: key } = console.product
  const insight = async (name: string, query: object) => {
    const url = `${console.url}/api/projects/1/insights/`
    const { body } = await request(url, { method: 'POST', key, body: { name, query } })
    return body as { readonly id: number; readonly short_id: string }
  }
  const series = [
    { kind: 'EventsNode', event: 'paid' },
    { kind: 'EventsNode', event: 'seen', custom_name: 'Views' },
  ]
  const { short_id: shortId } = await insight(HOSTILE, { kind: 'TrendsQuery', series })
  const open = async (view: View = {}, id = shortId) => {
    const screen = await console.open(`/project/1/insights/${id}`, view)
    await press(screen, 'Alerts')
    return screen
  }

  await t.test('an alert is made, checked, muted, disabled and deleted', async (t) => {
    const screen = await open()
    const { page } = screen
    await page.waitForSelector('dialog .empty')
    await press(screen, 'New alert')
    await page.waitForSelector('dialog form')
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Save alert')
    await page.waitForSelector('dialog form .field-problem')
    t.match(await textOf(screen, 'dialog form .field-problem'), /Needs a lower or an upper bound/)
    await typeInto(screen, 'dialog form .field:nth-of-type(1) input', HOSTILE)
    await page.select('dialog form select:has(option[value="1"])', '1')
    await typeInto(screen, '.alert-bounds .field:first-child input', '5')
    await typeInto(screen, 'dialog form input[type=url]', 'https://hooks.example.com/a')
    await pressOn(screen, '.alert-users input', 'Space')
    await press(screen, 'Save alert')
    await page.waitForSelector('dialog input[readonly]')
    const secret = '[...document.querySelectorAll("dialog input[readonly]")][0].value'
    t.match(await page.evaluate(secret), /^whsec_/)
    await press(screen, 'Done')
    await page.waitForSelector('.alert-item')
    t.equal(await textOf(screen, '.alert-item strong'), HOSTILE)
    const url = `${console.url}/api/projects/1/alerts/`
    await until('it was checked', async () => {
      const { body } = await request(url, { key })
      return JSON.stringify(body).includes('"state":"Firing"')
    })
    await choose(screen, `${HOSTILE}: History`, 'History')
    await page.waitForSelector('dialog .table tbody tr')
    t.match(
      await textOf(screen, 'dialog .table tbody tr'),
      /Firing, notified.*0.*Views is 0, below 5\./,
    )
    t.strictSame(await screen.faults(/400/), [])
    await press(screen, '← All alerts')
    await page.waitForSelector('.alert-item')
    await choose(screen, `${HOSTILE}: History`, 'Mute for a day')
    await page.waitForFunction(has('.alert-item', 'Muted until'))
    await choose(screen, `${HOSTILE}: History`, 'Edit')
    await page.waitForSelector('.alert-bounds')
    const lower = 'document.querySelector(".alert-bounds input").value'
    t.equal(await page.evaluate(lower), '5')
    await press(screen, 'Save alert')
    await page.waitForFunction(has('.alert-item', 'Muted until'))
    await pressOn(screen, '.alert-item [role=switch]')
    await page.waitForFunction(has('.alert-item', 'Disabled'))
    t.strictSame(await screen.faults(/400/), [])
    await choose(screen, `${HOSTILE}: History`, 'Delete')
    await press(screen, 'Delete alert')
    await page.waitForSelector('dialog .empty')
    t.strictSame(await screen.faults(/400/), [])
    await screen.close()
  })

  await t.test('the list in all looks, and why an alert or its webhook is off', async (t) => {
    const { body } = await request(`${console.url}/api/projects/1/alerts/`, { key })
    t.match(body, { count: 0 })
    const alert = {
      ...{ id: 'a', name: 'Few orders', insight: null, condition: {}, threshold: {}, config: {} },
      ...{ calculation_interval: 'daily', enabled: false, snoozed_until: null },
      ...{ subscribed_users: [], chat: false, webhook_url: 'https://a.example', state: 'Errored' },
      disabled_reason: 'The insight was deleted.',
      ...{ webhook_disabled: true, webhook_error: 'The address answers with status 500.' },
      ...{ last_value: 3.25, last_checked_at: null, last_notified_at: null, next_check_at: null },
      ...{ webhook_secret: null, created_at: '2026-03-02T08:00:00.000000Z', created_by: null },
    }
    const results = [alert, { ...alert, id: 'b', enabled: true, state: 'Firing' }]
    const page = { count: 2, next: null, previous: null, results }
    for (const { name, ...look } of LOOKS) {
      const screen = await open({ ...look, stubs: [{ path: /\/alerts\/\?/, body: page }] })
      await screen.page.waitForSelector('.alert-item:nth-child(2)')
      t.match(await textOf(screen, '.alert-item'), /The insight was deleted.*status 500/)
      t.strictSame(await screen.faults(), [], name)
      await screen.close()
    }
  })

  await t.test('a list that fails says so; a funnel has no alerts', async (t) => {
    const { may, stubs = [] } = failing(/\/alerts\/\?/, 500)
    const failed = await open({ stubs })
    await failed.page.waitForSelector('dialog .failure')
    t.strictSame(await failed.faults(may), [])
    await failed.close()
    const funnel = await insight('Funnel', { kind: 'FunnelsQuery', series })
    const screen = await open({}, funnel.short_id)
    await screen.page.waitForSelector('dialog .empty')
    t.match(await textOf(screen, 'dialog .empty'), /work on saved trends/)
    await screen.close()
  })
})

function has(selector: string, text: string): string {
  const shown = `document.querySelector(${JSON.stringify(selector)})?.textContent`
  return `${shown}.includes(${JSON.stringify(text)})`
}
