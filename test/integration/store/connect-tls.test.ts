import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { POSTGRES_USER } from '../../../src/embedded/data-folder.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { makeAuthority } from '../../support/tls/certificates.ts'
import { startTlsPostgres } from '../../support/tls/postgres-tls.ts'

/** Asks whether the session is encrypted. */
async function ask(t: Test, host: string, parameters: Readonly<Record<string, string>>) {
  const url = `postgres://${POSTGRES_USER}@${host}/postgres?${new URLSearchParams(parameters)}`
  const sql = createSql(url, { applicationName: 'test', connectionsMax: 1, log })
  t.teardown(() => sql.end({ timeout: 0 }))
  const [row] = await sql<{ ssl: boolean }[]>`
    select ssl from pg_stat_ssl where pid = pg_backend_pid()
  `
  return row?.ssl
}

t.test('a certificate is verified as sslmode says', async (t) => {
  const authority = makeAuthority(t)
  const other = makeAuthority(t)
  const { host } = await startTlsPostgres(t, authority)
  const known = { sslrootcert: authority.ca }
  t.equal(await ask(t, host, { sslmode: 'require' }), true, 'encrypted, whoever it is')
  t.equal(await ask(t, host, { sslmode: 'verify-full', ...known }), true)
  t.equal(await ask(t, host, { sslmode: 'verify-ca', ...known }), true)
  const strange = { sslrootcert: other.ca }
  for (const sslmode of ['verify-full', 'verify-ca', 'require']) {
    await t.rejects(ask(t, host, { sslmode, ...strange }), `${sslmode}: another authority`)
  }
  for (const sslmode of ['verify-full', 'verify-ca']) {
    await t.rejects(ask(t, host, { sslmode }), `${sslmode}: an authority that nobody knows`)
  }
  await t.rejects(ask(t, host, { sslmode: 'disable' }), 'plain text')
})

t.test('only verify-full looks at the name', async (t) => {
  const authority = makeAuthority(t)
  const { host } = await startTlsPostgres(t, authority)
  // The same server by another name.
  const elsewhere = `[::ffff:${host}]`
  const known = { sslrootcert: authority.ca }
  t.equal(await ask(t, elsewhere, { sslmode: 'verify-ca', ...known }), true)
  await t.rejects(ask(t, elsewhere, { sslmode: 'verify-full', ...known }))
})

t.test('a certificate is shown to a server that asks for one', async (t) => {
  const authority = makeAuthority(t)
  const { host } = await startTlsPostgres(t, authority, { asksFor: authority })
  const known = { sslmode: 'verify-full', sslrootcert: authority.ca }
  const { cert, key } = authority.issue(['DNS:worker.example'])
  t.equal(await ask(t, host, { ...known, sslcert: cert, sslkey: key }), true)
  await t.rejects(ask(t, host, known))
})
