/** The settings, as a browser shows them over the real product. */
import t from 'tap'
import { request } from '../support/servers/product.ts'
import { focusOn, press, pressOn, textOf, typeInto } from './support/actions.ts'
import { startConsole } from './support/console.ts'
import { checkStates, failures } from './support/states.ts'

const SETTINGS = '/project/1/settings'
const HOSTILE = '<img src=x onerror=alert(1)>'

t.test('the settings', async (t) => {
  const console = await startConsole(t)
  const { personalKey } = console.product
  const api = async (method: string, path: string, body?: object) => {
    const answer = await request(`${console.url}/api/${path}`, { method, key: personalKey, body })
    t.ok(answer.status < 300, `${method} ${path}: ${answer.status}`)
    return answer.body
  }
  await api('POST', 'projects/1/feature_flags/', { key: 'checkout', name: HOSTILE })

  const invites = /\/invites\//
  await checkStates(t, console, [
    [`${SETTINGS}/project`, { '360 px': { shows: '.settings-form', width: 360 } }],
    [`${SETTINGS}/keys`, { dark: { shows: '.table', theme: 'dark' } }],
    [`${SETTINGS}/members`, { '360 px': { shows: '.table', width: 360 } }],
    [`${SETTINGS}/invites`, { empty: { shows: '.empty' }, ...failures(invites) }],
    [`${SETTINGS}/account`, { '360 px': { shows: '.table', width: 360 } }],
    [`${SETTINGS}/nothing`, { unknown: { shows: '.empty h1' } }],
  ])

  await t.test('only what was changed is saved, and a refusal stands at its field', async (t) => {
    const screen = await console.open(SETTINGS)
    const { page } = screen
    await page.waitForSelector('[name=events_retention_days]')
    await page.select('[name=timezone]', 'Europe/Berlin')
    await page.select('[name=week_start_day]', '0')
    await typeInto(screen, '[name=events_retention_days]', '90')
    await page.keyboard.press('Enter')
    await page.waitForFunction(
      '/^\\d+ events? from before/.test(document.querySelector("dialog p")?.textContent)',
    )
    t.match(await api('GET', 'projects/1/'), { events_retention_days: null }, 'asked first')
    t.match(await textOf(screen, 'dialog'), /Nothing is deleted before \d/)
    await press(screen, 'Delete older events')
    await page.waitForFunction('document.querySelector(".toasts").textContent.includes("Saved")')
    t.match(await api('GET', 'projects/1/'), {
      ...{ timezone: 'Europe/Berlin', week_start_day: 0, anonymize_ips: false },
      ...{ events_retention_days: 90, events_retention_from: /^20/ },
    })
    await page.waitForFunction(
      '/takes effect \\d+ \\w+ 20/.test(document.querySelector(".settings-form").textContent)',
    )
    await focusOn(screen, '[name=chat_incoming_webhook]')
    screen.stub([
      {
        ...{ method: 'PATCH', path: /projects\/1\/$/, status: 400 },
        body: {
          ...{ type: 'validation_error', code: 'invalid_input', detail: 'Not there.' },
          attr: 'chat_incoming_webhook',
        },
      },
    ])
    await page.keyboard.type('http://127.0.0.1:1/')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.field-problem')
    t.strictSame(await screen.faults(/400/), [])
    await screen.close()
  })

  await t.test('a key with chosen rights is made by the keyboard, and shown once', async (t) => {
    const screen = await console.open(`${SETTINGS}/keys`)
    const { page } = screen
    await page.waitForSelector('.table')
    await press(screen, 'New key')
    await typeInto(screen, 'dialog [name=label]', 'deploys')
    await focusOn(screen, '[aria-label="Feature flags: No access"]')
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('[aria-label="Feature flags: Read"]:checked')
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, 'dialog [name=label]')
    await page.waitForSelector('dialog .settings-secret')
    const value = await textOf(screen, 'dialog .settings-secret')
    t.match(value, /^phx_/)
    t.strictSame(await screen.faults(), [])
    const flags = `${console.url}/api/projects/1/feature_flags/`
    t.equal((await request(flags, { key: value })).status, 200)
    t.equal((await request(flags, { method: 'POST', key: value, body: { key: 'x' } })).status, 403)
    await press(screen, 'Done')
    await page.waitForFunction('document.querySelector("dialog") === null')
    // The list is asked for anew when the key is made.
    await page.waitForFunction(
      'document.querySelector(".table-frame").textContent.includes("deploys")',
    )
    t.match(await textOf(screen, '.table-frame'), /deploys.*Feature flags: read/s)
    t.notOk((await page.content()).includes(value))
    await screen.close()
  })

  await t.test('an invite of the members shows its link once, and is taken back', async (t) => {
    const screen = await console.open(`${SETTINGS}/members`)
    const { page } = screen
    await press(screen, 'Invite user')
    await typeInto(screen, 'dialog [name=email]', 'ann@example.com')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog .settings-secret')
    const [, token] = (await textOf(screen, 'dialog .settings-secret')).split('/signup/')
    const signup = await request(`${console.url}/api/signup/${token}/`)
    t.equal(signup.status, 200)
    await press(screen, 'Done')
    t.strictSame(await screen.faults(), [])
    await screen.show(`${SETTINGS}/invites`, {})
    await page.waitForSelector('.table')
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Revoke')
    await page.waitForSelector('dialog .confirm-text')
    t.strictSame(await screen.faults(), [])
    await press(screen, 'Revoke invite')
    await page.waitForSelector('.empty')
    await screen.close()
  })

  await t.test('a user who accepts an invite is in the console at once', async (t) => {
    const made = await request(`${console.url}/api/organizations/@current/invites/`, {
      ...{ key: console.product.personalKey, body: { target_email: 'bea@example.com' } },
    })
    const { token } = made.body as { readonly token: string }
    const screen = await console.open(`/signup/${token}`, { isStranger: true })
    const { page } = screen
    await page.waitForSelector('#form:not([hidden])')
    t.strictSame(await screen.faults(), [])
    for (const look of [{ theme: 'dark' }, { width: 360 }] as const) {
      await screen.look(look)
      t.strictSame(await screen.faults(), [])
    }
    await typeInto(screen, '#first_name', 'Bea')
    await typeInto(screen, '#password', 'a password of hers')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#done:not([hidden])')
    t.match(await textOf(screen, '#key'), /^phx_/)
    t.strictSame(await screen.faults(), [])
    await pressOn(screen, '#console')
    await page.waitForSelector('nav')
    await page.waitForFunction('location.pathname === "/project/1"')
    await screen.close()
  })

  await t.test('a link of an invite that was cut off says that it cannot be used', async (t) => {
    const screen = await console.open('/signup/abc', { isStranger: true })
    await screen.page.waitForFunction('document.querySelector("#problem").textContent !== ""')
    t.equal(await textOf(screen, '#title'), 'This invite cannot be used')
    t.strictSame(await screen.faults(/404/), [])
    await screen.close()
  })

  await t.test('a password is set, and another session ended', async (t) => {
    const screen = await console.open(`${SETTINGS}/account`, { theme: 'dark' })
    const { page } = screen
    await typeInto(screen, '[name=password]', 'correct horse')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[name=current]')
    const { email } = (await api('GET', 'users/@me/')) as { email: string }
    const login = await request(`${console.url}/api/login/`, {
      body: { email, password: 'correct horse' },
    })
    t.equal(login.status, 200)
    await page.reload()
    await pressOn(screen, 'td .button-danger')
    await page.waitForSelector('dialog .confirm-text')
    t.strictSame(await screen.faults(), [])
    await press(screen, 'End session')
    await page.waitForFunction('document.querySelector("td .button-danger") === null')
    t.match(await textOf(screen, '.table'), /current session/)
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })

  await t.test('the audit log says who changed which field, and can be narrowed', async (t) => {
    const screen = await console.open(`${SETTINGS}/audit?scope=Project`)
    await screen.page.waitForSelector('.settings-entry')
    t.match(
      await textOf(screen, '.settings-audit'),
      /Project updated.*Timezone.*UTC.*Europe\/Berlin/s,
    )
    t.strictSame(await screen.faults(), [])
    await screen.close()
  })
})
