import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { silentLog as log } from '../src/core/log.ts'
import { createSql } from '../src/store/connect.ts'
import { testDatabase } from './support/database.ts'

const which = process.env['W']
t.test('x', async (t) => {
  const db = await testDatabase(t)
  const mk = () => createSql(db.connection, { applicationName: 'x', connectionsMax: 1, log })
  const sql = mk()
  if (which !== 'fresh') await sql`select 1`
  await db.pg.freeze()
  const q = sql`select 2`.then(
    () => 'ok',
    (e) => e.code,
  )
  await sleep(which === 'live5' ? 5200 : 300)
  await sql.end({ timeout: 0 })
  console.error('ended', await q)
  await db.pg.resume()
  await sleep(300)
  const s2 = mk()
  await s2`select 1`
  if (which === 'endnow') await s2.end({ timeout: 0 })
  else t.teardown(() => s2.end({ timeout: 0 }))
})
