import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import t from 'tap'
import { signupPage } from '../../../../gateway/rest/signup-page.ts'
import { verifyEmailPage } from '../../../../gateway/rest/verify-email-page.ts'
import { headerOf, requestOf } from '../../../support/http/rest.ts'

const PATH = `/signup/${'9d6e1c1c'.padEnd(43, 'Zz')}`
const VERIFY = PATH.replace('signup', 'verify_email')
const ask = (path: string, method = 'GET') => {
  const request = requestOf(method, path, { anonymous: true })
  return signupPage(request) ?? verifyEmailPage(request)
}

t.test('a page runs its own script and style, and nothing else', (t) => {
  for (const path of [PATH, `${PATH}/`, '/signup/cut', VERIFY, `${VERIFY}/`]) {
    const reply = ask(path)
    t.equal(reply?.status, 200)
    const html = String(reply?.body)
    const policy = headerOf(reply ?? { status: 0, body: '' }, 'content-security-policy') ?? ''
    for (const tag of ['script', 'style']) {
      const inner = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(html)?.[1] ?? ''
      const hash = createHash('sha256').update(inner).digest('base64')
      t.ok(inner.length > 100 && policy.includes(`${tag}-src 'sha256-${hash}'`), tag)
    }
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? ''
    t.doesNotThrow(() => new Script(script), 'it is JavaScript')
    t.notMatch(script, /innerHTML|insertAdjacent|document\.write/)
    t.match(policy, "default-src 'none'")
  }
  t.end()
})

t.test('it holds nothing of the invite, and its address goes nowhere', (t) => {
  for (const path of [PATH, VERIFY]) {
    const reply = ask(path)
    t.notMatch(String(reply?.body), '9d6e1c1c')
    t.equal(headerOf(reply ?? { status: 0, body: '' }, 'referrer-policy'), 'no-referrer')
    t.equal(headerOf(reply ?? { status: 0, body: '' }, 'cache-control'), 'no-store')
  }
  t.end()
})

t.test('other paths and methods are not its own', (t) => {
  for (const path of ['/signup/', `${PATH}/more`, `${VERIFY}x`, '/api/signup/x/']) {
    t.equal(ask(path), undefined, path)
  }
  for (const path of [PATH, VERIFY]) t.equal(ask(path, 'POST')?.status, 405)
  t.end()
})
