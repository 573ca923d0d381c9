/** Very many large `$set`s at once, as when the database has been away: on a real Postgres. */
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { batchOf } from '../../../src/events/event-batch.ts'
import type { WriterOutcome } from '../../../src/ingest/writer-port.ts'
import { createProject, makeEvent, openWriter } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

/** Below the bound of a person, of text that does not compress. */
const SET_BYTES = 500_000
const PERSONS = 32

t.test('a backlog of large changes is stored, and is no dead store', async (t) => {
  const db = await testDatabase(t)
  const writer = openWriter(t, db)
  const attacker = await createProject(db.sql)
  const tenant = await createProject(db.sql)
  const bio = randomBytes((SET_BYTES / 4) * 3).toString('base64')
  const set = JSON.stringify({ bio })
  const change = (n: number) =>
    makeEvent({ distinctId: `p${n}`, properties: `{"$set":${set}}`, person: { set } })
  const backlog = Array.from({ length: PERSONS }, (_, n) =>
    writer.submit(batchOf(attacker, [change(n)])),
  )
  let isOver = false
  const over = Promise.all(backlog).then((outcomes) => {
    isOver = true
    return outcomes
  })
  const small: WriterOutcome[] = []
  while (!isOver) {
    const event = makeEvent({ distinctId: `s${small.length}`, person: { set: '{"plan":"pro"}' } })
    small.push(await writer.submit(batchOf(tenant, [event])))
  }
  const outcomes = await over
  t.ok(small.length > 0)
  t.strictSame(
    small.filter(({ kind }) => kind !== 'stored'),
    [],
    'nobody else is refused',
  )
  t.match(writer.status(), { state: 'up', breaker: { opened: 0 }, deadLetterEvents: 0 })
  const late = outcomes.filter(({ kind }) => kind !== 'stored')
  t.comment(`${small.length} small beside, ${late.length} of ${PERSONS} were answered as late`)
  // A batch that has waited for too long may be sent again, by the spill or the client.
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome.kind === 'stored') continue
    t.match(outcome, { kind: 'unavailable' })
    t.match(await writer.submit(batchOf(attacker, [change(n)])), { kind: 'stored' })
  }
  const [row] = await db.sql<{ persons: number; least: number }[]>`
    select count(*)::int as persons, min(length(properties::text))::int as least
    from persons where project_id = ${attacker}`
  t.equal(row?.persons, PERSONS)
  t.ok((row?.least ?? 0) > SET_BYTES)
})
