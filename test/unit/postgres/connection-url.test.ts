import fc from 'fast-check'
import t from 'tap'
import { parseConnectionUrl } from '../../../src/postgres/connection-url.ts'

t.test('a text that is not a URL, or has an unknown kind of TLS, is refused', async (t) => {
  const bad = [
    '',
    'db',
    'postgres://[',
    'postgres://a:99999/x',
    'postgres://a:0/x',
    'postgres://a,/x',
    'postgres://a/x?sslmode=perhaps',
    'postgres://a/x?host=',
  ]
  for (const url of bad)
    t.throws(() => parseConnectionUrl(url), { name: /TypeError|URIError/ }, url)
})

t.test('a plain URL names one server, one user and one database', async (t) => {
  t.strictSame(parseConnectionUrl('postgres://ann:p%40ss@db.example:6432/sales?sslmode=require'), {
    endpoints: [{ kind: 'tcp', host: 'db.example', port: 6432 }],
    user: 'ann',
    password: 'p@ss',
    database: 'sales',
    tls: { mode: 'require', rootCertPath: undefined, certPath: undefined, keyPath: undefined },
    session: {},
  })
})

t.test('several hosts, addresses of version 6 and defaults are read', async (t) => {
  const { endpoints, user, database, tls } = parseConnectionUrl('postgresql://a:1,[::1]:2,b?port=9')
  t.strictSame(endpoints, [
    { kind: 'tcp', host: 'a', port: 1 },
    { kind: 'tcp', host: '::1', port: 2 },
    { kind: 'tcp', host: 'b', port: 9 },
  ])
  t.strictSame([user, database, tls.mode], ['postgres', 'postgres', 'disable'])
})

t.test('a Unix socket is named by its folder, in either place', async (t) => {
  const wanted = [{ kind: 'unix', path: '/run/pg/.s.PGSQL.5432' }]
  t.strictSame(parseConnectionUrl('postgresql:///x?host=/run/pg&user=u').endpoints, wanted)
  t.strictSame(parseConnectionUrl('postgresql://u@%2Frun%2Fpg/x').endpoints, wanted)
})

t.test('other parameters are settings of the session', async (t) => {
  const { session } = parseConnectionUrl('postgres://h/x?application_name=a%20b&search_path=s')
  t.strictSame(session, { application_name: 'a b', search_path: 's' })
})

t.test('any password survives the URL', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (password) => {
      const url = `postgres://u:${encodeURIComponent(password)}@h/x`
      return parseConnectionUrl(url).password === password
    }),
  )
})
