/** The pages of cohorts, as a browser shows them over the real product. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { addressOf, focusOn, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { type Screen, startConsole } from './support/console.ts'
import { checkStates, usualStates } from './support/states.ts'
import { gate } from './support/stubs.ts'

const LIST = '/project/1/cohorts'
const NEW = `${LIST}/new`
const HOSTILE = '<img src=x onerror="window.wasRun=1">'
const FILE = 'main input[type=file]'

t.test('the pages of cohorts', async (t) => {
  const console = await startConsole(t)
  const { personalKey: key } = console.product
  const call = async (path: string, body?: object) => {
    const how = { key, ...(body === undefined ? {} : { method: 'POST', body }) }
    const { body: answer } = await request(`${console.url}/api/projects/1/${path}`, how)
    return answer as {
      readonly id: number
      readonly count: number
      readonly filters: unknown
      readonly results: readonly { readonly id: number; readonly name: string }[]
    }
  }
  const newest = async () => (await call('cohorts/?limit=1')).results[0]

  await t.test('a list without cohorts says what they are for', async (t) => {
    const screen = await console.open(LIST)
    await screen.page.waitForSelector('.empty')
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await console.capture([
    person('ann', { plan: 'pro', note: HOSTILE }),
    person('ben', { plan: 'pro' }),
    person('cleo', { plan: 'free' }),
    person('dan', {}),
  ])
  const plan = { key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }
  const ann = { key: 'note', type: 'person', operator: 'is_set' }
  const pro = await call('cohorts/', { name: 'Pro', filters: { properties: [plan] } })
  const odd = { type: 'OR', values: [{ type: 'AND', values: [plan, ann] }] }
  await call('cohorts/', { name: HOSTILE, filters: { properties: odd } })
  const named = await call('cohorts/', { name: 'Named', is_static: true, distinct_ids: ['ann'] })

  await checkStates(t, console, [
    [LIST, usualStates(/cohorts\/\?limit=50/, '.cohorts-name')],
    [NEW, { data: { shows: '.cohort-condition', isSeenInAllLooks: true } }],
    [`${LIST}/${pro.id}`, usualStates(/cohorts\/1\/$/, '.data-table')],
    [`${LIST}/${named.id}`, { data: { shows: '.data-table', isSeenInAllLooks: true } }],
  ])

  await t.test('a cohort that is not there is said so', async (t) => {
    const screen = await console.open(`${LIST}/999`)
    await screen.page.waitForSelector('main .empty h1')
    t.match(await textOf(screen, 'h1'), /no such cohort/)
    t.strictSame(await screen.faults(/404/), [])
    await screen.close()
  })

  await t.test('a cohort is made of criteria, counted while they are typed', async (t) => {
    const screen = await console.open(NEW)
    const { page } = screen
    await typeInto(screen, 'input[required]', 'Pro or noted')
    await screen.page.select('.cohort-match select', 'OR')
    await pick(screen, '[aria-label="1"]', 'plan', 'Values: ')
    await page.waitForFunction(has('.cohort-count', 'Fill in each criterion'))
    await typeInto(screen, '[aria-label="1"] input[placeholder=Value]', 'free')
    await page.waitForFunction(has('.cohort-count', '1 of 4 persons match'))
    await press(screen, 'Add cohort')
    await page.waitForSelector('.cohort-criteria li:nth-child(2) select')
    await page.select('.cohort-criteria li:nth-child(2) .field:nth-child(2) select', `${pro.id}`)
    await page.waitForFunction(has('.cohort-count', '3 of 4 persons match'))
    await press(screen, 'Add criteria group')
    await pick(screen, '[aria-label="1.3"]', 'plan')
    await typeInto(screen, '[aria-label="1.3"] input[placeholder=Value]', 'a, b')
    await page.waitForFunction(has('.cohort-count', '3 of 4 persons match'))
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Save')
    await page.waitForFunction(has('.cohort-members', '3 of 3'))
    t.equal(await textOf(screen, 'h1'), 'Pro or noted')
    const made = await newest()
    t.equal((await addressOf(screen)).pathname, `${LIST}/${made?.id}`)
    t.strictSame((await call(`cohorts/${made?.id}/`)).filters, {
      properties: {
        type: 'OR',
        values: [
          { type: 'person', key: 'plan', operator: 'exact', value: 'free' },
          { type: 'cohort', key: 'id', operator: 'in', value: pro.id },
          {
            type: 'AND',
            values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['a', 'b'] }],
          },
        ],
      },
    })
    await screen.close()
  })

  await t.test('a refusal of the server is shown at the criteria', async (t) => {
    const screen = await console.open(NEW)
    await typeInto(screen, 'input[required]', 'Wrong')
    await pick(screen, '[aria-label="1"]', 'distinct_id', 'Not seen in the newest')
    await typeInto(screen, '[aria-label="1"] input[placeholder=Value]', 'ann')
    await press(screen, 'Save')
    await screen.page.waitForSelector('.cohort-part .field-problem')
    t.match(await textOf(screen, '.cohort-part .field-problem'), /static cohort/)
    t.strictSame(await screen.faults(/400/), [])
    await screen.close()
  })

  await t.test('a change of a cohort is saved, and its persons follow', async (t) => {
    const screen = await console.open(`${LIST}/${pro.id}`)
    const { page } = screen
    await page.waitForFunction(has('.cohort-members', '2 of 2'))
    await press(screen, 'Add property')
    await pick(screen, '.cohort-criteria li:nth-child(2)', 'note')
    await page.select('.cohort-criteria li:nth-child(2) select', 'is_set')
    await page.waitForFunction(has('.cohort-count', '1 of 4 persons match'))
    t.equal((await call(`cohorts/${pro.id}/`)).count, 2, 'nothing is saved yet')
    await pressOn(screen, '.cohort-criteria li:nth-child(1) [aria-label^=Remove]')
    await page.waitForFunction(
      `document.querySelector('.cohort-criteria button[aria-haspopup]').title === 'note'`,
    )
    await press(screen, 'Save')
    await page.waitForFunction(has('.cohort-members', '1 of 1'))
    t.equal((await call(`cohorts/${pro.id}/`)).count, 1)
    await screen.close()
  })

  await t.test('a duplicate has the criteria and a name of its own', async (t) => {
    const screen = await console.open(`${LIST}/${pro.id}`)
    await press(screen, 'Duplicate')
    await screen.page.waitForFunction(has('h1', 'Pro (copy)'))
    t.match(await newest(), { name: 'Pro (copy)', count: 1 })
    await screen.close()
  })

  await t.test(
    'deleting asks, says who uses the cohort, and is refused while a flag does',
    async (t) => {
      const inPro = { key: 'id', type: 'cohort', operator: 'in', value: pro.id }
      const groups = [{ properties: [inPro], rollout_percentage: 100 }]
      const flag = await call('feature_flags/', { key: 'till', filters: { groups } })
      const series = [{ kind: 'EventsNode', event: 'seen' }]
      const query = { kind: 'TrendsQuery', series, properties: [inPro] }
      const copy = await newest()
      const again = { ...query, properties: [{ ...inPro, value: copy?.id }] }
      await call('insights/', { name: 'Seen by pro', query: again })
      const screen = await console.open(`${LIST}/${pro.id}`)
      const { page } = screen
      await page.waitForFunction(has('.cohort-side', 'till'))
      await press(screen, 'Delete…')
      await page.waitForFunction(has('dialog', 'till'))
      t.equal(await page.$eval('dialog button[type=submit]', isDisabled), true)
      t.strictSame(await screen.faults(), [])
      await page.keyboard.press('Escape')
      await screen.show(`${LIST}/${copy?.id}`, {})
      await press(screen, 'Delete…')
      await page.waitForFunction(has('dialog', 'Seen by pro'))
      await press(screen, 'Delete cohort')
      await page.waitForFunction(`location.pathname === '${LIST}'`)
      t.not((await newest())?.id, copy?.id)
      t.equal((await call(`cohorts/${pro.id}/`)).count, 1, `flag ${flag.id} keeps its cohort`)
      await screen.close()
    },
  )

  await t.test('a search finds cohorts, and its address is kept', async (t) => {
    const screen = await console.open(LIST)
    await typeInto(screen, 'main input[type=search]', 'noted')
    await screen.page.waitForFunction(`document.querySelectorAll('.cohorts-name').length === 1`)
    t.equal((await addressOf(screen)).searchParams.get('search'), 'noted')
    t.equal(await screen.page.evaluate('window.wasRun'), undefined)
    await screen.close()
  })

  await t.test('a file fills a new static cohort', async (t) => {
    const screen = await console.open(NEW)
    const { page } = screen
    await typeInto(screen, 'input[required]', 'Uploaded')
    await page.select('.cohort-new > .field select', 'static')
    await upload(t.testdir(), screen, '\ufeffdistinct_id\r\n"ann"\r\n\r\nben\r\nnobody\r\n')
    await page.waitForFunction(has('.cohort-file', '3 distinct ids: "ann", ben, nobody'))
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Save')
    await page.waitForFunction(has('.toasts', '1 distinct id belongs to no person'))
    await page.waitForFunction(has('.cohort-members', '2 of 2'))
    t.match(await newest(), { name: 'Uploaded', is_static: true, count: 2 })
    await upload(t.testdir(), screen, 'cleo\n')
    await press(screen, 'Add persons')
    await page.waitForFunction(has('.cohort-members', '3 of 3'))
    const table = `"Mail";"Distinct ID"\nd@example.com;"dan"\n${'x'.repeat(500)};nobody\n`
    await upload(t.testdir(), screen, table)
    await press(screen, 'Add persons')
    await page.waitForFunction(has('.cohort-members', '4 of 4'))
    await screen.close()
  })

  await t.test(
    'a large file goes in pieces, and continues where a piece was refused',
    async (t) => {
      const screen = await console.open(`${LIST}/${named.id}`)
      const { page } = screen
      const ids = [...Array.from({ length: 119_999 }, (_, n) => `id-${n}`), 'dan']
      await upload(t.testdir(), screen, ids.join('\n'))
      const [first, second] = [gate(), gate()]
      let patches = 0
      const gates = [first.opened, second.opened]
      const path = new RegExp(`cohorts/${named.id}/$`)
      screen.stub([
        {
          ...{ method: 'PATCH', path },
          get after() {
            return gates[patches++] ?? Promise.resolve()
          },
        },
      ])
      await press(screen, 'Add persons')
      await page.waitForFunction(has('.cohort-part', '0 of 120,000'))
      first.open()
      await page.waitForFunction(has('.cohort-part', '50,000 of 120,000'))
      const body = { type: 'server_error', code: 'internal', detail: 'Too busy.', attr: null }
      screen.stub([{ method: 'PATCH', path, status: 500, body }])
      second.open()
      await page.waitForFunction(has('.cohort-part', '100,000 of 120,000'))
      await page.waitForFunction(has('.cohort-part .field-problem', 'Too busy.'))
      screen.stub([])
      await press(screen, 'Continue')
      await page.waitForFunction(has('.toasts', '119,999 distinct ids belong to no person'))
      await page.waitForFunction(has('.cohort-members', '2 of 2'))
      t.strictSame(await screen.faults(/500/), [])
      await screen.close()
    },
  )

  await t.test('a file that cannot be taken is refused with the reason', async (t) => {
    const screen = await console.open(`${LIST}/${named.id}`)
    const { page } = screen
    const refused = async (content: string | Uint8Array, reason: string) => {
      await upload(t.testdir(), screen, content)
      await page.waitForFunction(has('.cohort-part .field-problem', reason))
      t.equal(await page.$('.cohort-part .button-main'), null, 'nothing can be sent')
    }
    await refused(new Uint8Array([0xff, 0xfe, 0x61, 0]), 'not text in UTF-8')
    await refused('distinct_id\n\n', 'has no distinct ids')
    await refused(`ann\n${'x'.repeat(401)}`, 'Line 2 is too long')
    await refused('a\n'.repeat(1_000_001), '1,000,001 lines')
    await upload(t.testdir(), screen, 'mail;name\na@example.com;Ann\n')
    await press(screen, 'Add persons')
    await page.waitForFunction(has('.cohort-part .field-problem', '"mail", "name"'))
    t.strictSame(await screen.faults(/400/), [])
    await screen.close()
  })
})

function person(id: string, $set: object): object {
  return { event: 'seen', distinct_id: id, properties: { $set } }
}

/** Picks a property by the keyboard, once the list says this of it. */
async function pick(
  screen: Screen,
  row: string,
  name: string,
  said = 'of the newest 100 persons',
): Promise<void> {
  const { page } = screen
  await focusOn(screen, `${row} button[aria-haspopup=dialog]`)
  await page.keyboard.type(name)
  await page.waitForFunction(has('[role=dialog]', said))
  await page.keyboard.press('Enter')
  await page.waitForSelector(`${row} button[title="${name}"]`)
}

function isDisabled(button: { readonly disabled?: boolean }): boolean {
  return button.disabled === true
}

async function upload(folder: string, screen: Screen, content: string | Uint8Array) {
  const { page } = screen
  const path = join(folder, 'ids.csv')
  writeFileSync(path, content)
  const chosen = page.waitForFileChooser()
  await pressOn(screen, FILE)
  await (await chosen).accept([path])
}

/** Holds once an element says this. */
function has(selector: string, text: string): string {
  return `document.querySelector(${JSON.stringify(selector)})
    ?.textContent.includes(${JSON.stringify(text)}) === true`
}
