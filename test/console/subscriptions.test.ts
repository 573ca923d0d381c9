/** Subscriptions on the pages of insights and dashboards, and in the settings of a project. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { choose, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { failing } from './support/states.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'
const LOOKS = [
  { name: 'light', theme: 'light', width: 1280 },
  { name: 'dark', theme: 'dark', width: 1280 },
  { name: 'phone', theme: 'light', width: 390 },
] as const

t.test('subscriptions in the console', async (t) => {
  const console = await startConsole(t)
  const { personalKey: key } = console.product
  const make = async (path: string, body: object) => {
    const answer = await request(`${console.url}/api/projects/1/${path}/`, { key, body })
    return answer.body as { readonly id: number; readonly short_id: string }
  }
  const query = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'paid' }] }
  const { short_id: shortId } = await make('insights', { name: HOSTILE, query })
  const { id: dashboard } = await make('dashboards', { name: 'Shop' })
  const all = async () =>
    (await request(`${console.url}/api/projects/1/subscriptions/`, { key })).body

  await t.test('one is made, changed, disabled and deleted', async (t) => {
    const screen = await console.open(`/project/1/insights/${shortId}`)
    const { page } = screen
    await press(screen, 'Subscribe')
    await page.waitForSelector('dialog .empty')
    await press(screen, 'New subscription')
    await page.waitForSelector('dialog form')
    t.strictSame(await screen.faults(), [])
    await page.select('dialog form select', 'monthly')
    await typeInto(screen, 'dialog textarea', 'ann')
    await press(screen, 'Save subscription')
    await page.waitForSelector('dialog form .field-problem')
    t.match(await textOf(screen, 'dialog form .field-problem'), /valid email/)
    await typeInto(screen, 'dialog textarea', 'ann@example.com bob@example.com')
    await press(screen, 'Save subscription')
    await page.waitForSelector('.subscription-item')
    const item = await textOf(screen, '.subscription-item')
    t.match(item, HOSTILE)
    t.match(item, /every month, 1, 09:00.*ann@example\.com.*bob@example\.com/)
    await choose(screen, `More for ${HOSTILE}`, 'Edit')
    await page.waitForSelector('dialog form')
    await page.select('dialog form select', 'weekly')
    await press(screen, 'Save subscription')
    await page.waitForFunction(has('.subscription-item', 'every week, Monday'))
    await pressOn(screen, '.subscription-item [role=switch]')
    await page.waitForSelector('.subscription-item [role=switch][aria-checked=false]')
    t.match(await all(), { count: 1, results: [{ enabled: false, frequency: 'weekly' }] })
    t.strictSame(await screen.faults(/400/), [])
    await choose(screen, `More for ${HOSTILE}`, 'Delete')
    await press(screen, 'Delete subscription')
    await page.waitForSelector('dialog .empty')
    t.match(await all(), { count: 0 })
    await screen.close()
  })

  await t.test('a dashboard and the weekly summary have theirs', async (t) => {
    const board = await console.open(`/project/1/dashboard/${dashboard}`)
    await press(board, 'Subscribe…')
    await press(board, 'New subscription')
    await press(board, 'Save subscription')
    await board.page.waitForSelector('.subscription-item')
    t.match(await textOf(board, '.subscription-item'), /Shop.*every week, Monday, 09:00/)
    await board.close()
    const settings = await console.open('/project/1/settings')
    await press(settings, 'Manage recipients')
    await settings.page.waitForSelector('dialog .empty')
    await press(settings, 'New subscription')
    await settings.page.waitForSelector('dialog form')
    t.equal(await settings.page.$('dialog option[value=monthly]'), null, 'it is weekly')
    await press(settings, 'Save subscription')
    await settings.page.waitForSelector('.subscription-item')
    t.match(await textOf(settings, '.subscription-item'), /Weekly summary/)
    t.match(await all(), { results: [{ kind: 'summary' }, { kind: 'dashboard' }] })
    await settings.close()
  })

  await t.test('the list in all looks, with addresses that get nothing', async (t) => {
    const recipient = (email: string, state: string, reason: string | null) => ({
      ...{ email, state, reason, changed_at: '2026-03-02T08:00:00.000000Z' },
    })
    const one = {
      ...{ id: 'a', kind: 'insight', insight: { id: 1, short_id: 'x', name: 'Orders' } },
      ...{ dashboard: null, title: '', frequency: 'monthly', day_of_week: 1, day_of_month: 31 },
      ...{ time_of_day: '07:30', chat: true, enabled: false, last_sent_at: null },
      recipients: [
        recipient('ann@example.com', 'active', null),
        recipient('bob@example.com', 'bounced', 'The mail server refuses the address (550).'),
      ],
      ...{ disabled_reason: 'The insight was deleted.', next_send_at: null, created_by: null },
      created_at: '2026-03-02T08:00:00.000000Z',
    }
    const body = { count: 1, next: null, previous: null, results: [one] }
    for (const { name, ...look } of LOOKS) {
      const view = { ...look, stubs: [{ path: /\/subscriptions\/\?/, body }] }
      const screen = await console.open(`/project/1/insights/${shortId}`, view)
      await press(screen, 'Subscribe')
      await screen.page.waitForSelector('.subscription-item')
      t.match(await textOf(screen, '.subscription-item'), /refuses the address \(550\).*deleted/)
      t.strictSame(await screen.faults(), [], name)
      await screen.close()
    }
    const { may, stubs = [] } = failing(/\/subscriptions\/\?/, 500)
    const failed = await console.open(`/project/1/insights/${shortId}`, { stubs })
    await press(failed, 'Subscribe')
    await failed.page.waitForSelector('dialog .failure')
    t.strictSame(await failed.faults(may), [])
    await failed.close()
  })
})

function has(selector: string, text: string): string {
  const shown = `document.querySelector(${JSON.stringify(selector)})?.textContent`
  return `${shown}?.includes(${JSON.stringify(text)})`
}
