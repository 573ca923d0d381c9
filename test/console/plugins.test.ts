/** The pages of plugins, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { checkStates, failures } from './support/states.ts'

const PLUGINS = '/project/1/plugins'
const HOSTILE = '<img src=x onerror=alert(1)>'
const MARKER = `
export function processEvent(event, { config }) {
  console.log('${HOSTILE}')
  event.properties.marked = config.word
  return event
}`

t.test('the pages of plugins', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  const api = async (method: string, path: string, body?: object) => {
    const answer = await request(`${console.url}/api/${path}`, { method, key: personalKey, body })
    t.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    return answer.body as { readonly id: number; readonly results: readonly Named[] }
  }
  const configs = 'projects/1/plugin_configs/'
  const plugins = 'organizations/@current/plugins/'
  await console.capture([{ event: 'seen', distinct_id: 'ann', properties: { $ip: '203.0.113.7' } }])
  const { results } = await api('GET', plugins)
  const idOf = (name: string) => results.find((each) => each.name === name)?.id
  const marker = await api('POST', plugins, {
    ...{ name: 'Marker', description: HOSTILE },
    files: {
      'index.js': MARKER,
      'plugin.json': '{"name":"Marker","config":[{"key":"word","name":"Word","type":"string"}]}',
    },
  })
  const filter = { plugin: idOf('Property filter'), order: 1, enabled: false }
  await api('POST', configs, filter)
  await api('PATCH', `${configs}1/settings/`, { properties: '$ip' })
  await api('PATCH', `${configs}1/`, { enabled: true })
  await api('POST', configs, { plugin: idOf('Property hasher'), order: 2 })
  await api('POST', configs, { plugin: marker.id, order: 3, enabled: true })

  const list = /plugin_configs\/\?limit/
  const none = { count: 0, next: null, previous: null, results: [] }
  await checkStates(t, console, [
    [
      PLUGINS,
      {
        data: { shows: '.plugins-step', isSeenInAllLooks: true },
        empty: { shows: '.empty', stubs: [{ path: list, body: none }] },
        ...failures(list),
      },
    ],
    [`${PLUGINS}/2`, { '360 px': { shows: '.plugin-form', width: 360 } }],
    [`${PLUGINS}/3?tab=source`, { data: { shows: 'textarea' } }],
    [`${PLUGINS}/2?tab=logs`, { empty: { shows: '.empty' } }],
    [`${PLUGINS}/99`, { unknown: { shows: '.empty h1', may: /404/ } }],
  ])

  await t.test('the pipeline is rearranged and switched by the keyboard', async (t) => {
    const screen = await console.open(PLUGINS)
    const { page } = screen
    await pressOn(screen, '[aria-label="Move up: Marker"]')
    await page.waitForFunction(
      'document.querySelectorAll(".plugins-name")[1]?.textContent === "Marker"',
    )
    await pressOn(screen, '[role=switch][aria-label=Marker]', 'Space')
    await page.waitForSelector('[role=switch][aria-label=Marker][aria-checked=false]')
    t.match(await api('GET', `${configs}3/`), { order: 2, enabled: false })
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('a secret is replaced and cleared, and never shown', async (t) => {
    const screen = await console.open(`${PLUGINS}/2`)
    const { page } = screen
    await press(screen, 'Replace')
    await typeInto(screen, '[name=salt]', 'grains of salt')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.plugin-set')
    t.match(await api('GET', `${configs}2/`), { config: /SECRET/ })
    t.notOk((await page.content()).includes('grains of salt'))
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Clear')
    await press(screen, 'Save settings')
    await page.waitForFunction('document.body.textContent.includes("Not set")')
    t.match(await api('GET', `${configs}2/`), { config: '{"salt":""}' })
    await screen.close()
  })

  await t.test('a stored event is tried, step by step, and stays as it was', async (t) => {
    const screen = await console.open(`${PLUGINS}/3?tab=try`)
    const { page } = screen
    await page.waitForSelector('[name=event]')
    await press(screen, 'Run')
    await page.waitForSelector('.plugin-step:nth-child(2)')
    const steps = await textOf(screen, '.plugin-steps')
    t.match(steps, /1\. Property filter.*properties\.\$ip.*203\.0\.113\.7.*2\. Marker/s)
    t.ok(steps.includes(HOSTILE), 'what a plugin writes is text')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})

type Named = { readonly id: number; readonly name: string }
