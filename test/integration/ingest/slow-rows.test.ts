/** A row that is slow to write, on a real Postgres: nobody else waits for it or is refused. */
import t from 'tap'
import { batchOf } from '../../../src/events/event-batch.ts'
import { createProject, makeEvent, openWriter } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

t.test('a slow row is no dead store: other tenants are stored meanwhile', async (t) => {
  const db = await testDatabase(t)
  const writer = openWriter(t, db)
  const attacker = await createProject(db.sql)
  const tenant = await createProject(db.sql)
  // A property that a person has already takes no lock, so each is another.
  const change = (n: number) => {
    const set = JSON.stringify({ bio: 'x'.repeat(400_000), n })
    return makeEvent({ distinctId: 'a', properties: `{"$set":${set}}`, person: { set } })
  }
  t.match(await writer.submit(batchOf(attacker, [change(0)])), { kind: 'stored' })
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let locked = () => {}
  const isLocked = new Promise<void>((resolve) => {
    locked = resolve
  })
  // The person is locked: what changes it is as slow as can be.
  const locking = db.sql.begin(async (tx) => {
    await tx`select from persons where project_id = ${attacker} for update`
    locked()
    await held
  })
  await isLocked
  const slow = [1, 2, 3].map((n) => writer.submit(batchOf(attacker, [change(n)])))
  const [first] = await Promise.all(slow)
  t.match(
    first,
    { kind: 'unavailable', cause: { code: 'SLOW' } },
    'nothing else has come meanwhile',
  )
  for (let n = 0; n < 20; n++) {
    const events = [makeEvent({ person: { set: '{"plan":"pro"}' } }), makeEvent({})]
    t.match(await writer.submit(batchOf(tenant, events)), { kind: 'stored' })
  }
  t.match(writer.status(), { state: 'up', breaker: { opened: 0 } })
  release()
  await locking
})
