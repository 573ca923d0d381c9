/** A month leaves Postgres while events of it are deleted: none is missed. */
import t from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { leavePostgres } from '../../../src/replication/move/leave-postgres.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { deletionOf, keptSite, left, of } from '../../support/columns/ledger-site.ts'
import { askForPerson } from '../../support/store/deletions.ts'

t.setTimeout(600_000)

const APRIL = '2026-04-04T05:06:07.000000Z'
const server = await columnServer(t)

t.test('events of a month that moves in the middle of a chunk are not missed', async (t) => {
  const site = await keptSite(t, server)
  const { sql, columns, project, flush, deleting, leave } = site
  const deps = { sql, store: columns, clock }
  for (const event of ['ann', 'ben']) await flush([...of(event, 20), ...of(event, 20, APRIL)])
  await leave()
  const gone = await askForPerson(sql, project, 'ann')
  // It is told once the snapshot of the chunk is taken.
  await deleting({
    onPersonDeleted: async () => {
      await leavePostgres(deps, 'y2026m04')
    },
  })
  t.match(await deletionOf(sql, gone.id), { state: 'running', deleted: 0, error: null })
  await deleting()
  t.match(await deletionOf(sql, gone.id), { state: 'completed', deleted: 40 })
  const late = await askForPerson(sql, project, 'ben')
  await deleting()
  t.match(await deletionOf(sql, late.id), { state: 'completed', deleted: 40 })
  t.match(await left(site), { all: 0, counted: 0, keys: 0, whole: 0 })
})
