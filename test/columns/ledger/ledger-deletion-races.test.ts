/** Races between finding events in ClickHouse and deleting them: none is missed, none too many. */
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { deleteFound } from '../../../src/privacy/deletion-chunks.ts'
import { startRetention } from '../../../src/privacy/retention-store.ts'
import { columnServer } from '../../support/columns/column-store.ts'
import { deletionOf, keptSite, left, MARCH, of, small } from '../../support/columns/ledger-site.ts'
import { untilShipped } from '../../support/columns/replication.ts'
import { createProject } from '../../support/ingest/ingest-store.ts'
import { askFiltered, askForPerson } from '../../support/store/deletions.ts'

t.setTimeout(600_000)

const APRIL = '2026-04-04T05:06:07.000000Z'
const server = await columnServer(t)
const kept = (t: Test) => keptSite(t, server)

t.test('a deletion that is killed between two chunks continues', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  await flush([...of('ann', 250), ...of('ben', 5), ...of('ann', 150, APRIL)])
  await leave()
  const { id } = await askForPerson(sql, project, 'ann')
  for (const chunks of [3, 11]) {
    const abort = new AbortController()
    let done = 0
    const onChunk = () => {
      if (++done === chunks) abort.abort()
    }
    await deleting({ signal: abort.signal, onChunk, ...small(id) })
  }
  t.match(await deletionOf(sql, id), { state: 'running', deleted: 14 * 20, error: null })
  await deleting(small(id))
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 400 })
  t.match(await left(site), { counts: { ben: 5 }, all: 5, counted: 5, keys: 5, whole: 0 })
})

t.test('ClickHouse may go and come back in the middle', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave, setAway } = site
  await flush([...of('ann', 400), ...of('ben', 5)])
  await leave()
  const { id } = await askForPerson(sql, project, 'ann')
  let done = 0
  const onChunk = async () => {
    if (++done === 3) await setAway(true)
  }
  await deleting({ onChunk, ...small(id) })
  t.match(
    await deletionOf(sql, id),
    { state: 'running', deleted: 8 * 20, error: /ClickHouse/ },
    'what was found is deleted, and no more is found',
  )
  await setAway(false)
  await deleting(small(id))
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 400, error: null })
  t.match(await left(site), { counts: { ben: 5 }, all: 5, counted: 5, keys: 5 })
})

t.test('a filter walks in small pieces through events of one time, of both kinds', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  const pro = { properties: '{"plan":"pro"}' }
  await flush([...of('ann', 170, MARCH, pro), ...of('ann', 30), ...of('ann', 170, APRIL, pro)])
  await leave()
  await flush([...of('ann', 7, '1999-01-02T03:04:05.000006Z', pro), ...of('ben', 9, APRIL)])
  const properties = JSON.stringify([{ key: 'plan', value: 'pro', type: 'event' }])
  const id = await askFiltered(sql, project, { properties, before: '2026-12-01T00:00:00Z' })
  await deleting(small(id))
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 347, error: null })
  t.match(await left(site), { counts: { ann: 30, ben: 9 }, all: 39, counted: 39 })
})

t.test('events that are too old are deleted day by day, in small pieces', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  const other = await createProject(sql)
  const days = ['0001-03-01', '1850-06-01', '1969-12-31', '1970-01-01', '2026-03-05', '2026-03-06']
  await flush(of('zoe', 3), other)
  for (const day of days) await flush(of('ann', 170, `${day}T10:00:00.000001Z`))
  await leave()
  await flush(of('ann', 4, '2026-11-20T10:00:00.000000Z'))
  await sql`update projects set events_retention_days = 1 where id = ${project}`
  const id = randomUUID()
  await sql`insert into deletions (id, project_id, kind, cutoff)
    values (${id}, ${project}, 'retention', '2026-03-06')`
  await deleting(small(id))
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 5 * 170, error: null })
  t.match(await left(site), { counts: { ann: 174, zoe: 3 }, counted: 177 })
})

t.test('a day of which ClickHouse has more than the ledger does not end a walk', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  await flush(of('ann', 170))
  await leave()
  await flush(of('ann', 30, APRIL))
  await sql`delete from event_ledger where day < '2026-04-01'`
  const id = randomUUID()
  await sql`update projects set events_retention_days = 1 where id = ${project}`
  await sql`insert into deletions (id, project_id, kind, cutoff)
    values (${id}, ${project}, 'retention', '2026-05-01')`
  await deleting(small(id))
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 30, error: null })
  t.match(await left(site), { counted: 170, keys: 0, whole: 0 })
})

t.test('a worker that found events before another one advanced does not go back', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, find, deleting, leave } = site
  await flush(of('ann', 300))
  await leave()
  // So that no count of removals tells of the other one.
  await sql`delete from event_ledger`
  const id = randomUUID()
  await sql`update projects set events_retention_days = 1 where id = ${project}`
  await sql`insert into deletions (id, project_id, kind, cutoff)
    values (${id}, ${project}, 'retention', '2026-05-01')`
  const placeOf = async () => (await sql`select place from deletions where id = ${id}`)[0]
  let place: unknown
  const findKeys: typeof find = async (deletion, walk) => {
    const found = await find(deletion, walk)
    const abort = new AbortController()
    await deleting({ signal: abort.signal, onChunk: () => abort.abort(), ...small(id) })
    place = await placeOf()
    return found
  }
  await deleting({ findKeys, ...small(id) })
  t.match(await deletionOf(sql, id), { state: 'running', error: null })
  t.same(await placeOf(), place)
  await deleting(small(id))
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 0 })
})

t.test('a person that is deleted without its events does not wait for ClickHouse', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave, setAway } = site
  await flush(of('ann', 5))
  await leave()
  const { id } = await askForPerson(sql, project, 'ann', false)
  await setAway(true)
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 0, error: null })
  t.match(await left(site), { counts: { ann: 5 }, counted: 5, keys: 5 })
})

t.test('an event deleted and stored anew since it was found stays', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, find, deleting, leave } = site
  const [again, ...others] = of('ann', 20)
  if (again === undefined) return
  await flush([again, ...others])
  await leave()
  const { id } = await askForPerson(sql, project, 'ann')
  const findKeys: typeof find = async (deletion, walk) => {
    const found = await find(deletion, walk)
    const key = { day: '2026-03-04', uuid: again.uuid, event: again.event }
    if ((await sql.begin((tx) => deleteFound(tx, project, [key]))) === 1) await flush([again])
    return found
  }
  await deleting({ findKeys })
  t.match(await deletionOf(sql, id), { state: 'running', deleted: 0, error: null }, 'it is late')
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 19 })
  t.match(await left(site), { counts: { ann: 1 }, counted: 1, keys: 1 })
})

t.test('a deletion waits while ClickHouse lacks events that it may be about', async (t) => {
  const site = await kept(t)
  const { sql, project, flush, deleting, leave } = site
  await flush([...of('ann', 20), ...of('ann', 20, APRIL), ...of('ben', 6)])
  await leave()
  await sql`insert into event_gaps (month, reason, asked)
    values ('y2026m04', 'lost', false), ('persons', 'lost', false)`
  const { id } = await askForPerson(sql, project, 'ann')
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'running', error: /lacks events of y2026m04/ })
  await sql`delete from deletions`
  await sql`update projects set events_retention_days = 1 where id = ${project}`
  await sql`insert into deletions (id, project_id, kind, cutoff)
    values (${id}, ${project}, 'retention', '2026-04-01')`
  await deleting()
  t.match(await deletionOf(sql, id), { state: 'completed', deleted: 26 }, 'months before it')
  await sql`delete from event_gaps`
  await startRetention(sql, new AbortController().signal)
  await deleting()
  await untilShipped(sql)
  t.match(await left(site), { all: 0, counted: 0, keys: 0, whole: 0 })
})
