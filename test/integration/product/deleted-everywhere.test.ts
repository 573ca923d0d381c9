/** A deleted person is in no store of a whole cluster, by a list of all stores. */
import t, { type Test } from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { findRunningPostgres } from '../../../src/embedded/running.ts'
import { createSql } from '../../../src/postgres/connect.ts'
import { everywhere } from '../../support/privacy/everywhere-suite.ts'
import { callsOf, makeMarkedPerson, prepareSite } from '../../support/privacy/marked-person.ts'
import { STANDALONE_FILES, searchFiles } from '../../support/privacy/stores.ts'
import { startStandalone } from '../../support/servers/product.ts'

t.setTimeout(600_000)

everywhere(t, async () => undefined)

t.test('a standalone writes nothing of a person to a file of its data folder', async (t) => {
  const product = await startStandalone(t)
  const { url, projectKey, personalKey, settings } = product
  const folder = settings['DATA_DIR'] ?? ''
  const sql = await databaseOf(t, folder)
  const site = { url, projectKey, personalKey, sql }
  await prepareSite(site)
  const { mark, distinctId } = await makeMarkedPerson(site)
  const [refused] = await sql`select from dead_letters where payload like ${`%${mark}%`}`
  t.ok(refused, 'Postgres has refused something of it')
  const path = `/api/projects/1/persons/${distinctId}/?by=distinct_id&delete_events=true`
  await callsOf(site).call('DELETE', path)
  const { all, found } = searchFiles(folder, mark)
  t.strictSame(all, STANDALONE_FILES, 'each file is in the list')
  t.strictSame(found, [], 'neither in logs nor beside them')
  t.notOk(JSON.stringify(product.process.lines).includes(mark), 'nor in its own log')
})

async function databaseOf(t: Test, folder: string) {
  const running = await findRunningPostgres(folder)
  if (running === undefined) throw new Error('no Postgres runs')
  const sql = createSql(running.connection, { applicationName: 'test', connectionsMax: 1, log })
  t.teardown(async () => {
    await sql.end()
    await running.release()
  })
  return sql
}
