/** `/api/docs/`, as it is served and as a real browser shows it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createReferencePage } from '../../gateway/rest/reference-page.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { HTTP_KINDS, startServer } from '../support/http/http-under-test.ts'
import { requestOf } from '../support/http/rest.ts'
import { startBrowser } from './support/browser.ts'

const HOME = '/api/docs/'

async function serve(t: Test, kind: (typeof HTTP_KINDS)[number]): Promise<string> {
  const page = createReferencePage()
  const { port } = await startServer(t, kind, {
    handler: (request) => page(request) ?? { status: 404, body: 'elsewhere' },
  })
  return `http://127.0.0.1:${port}`
}

/** The resources that the OpenAPI document sorts its calls by. */
function resources(): ReadonlySet<string> {
  const text = readFileSync(join(packageRoot, 'gateway', 'client', 'openapi.json'), 'utf8')
  const document: OpenApi = JSON.parse(text)
  const calls = Object.values(document.paths).flatMap((path) => Object.values(path))
  return new Set(calls.flatMap(({ tags = [] }) => tags))
}

type OpenApi = {
  readonly paths: Record<string, Record<string, { readonly tags?: readonly string[] }>>
}

for (const kind of HTTP_KINDS) {
  t.test(
    `${kind}: assets are compressed, kept for ever, and named by what they hold`,
    async (t) => {
      const url = await serve(t, kind)
      const page = await fetch(`${url}${HOME}`)
      t.equal(page.status, 200)
      t.equal(page.headers.get('cache-control'), 'no-cache')
      const policy = page.headers.get('content-security-policy') ?? ''
      t.notMatch(policy, /unsafe|https?:/)
      t.match(policy, /default-src 'none'/)
      const html = await page.text()
      t.notMatch(html, /(?:src|href)="(?:https?:)?\/\//, 'nothing is elsewhere')
      const names = [...html.matchAll(/"([\w-]+\.[0-9a-f]{16}\.(?:js|css|json))"/g)].map(
        ([, name = '']) => name,
      )
      t.equal(names.length, 5)
      for (const name of names) {
        const asset = await fetch(`${url}${HOME}${name}`)
        t.equal(asset.status, 200, name)
        t.equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable')
        t.equal(asset.headers.get('content-encoding'), 'gzip')
        t.equal(asset.headers.get('vary'), 'Accept-Encoding')
        await asset.arrayBuffer()
      }
      const wrong = await fetch(`${url}${HOME}page.0000000000000000.js`)
      t.equal(wrong.status, 404)
      t.equal(wrong.headers.get('cache-control'), 'no-store')
      t.equal((await fetch(`${url}/api/docs`)).url, `${url}${HOME}`, 'the address without slash')
      t.equal((await fetch(`${url}${HOME}`, { method: 'POST' })).status, 405)
    },
  )
}

t.test('the OpenAPI document is served, compressed or not', async (t) => {
  const page = createReferencePage()
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    await page(requestOf('GET', path, { anonymous: true, headers }))
  const html = String((await ask(HOME))?.body)
  const [name = ''] = /openapi\.[0-9a-f]+\.json/.exec(html) ?? []
  const committed = readFileSync(join(packageRoot, 'gateway/client/openapi.json'))
  const plain = await ask(HOME + name)
  const gzipped = await ask(HOME + name, { 'accept-encoding': 'br, gzip' })
  if (!(plain?.body instanceof Buffer && gzipped?.body instanceof Buffer))
    throw new Error('no body')
  t.ok(committed.equals(plain.body))
  t.ok(committed.equals(gunzipSync(gzipped.body)))
  t.ok(gzipped.body.length < plain.body.length / 5, `${gzipped.body.length} bytes`)
})

t.test('without the renderer the page says so and names the document', async (t) => {
  const page = createReferencePage(packageRoot, '')
  const reply = await page(requestOf('GET', HOME, { anonymous: true }))
  t.equal(reply?.status, 404)
  t.match(String(reply?.body), '/api/schema/')
  t.equal(page(requestOf('GET', '/api/documents/', { anonymous: true })), undefined)
})

t.test('a browser shows every call, without an error or a request to anybody else', async (t) => {
  const [kind = 'node'] = HTTP_KINDS
  const url = await serve(t, kind)
  const browser = await startBrowser(t)
  const { page, requests, troubles } = await browser.visitor()
  await page.goto(`${url}${HOME}`)
  await page.waitForSelector('.opblock-tag')
  const tags = await page.$$eval('.opblock-tag', (all) => all.length)
  t.equal(tags, resources().size, 'a section for each resource')
  await page.goto(`${url}${HOME}#/Feature%20flags/createFeatureFlag`)
  await page.reload()
  await page.waitForSelector('.opblock.is-open .opblock-body')
  const text = await page.$eval('.opblock.is-open', (element) => element.textContent ?? '')
  t.match(text, /feature_flag:write/)
  t.match(text, /new-checkout/, 'with its example')
  t.equal(await page.$eval('html', ({ className }) => className), '', 'light by default')
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
  await page.waitForSelector('html.dark-mode')
  await page.setViewport({ width: 360, height: 700 })
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  t.equal(isWide, false, 'a narrow screen need not be scrolled sideways')
  const filter = await page.$eval('.operation-filter-input', ({ clientWidth }) => clientWidth)
  t.ok(filter > 300, `the filter is ${filter} wide`)
  const foreign = (await requests()).filter(({ url: asked }) => !asked.href.startsWith(url))
  t.same(
    foreign.map(({ url: asked }) => asked.href).filter((href) => !href.startsWith('data:')),
    [],
  )
  t.same(troubles, [])
})
