import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { testDatabase } from './support/database.ts'
import { createProject, makeEvent, openStore } from './support/ingest-store.ts'
const which = process.env['W']
t.test('x', async (t) => {
  const db = await testDatabase(t)
  const project = await createProject(db.sql)
  const store = openStore(t, db)
  const flush = () => store.flush(0, [{ projectId: project, event: makeEvent() }]).then(() => 'ok', (e) => `${e.kind} ${e.code}`)
  console.error(await flush())
  if (which === 'kill') { const f = flush(); await db.pg.kill('SIGKILL'); console.error(await f, await flush(), await flush()); await db.pg.restart(); console.error(await flush()) }
  if (which === 'freeze') { await db.pg.freeze(); console.error(await store.ping().catch((e) => e.code), await flush()); await db.pg.resume(); await sleep(500); console.error(await flush()) }
})
