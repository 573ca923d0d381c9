import t from 'tap'
import { createOwnPages } from '../../../../gateway/mcp/own-pages.ts'
import { requestOf } from '../../../support/http/rest.ts'

t.test(
  'a page is our own by PUBLIC_URL, or by an address; a name that points here is not',
  async (t) => {
    const isOwn = createOwnPages('https://sluice.example.com')
    const of = (origin: string, host: string) =>
      isOwn(requestOf('POST', '/mcp', { headers: { origin, host } }))
    t.ok(of('https://sluice.example.com', 'anything'))
    t.ok(of('http://127.0.0.1:8000', '127.0.0.1:8000'))
    t.ok(of('http://[::1]:8000', '[::1]:8000'))
    t.ok(of('http://localhost:8000', 'localhost:8000'))
    t.notOk(of('http://rebound.example:8000', 'rebound.example:8000'))
    t.notOk(of('http://localhost:9000', 'localhost:8000'))
    t.notOk(of('http://127.0.0.1.evil.example', '127.0.0.1'))
    t.notOk(of('null', 'localhost'))
    t.notOk(
      isOwn(requestOf('POST', '/mcp', { headers: { host: 'localhost' } })),
      'a program names no origin',
    )
  },
)
