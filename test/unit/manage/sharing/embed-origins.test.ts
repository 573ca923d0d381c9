import t from 'tap'
import { embedOrigins } from '../../../../src/manage/sharing/rules/embed-origins.ts'

t.test('origins are those of addresses, each once', (t) => {
  t.same(
    embedOrigins([
      'https://app.example.com/home?x=1',
      'https://APP.example.com',
      'http://localhost:3000/',
      'https://*.example.org',
    ]),
    ['https://app.example.com', 'http://localhost:3000', 'https://*.example.org'],
  )
  t.end()
})

t.test('nothing that could be more than an origin in a header is one', (t) => {
  const hostile = [
    'https://a;script-src',
    'https://a,b.example.com',
    "https://'self'",
    'https://*',
    'javascript:alert(1)',
    'data:text/html,x',
    'app.example.com',
    '*',
    '',
    null,
    1,
  ]
  t.same(embedOrigins(hostile), [])
  t.same(embedOrigins(null), [])
  t.equal(embedOrigins(Array.from({ length: 99 }, (_, at) => `https://a${at}.com`)).length, 50)
  t.end()
})
