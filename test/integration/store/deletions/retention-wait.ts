import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { ProjectId } from '../../../../src/core/ids.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { removeLeftovers, startRetention } from '../../../../src/privacy/retention-store.ts'
import { lockProject, updateProject } from '../../../../src/store/projects/project-store.ts'
import { fill, left, never, setUpDeletions, work } from '../../../support/store/deletions.ts'
import { clearOfMidnight } from '../../../support/until.ts'

const WAIT = { retentionWaitHours: 24 }
const AGES = [400, 100, 40, 0]

t.test(
  'events newly covered by a shorter retention are deleted once its wait is over',
  async (t) => {
    const { sql, project, pass, set } = await setUp(t)
    const letters = () => sql`select from dead_letters where project_id = ${project}`
    await sql`insert into dead_letters
    (project_id, uuid, event, distinct_id, payload, sqlstate, error, created_at)
    values (${project}, ${randomUUID()}, 'e', 'd', '{}', '22P05', 'no', now() - interval '32 days')`
    await set(30)
    t.same(await pass(), { d400: 5, d100: 5, d40: 5, d0: 5 }, 'no month is dropped either')
    t.equal((await letters()).count, 1)
    await letTimePass(sql, 23)
    t.same(await pass(), { d400: 5, d100: 5, d40: 5, d0: 5 })
    await letTimePass(sql, 1)
    t.same(await pass(), { d0: 5 })
    t.equal((await letters()).count, 0)
  },
)

t.test('meanwhile the time before it holds, and to come back to it loses nothing', async (t) => {
  const { sql, pass, set } = await setUp(t)
  await set(200)
  await letTimePass(sql, 24)
  await set(30)
  t.same(await pass(), { d100: 5, d40: 5, d0: 5 }, 'what is older than 200 days goes all the same')
  await letTimePass(sql, 23)
  t.equal(await set(200), null)
  await letTimePass(sql, 1)
  t.same(await pass(), { d100: 5, d40: 5, d0: 5 })
  await set(null)
  t.equal(await set(36_525).then((from) => from !== null), true, 'from no end to any is shorter')
})

t.test(
  'a wait continues where the time is raised, and begins anew where it is cut again',
  async (t) => {
    const { sql, pass, set } = await setUp(t)
    const first = await set(10)
    await letTimePass(sql, 20)
    t.equal(await set(10), await movedBy(sql, first, 20), 'nothing has changed')
    t.equal(await set(30), await movedBy(sql, first, 20), 'it covers less than what waits')
    await letTimePass(sql, 3)
    t.same(await pass(), { d400: 5, d100: 5, d40: 5, d0: 5 })
    await set(1)
    await letTimePass(sql, 23)
    t.same(await pass(), { d400: 5, d100: 5, d40: 5, d0: 5 }, 'a day after the last cut')
    await letTimePass(sql, 1)
    t.same(await pass(), { d0: 5 })
    t.equal(await set(20), null)
  },
)

async function setUp(t: Parameters<typeof setUpDeletions>[0]) {
  await clearOfMidnight()
  const { sql, project } = await setUpDeletions(t)
  for (const ago of AGES) {
    const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    await fill(sql, project, { distinctId: `d${ago}`, day, events: 5 })
  }
  return {
    ...{ sql, project },
    /** Events left after all that a worker does about age. */
    async pass() {
      await startRetention(sql, never)
      await work(sql)
      await removeLeftovers(sql)
      return (await left(sql, project)).events
    },
    /** @returns from when on it holds, where it waits. */
    set: (days: number | null) => retain(sql, project, days),
  }
}

async function retain(sql: Sql, project: ProjectId, days: number | null): Promise<string | null> {
  return await sql.begin(async (tx) => {
    const stored = await lockProject(tx, project)
    if (stored === undefined) throw new Error('no such project')
    await updateProject(tx, project, { ...stored, eventsRetentionDays: days }, WAIT)
    return (await lockProject(tx, project))?.eventsRetentionFrom ?? null
  })
}

/** As far as projects can tell. */
async function letTimePass(sql: Sql, hours: number): Promise<void> {
  await sql`update projects
    set events_retention_from = events_retention_from - ${hours}::integer * interval '1 hour'`
}

async function movedBy(sql: Sql, time: string | null, hours: number): Promise<string | null> {
  const [row] = await sql<{ moved: string | null }[]>`
    select to_char((${time}::text::timestamptz - ${hours}::integer * interval '1 hour')
      at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as moved`
  return row?.moved ?? null
}
