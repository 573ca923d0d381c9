/** The link that signs in once: made by a command and by a start on a terminal. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { cleanEnv } from '../../support/servers/clean-env.ts'
import {
  type Product,
  request,
  type Settings,
  startStandalone,
} from '../../support/servers/product.ts'
import { runCommand } from '../../support/servers/run-command.ts'

const LINK = /(http:\/\/[\w.:]+)\/login#([0-9A-Za-z]{43})\b/

type Link = { readonly url: string; readonly token: string }

function linkIn(text: string): Link {
  const [, url, token] = LINK.exec(text) ?? []
  if (url === undefined || token === undefined) throw new Error('no link was printed')
  return { url, token }
}

async function follow({ url, token }: Link) {
  const answer = await request(`${url}/api/login/`, { body: { login_token: token } })
  const { user, code, detail } = Object(answer.body)
  return { status: answer.status, email: user?.email, code, detail }
}

async function sqlOf(t: Test, { settings }: Product) {
  const running = await findRunningPostgres(settings['DATA_DIR'] ?? '')
  if (running === undefined) throw new Error('no Postgres runs')
  const options = { applicationName: 'test', connectionsMax: 1, log }
  const sql = createSql(running.connection, options)
  t.teardown(async () => {
    await sql.end()
    await running.release()
  })
  return sql
}

t.test('a link signs in once, and stays no secret that anybody keeps', async (t) => {
  const product = await startStandalone(t)
  const admin = async (...args: string[]) => {
    // The port of gRPC is in the folder.
    const settings = { DATA_DIR: product.settings['DATA_DIR'] ?? '' }
    const { status, stdout, stderr } = await runCommand(['admin', ...args], settings)
    return { status, text: stdout.toString(), stderr }
  }
  const made = async (...args: string[]) => linkIn((await admin('login-link', ...args)).text)
  const links: Link[] = []

  await t.test('a log is told what prints a link', async (t) => {
    const line = product.process.lines.find(({ console }) => console !== undefined)
    t.match(line, {
      message: 'Sluice is ready',
      console: product.url,
      documentation: `${product.url}/api/docs/`,
      command: / admin login-link$/,
    })
    t.notMatch(String(line?.['command']), /PORT=/)
  })

  await t.test('a command prints one for the first owner, for one use', async (t) => {
    const printed = await admin('login-link')
    t.match(printed, { status: 0, stderr: '' })
    t.match(printed.text, /^http:\S+\n$/, 'nothing but the link')
    const link = linkIn(printed.text)
    links.push(link)
    t.equal(link.url, product.url)
    const tries = await Promise.all([follow(link), follow(link), follow(link)])
    t.same(tries.map(({ status }) => status).sort(), [200, 401, 401], 'of several one is it')
    const used = { status: 401, code: 'login_link_used', detail: /sluice admin login-link/ }
    t.match(await follow(link), used)
  })

  await t.test('one that is too old is refused, one of before a restart is not', async (t) => {
    const [old, kept] = [await made(), await made('--url', 'http://127.0.0.1/')]
    links.push(old, kept)
    t.equal(kept.url, 'http://127.0.0.1')
    await product.restart()
    t.match(await follow({ ...kept, url: product.url }), { email: 'owner@example.com' })
    const sql = await sqlOf(t, product)
    await sql`update login_links set expires_at = now() where used_at is null`
    t.match(await follow(old), { status: 401, code: 'login_link_old', detail: /too old/ })
    const stored = await sql`select login_links::text as row from login_links`
    t.equal(stored.length, 3)
    for (const { token } of links) t.notMatch(JSON.stringify(stored), token, 'a digest alone')
  })

  await t.test('an unknown or deactivated user gets none, and keeps none', async (t) => {
    const email = ['--email', 'Ann@example.com']
    await admin('create-user', ...email, '--first-name', 'Ann')
    const open = await made(...email)
    links.push(open)
    const { url, email: whose } = JSON.parse(
      (await admin('login-link', '--email', 'ANN@example.com', '--json')).text,
    )
    t.match(await follow(linkIn(url)), { email: whose })
    await admin('disable-user', ...email)
    const refused = await admin('login-link', ...email)
    t.match(refused, { status: 1, text: '', stderr: /is deactivated: .* admin enable-user/ })
    await admin('enable-user', ...email)
    t.match(await follow(open), { status: 401, code: 'login_link_unknown' })
    const nobody = await admin('login-link', '--email', 'nobody@example.com')
    t.match(nobody, { status: 1, text: '', stderr: /No user has this e-mail address/ })
    t.match(await admin('login-link', '--url', 'ftp://x'), { status: 2, stderr: /--url/ })
  })

  await t.test('the audit log and the log of the server never have the secret', async (t) => {
    const at = `${product.url}/api/organizations/@current/activity/?limit=50`
    const text = JSON.stringify((await request(at, { key: product.personalKey })).body)
    t.match(text, /"login_link_made"/)
    const written = JSON.stringify(product.process.lines)
    for (const { token } of links) {
      t.notMatch(text, token)
      t.notMatch(written, token)
    }
  })

  await t.test('a start on a terminal prints one, on the same data', async (t) => {
    product.process.kill('SIGTERM')
    await product.process.ended
    const terminal = await startOnTerminal(t, product.settings)
    const link = linkIn(terminal.text())
    t.match(await follow(link), { status: 200, email: 'owner@example.com' })
    t.match(await follow(link), { status: 401, code: 'login_link_used' })
    t.equal(await terminal.end(), 0)
  })
})

/** `sluice start` as its user sees it on a terminal, by the command `script`. */
async function startOnTerminal(t: Test, settings: Settings) {
  const clean = Object.entries(cleanEnv(settings)).map(([name, value]) => `${name}=${value}`)
  const program = [process.execPath, join(packageRoot, 'bin', 'sluice'), 'start']
  const line = ['exec', 'env', '-i', ...clean, ...program].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qefc', line.replace("'exec'", 'exec'), '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1))
  })
  const end = async () => {
    // Ctrl-C.
    if (child.stdin.writable) child.stdin.write('\x03')
    return await ended
  }
  t.teardown(end)
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.includes('Ctrl-C stops it.')) resolve()
    })
    void ended.then((code) => reject(new Error(`ended with ${code}\n${text}`)))
  })
  return { text: () => text, end }
}
