/** The pages of flags, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { choose, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { sampleEvents } from './support/sample.ts'
import { checkStates, usualStates } from './support/states.ts'
import { gate } from './support/stubs.ts'

const LIST = '/project/1/feature_flags'
const PRO = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' }
const HOSTILE = '<img src=x onerror=alert(1)>'
const USAGE = { status: 'new', reason: 'Nobody has called.', count: 0, last_called_at: null }
const FILTERS = {
  groups: [
    { properties: [PRO], rollout_percentage: 25 },
    { properties: [], rollout_percentage: 100, variant: 'red' },
    { properties: [PRO], rollout_percentage: 50 },
  ],
  multivariate: { variants: [{ key: 'red', rollout_percentage: 100 }] },
}

t.test('the pages of flags', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  const api = async (method: string, tail: string, body?: object) => {
    const url = `${console.url}/api/projects/1/feature_flags/${tail}`
    const answer = await request(url, { method, key: personalKey, body })
    t.ok(answer.status < 300, `${method} ${tail}: ${answer.status}`)
    return answer.body
  }
  await console.capture(sampleEvents(60))
  await api('POST', '', { key: 'checkout', name: HOSTILE, tags: ['shop'], filters: FILTERS })
  await api('POST', '', { key: 'search' })
  await api('PATCH', '1/', { tags: ['shop', 'till'] })
  await console.capture(
    [true, 'red'].map((response) => ({
      ...{ event: '$feature_flag_called', distinct_id: 'ann' },
      properties: { $feature_flag: 'checkout', $feature_flag_response: response },
    })),
  )

  const none = { count: 0, next: null, previous: null, results: [] }
  const flags = /feature_flags\/\?limit/
  await checkStates(t, console, [
    [
      LIST,
      {
        ...usualStates(flags, '.table', '.skeleton-rows'),
        empty: { shows: '.empty', stubs: [{ path: flags, body: none }] },
      },
    ],
    [`${LIST}/1`, usualStates(/feature_flags\/1\/$/, '.flag-set', '.skeleton-rows')],
    [`${LIST}/1?tab=history`, { data: { shows: '.flag-version' } }],
    [`${LIST}/1?tab=links`, { data: { shows: '.flag-links' } }],
    [
      `${LIST}/1?tab=usage`,
      {
        data: { shows: '.flag-usage .chart' },
        empty: {
          shows: '.flag-usage .empty',
          stubs: [{ path: /feature_flags\/1\/usage/, body: { ...USAGE, days: [], values: [] } }],
        },
      },
    ],
    [`${LIST}/1?tab=code`, { data: { shows: '.flag-code' } }],
    [`${LIST}/99`, { unknown: { shows: '.empty h1', may: /404/ } }],
  ])

  await t.test('the list says which flags are called', async (t) => {
    const screen = await console.open(LIST)
    await screen.page.waitForSelector('.flags-active')
    t.match(await textOf(screen, 'tr:has(a[href$="/1"])'), /Active/)
    t.match(await textOf(screen, 'tr:has(a[href$="/2"])'), /Not called yet–/)
    await screen.show(`${LIST}/1?tab=usage`, {})
    await screen.page.waitForSelector('.flag-called')
    t.match(await textOf(screen, '.flag-called'), /red.*1.*last called.*true.*1.*last called/s)
    t.match(await textOf(screen, '.flag-why'), /reported calls in the last 30 days/)
    await screen.close()
  })

  await t.test('a switch holds for the next decide', async (t) => {
    const screen = await console.open(LIST)
    await pressOn(screen, '[role=switch][aria-label=search]', 'Space')
    await screen.page.waitForSelector('[role=switch][aria-label=search][aria-checked=false]')
    const answer = await request(`${console.url}/decide/?v=2`, {
      body: { api_key: console.product.projectKey, distinct_id: 'ann' },
    })
    t.strictSame(Object.keys((answer.body as { featureFlags: object }).featureFlags), ['checkout'])
    await screen.close()
  })

  await t.test(
    'a switch says how far it has come, and asks on while a gateway is missing',
    async (t) => {
      const propagation = /\/propagation\//
      const partly = { revision: 1, gateways: 2, confirmed: 1, elapsed_ms: null }
      const screen = await console.open(LIST, { stubs: [{ path: propagation, body: partly }] })
      const { page } = screen
      const says = (text: string) =>
        page.waitForFunction(`document.querySelector('main').innerText.includes('${text}')`)
      await pressOn(screen, '[role=switch][aria-label=search]', 'Space')
      await says('In force at 1 of 2 gateways so far')
      t.match(
        await textOf(screen, 'main [role=status].unseen'),
        /^search: In force at 1 of 2 gateways/,
      )
      t.strictSame(await screen.faults(), [])
      const asked = page.waitForRequest((each) => /propagation\/.*revision=1/.test(each.url()))
      screen.stub([])
      await asked
      await says('In force at 1 of 1 gateway,')
      await screen.show(`${LIST}/2`, {})
      await pressOn(screen, '[role=switch]', 'Space')
      await says('In force at 1 of 1 gateway,')
      t.match(await textOf(screen, '.flag-took'), /^In force at 1 of 1 gateway, (< 1|\d+) ms$/)
      await screen.close()
    },
  )

  await t.test(
    'a draft is tried before it is saved, and says what held and what failed',
    async (t) => {
      const screen = await console.open(`${LIST}/1`)
      const { page } = screen
      await page.waitForSelector('.flag-set')
      t.match(await textOf(screen, '.flag-set-unreached'), /Never reached/)
      t.match(
        await textOf(screen, '.flag-main'),
        /plan is pro → 25 % of them → split between variants/,
      )
      await press(screen, 'Add condition')
      await press(screen, 'flag search is on')
      t.match(await textOf(screen, '.flag-main'), /3\. plan is pro and flag search is on → 50 %/)
      await pressOn(screen, 'button[aria-label="Remove condition set 2"]')
      await typeInto(screen, 'input[name=distinct_id]', 'nobody')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.flag-trace')
      t.match(await textOf(screen, '.flag-value'), /^false/)
      t.match(await textOf(screen, '.flag-trace-sets'), /failed: plan is pro/)
      // A count is given up when its set is gone.
      t.strictSame(await screen.faults(), [])
      await screen.close()
    },
  )

  await t.test('a save shows its change, and a conflict all three sides', async (t) => {
    const screen = await console.open(`${LIST}/1`)
    const { page } = screen
    await pressOn(screen, 'button[aria-label="Move up: condition set 2"]')
    await api('PATCH', '1/', { name: 'Theirs' })
    await press(screen, 'Save changes')
    await page.waitForSelector('dialog .diff')
    t.match(await textOf(screen, 'dialog'), /Reach, before → after/)
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Save')
    await page.waitForSelector('.flag-sides')
    t.match(await textOf(screen, '.flag-sides'), /version 2.*version 3.*Theirs.*Your version/s)
    t.strictSame(await screen.faults(/409/), [])
    await press(screen, 'Overwrite with mine')
    await page.waitForFunction('document.querySelector("dialog") === null')
    t.match(await api('GET', '1/'), {
      ...{ version: 4, name: HOSTILE },
      filters: { groups: [{ variant: 'red' }, {}, {}] },
    })
    await screen.close()
  })

  await t.test('a version is restored from the history', async (t) => {
    const screen = await console.open(`${LIST}/1?tab=history`)
    await screen.page.waitForSelector('.flag-version')
    t.match(await textOf(screen, '.flag-history'), /Version 4.*Version 3.*Version 2.*Version 1/s)
    await pressOn(screen, 'button[aria-label="Restore version 1"]')
    await screen.page.waitForFunction('document.body.textContent.includes("Version 5")')
    t.match(await api('GET', '1/'), { version: 5, tags: ['shop'], filters: FILTERS })
    await screen.close()
  })

  await t.test('a flag is deleted on its page once no other depends on it', async (t) => {
    const named = { key: '2', type: 'flag', operator: 'flag_evaluates_to', value: true }
    const filters = { groups: [{ properties: [named], rollout_percentage: 100 }] }
    const dependent = (await api('POST', '', { key: 'dependent', filters })) as { id: number }
    const screen = await console.open(`${LIST}/2`)
    const { page } = screen
    await choose(screen, 'More for this flag', 'Delete…')
    await page.waitForSelector('dialog li a')
    t.match(await textOf(screen, 'dialog'), /while these flags depend on it:\s*dependent/)
    await page.waitForSelector('dialog .button-danger:disabled')
    t.strictSame(await screen.faults(), [])
    await api('PATCH', `${dependent.id}/`, { deleted: true })
    await screen.show(`${LIST}/2`, {})
    await choose(screen, 'More for this flag', 'Delete…')
    await page.waitForSelector('dialog .button-danger:enabled')
    await press(screen, 'Delete feature flag')
    await page.waitForSelector('.table')
    t.match(await api('GET', ''), { results: [{ key: 'checkout' }] })
    await press(screen, 'Undo')
    await page.waitForSelector('.flag-switch [aria-label=search]')
    await screen.close()
  })

  await t.test('flags that are chosen are changed together', async (t) => {
    const screen = await console.open(LIST)
    await pressOn(screen, '.flags-check[aria-label="Select checkout"]', 'Space')
    await pressOn(screen, '.flags-check[aria-label="Select search"]', 'Space')
    await press(screen, 'Disable')
    await screen.page.waitForFunction(
      'document.querySelectorAll("[role=switch][aria-checked=false]").length === 2',
    )
    t.match(await api('GET', ''), { results: [{ active: false }, { active: false }] })
    await screen.page.waitForFunction(
      'document.querySelector(".flags-changed")?.textContent.includes("In force at 1 of 1 gateway")',
    )
    await screen.close()
  })

  await t.test('two switches that are pressed at once both show what came of them', async (t) => {
    const [first, second] = [gate(), gate()]
    const screen = await console.open(LIST, {
      stubs: [
        { method: 'PATCH', path: /feature_flags\/1\/$/, after: first.opened },
        { method: 'PATCH', path: /feature_flags\/2\/$/, after: second.opened },
      ],
    })
    const { page } = screen
    const shows = (name: string, isOn: boolean) =>
      page.waitForSelector(
        `[role=switch][aria-label=${name}][aria-checked=${isOn}][aria-busy=false]`,
      )
    await shows('search', false)
    await pressOn(screen, '[role=switch][aria-label=checkout]', 'Space')
    await pressOn(screen, '[role=switch][aria-label=search]', 'Space')
    first.open()
    await shows('checkout', true)
    second.open()
    await shows('search', true)
    await shows('checkout', true)
    t.match(await api('GET', ''), { results: [{ active: true }, { active: true }] })
    await pressOn(screen, '[role=switch][aria-label=checkout]', 'Space')
    await shows('checkout', false)
    await screen.close()
  })
})
