import { createHash } from 'node:crypto'
import t from 'tap'
import { createProbes } from '../../../../gateway/public/probes.ts'
import { headerOf, requestOf } from '../../../support/http/rest.ts'

const NONE = { status: 0, body: '' }

t.test('a probe says whether the process runs, and whether it can serve', async (t) => {
  let reasons: readonly string[] = []
  const probes = createProbes(() => reasons)
  const ask = (path: string) => probes(requestOf('GET', path, { anonymous: true })) ?? NONE
  for (const path of ['/_livez', '/_readyz', '/_health', '/_health/']) {
    t.match(ask(path), { status: 200, body: '{"status":"ok"}' }, path)
  }
  reasons = ['no worker answers at 10.0.0.1']
  t.match(ask('/_livez'), { status: 200 })
  for (const path of ['/_readyz', '/_health']) {
    t.match(ask(path), { status: 503, body: '{"status":"unready"}' }, 'strangers get no reasons')
    t.equal(headerOf(ask(path), 'retry-after'), '2')
    t.equal(headerOf(ask(path), 'cache-control'), 'no-store')
  }
})

t.test('whoever opens the address gets a page that loads nothing', async (t) => {
  const page = createProbes(() => [])(requestOf('GET', '/', { anonymous: true })) ?? NONE
  t.equal(page.status, 200)
  t.match(headerOf(page, 'content-type'), 'text/html')
  const style = /<style>([\s\S]*)<\/style>/.exec(String(page.body))?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  t.match(headerOf(page, 'content-security-policy'), `style-src 'sha256-${hash}'`)
  t.match(headerOf(page, 'content-security-policy'), "default-src 'none'")
  t.match(headerOf(page, 'content-security-policy'), "script-src 'self'; connect-src 'self'")
  t.notMatch(String(page.body), /<script|src=|https?:/)
})

t.test('other methods are refused, other paths are not its own', async (t) => {
  const probes = createProbes(() => [])
  for (const path of ['/', '/_livez', '/_readyz']) {
    const refused = probes(requestOf('POST', path, { anonymous: true })) ?? NONE
    t.equal(refused.status, 405)
    t.equal(headerOf(refused, 'allow'), 'GET, HEAD')
  }
  for (const path of ['', '//', '/_health/x', '/health', '/api/']) {
    t.equal(probes(requestOf('GET', path, { anonymous: true })), undefined, path)
  }
})
