/** The shell of the console and its assets, as both HTTP servers send them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createConsoleServer } from '../../gateway/console-server/console-server.ts'
import { HTTP_KINDS, startServer } from '../support/http/http-under-test.ts'
import { requestOf } from '../support/http/rest.ts'

const PAGES = ['/', '/login', '/project/1', '/project/1/', '/project/1/live?x=1', '/cluster']
const OTHERS = ['/projects', '/api/projects/', '/static/array.js', '/flags/', '/loginx', '/_health']

/** Files of a build, small. */
function builtFolder(t: Test): string {
  const folder = t.testdir({
    'index.html': '<script nonce="{{nonce}}" src="/assets/main-A1.js"></script><i>{{nonce}}</i>',
  })
  mkdirSync(join(folder, 'assets'))
  for (const ending of ['', '.br', '.gz']) {
    writeFileSync(join(folder, 'assets', `main-A1.js${ending}`), `script${ending}`)
  }
  return folder
}

t.test('a page of the console is one shell, kept by nobody, with a nonce of its own', async (t) => {
  for (const kind of HTTP_KINDS) {
    const url = await serve(t, kind)
    const nonces = new Set<string>()
    for (const path of PAGES) {
      const page = await fetch(url + path)
      t.equal(page.status, 200, path)
      t.equal(page.headers.get('cache-control'), 'no-store')
      t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      t.equal(page.headers.get('x-content-type-options'), 'nosniff')
      t.equal(page.headers.get('referrer-policy'), 'no-referrer')
      t.equal(page.headers.get('access-control-allow-origin'), null)
      const policy = page.headers.get('content-security-policy') ?? ''
      const [, nonce = ''] = /script-src 'nonce-([\w-]{22})'/.exec(policy) ?? []
      t.equal(policy, policyOf(nonce))
      t.equal(await page.text(), shellOf(nonce))
      nonces.add(nonce)
    }
    t.equal(nonces.size, PAGES.length, 'no nonce is used twice')
    for (const path of OTHERS) t.equal((await fetch(url + path)).status, 404, path)
  }
})

t.test('an asset is sent in the best coding, and an unknown one is 404', async (t) => {
  for (const kind of HTTP_KINDS) {
    const url = await serve(t, kind)
    const ask = (coding: string, name = 'main-A1.js') =>
      fetch(`${url}/assets/${name}`, { headers: { 'accept-encoding': coding } })
    for (const [asked, coding] of [
      ['identity', null],
      ['br;q=0, gzip;q=0', null],
    ] as const) {
      const asset = await ask(asked)
      t.equal(asset.status, 200)
      t.equal(asset.headers.get('content-encoding'), coding, asked)
      t.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      t.equal(asset.headers.get('vary'), 'Accept-Encoding')
      t.equal(asset.headers.get('content-type'), 'text/javascript; charset=utf-8')
      t.equal(await asset.text(), 'script')
    }
    for (const name of ['other.js', 'main-A1.js.br', '..%2findex.html', '', 'x/main-A1.js']) {
      const missing = await ask('br', name)
      t.equal(missing.status, 404, name)
      t.equal(missing.headers.get('cache-control'), 'no-store')
      t.notMatch(await missing.text(), '<script')
    }
  }
})

t.test('HEAD has no body, and other methods are 405', async (t) => {
  for (const kind of HTTP_KINDS) {
    const url = await serve(t, kind)
    for (const path of ['/', '/login', '/project/1', '/assets/main-A1.js']) {
      const head = await fetch(url + path, { method: 'HEAD' })
      t.equal(head.status, 200, path)
      t.equal(await head.text(), '')
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const refused = await fetch(url + path, { method })
        t.equal(refused.status, 405, `${method} ${path}`)
        t.equal(refused.headers.get('allow'), 'GET, HEAD')
      }
    }
  }
})

t.test('brotli comes before gzip, and gzip before nothing', (t) => {
  const answer = createConsoleServer(builtFolder(t))
  for (const [asked, coding, text] of [
    ['gzip, deflate, br, zstd', 'br', 'script.br'],
    ['br;q=0, gzip', 'gzip', 'script.gz'],
    ['GZIP', 'gzip', 'script.gz'],
  ] as const) {
    const headers = { 'accept-encoding': asked }
    const reply = answer(requestOf('GET', '/assets/main-A1.js', { anonymous: true, headers }))
    t.equal(String(reply?.body), text, asked)
    const sent = reply?.headers?.find(([name]) => name === 'content-encoding')
    t.equal(sent?.[1], coding)
  }
  t.end()
})

t.test('without a build no path is the console’s', (t) => {
  const answer = createConsoleServer(join(t.testdir(), 'nothing'))
  for (const path of PAGES) t.equal(answer(requestOf('GET', path, { anonymous: true })), undefined)
  t.end()
})

async function serve(t: Test, kind: (typeof HTTP_KINDS)[number]): Promise<string> {
  const answer = createConsoleServer(builtFolder(t))
  const { port } = await startServer(t, kind, {
    handler: (request) => answer(request) ?? { status: 404, body: 'elsewhere' },
  })
  return `http://127.0.0.1:${port}`
}

function shellOf(nonce: string): string {
  return `<script nonce="${nonce}" src="/assets/main-A1.js"></script><i>${nonce}</i>`
}

function policyOf(nonce: string): string {
  return [
    `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'`,
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'",
    "base-uri 'none'; require-trusted-types-for 'script'",
  ].join('; ')
}
