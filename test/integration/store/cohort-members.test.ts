import t from 'tap'
import type { Sql } from '../../../src/postgres/connect.ts'
import { addMembers } from '../../../src/store/cohorts/cohort-store.ts'
import { makePerson, setUpDeletions } from '../../support/store/deletions.ts'
import { until } from '../../support/until.ts'

async function makeCohort(sql: Sql, project: number): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into cohorts (project_id, is_static) values (${project}, true) returning id`
  if (row === undefined) throw new Error('no cohort was made')
  return row.id
}

async function membersOf(sql: Sql, cohort: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from cohort_people where cohort_id = ${cohort}`
  return row?.count ?? -1
}

t.test('distinct ids of a cohort: each person once, and none of another project', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  const cohort = await makeCohort(sql, project)
  await makePerson(sql, project, ['a', 'a2'])
  await makePerson(sql, project, ['b'])
  const added = await addMembers(sql, project, cohort, ['a', 'a2', 'b', 'c', `d' or 1=1`])
  t.strictSame(added, { added: 2, notFound: 2 })
  t.strictSame(await addMembers(sql, project, cohort, ['a']), { added: 0, notFound: 0 })
  const other = (project + 1) as typeof project
  t.strictSame(await addMembers(sql, other, cohort, ['a']), { added: 0, notFound: 1 })
  t.equal(await membersOf(sql, cohort), 2)
})

t.test('a person who is deleted meanwhile is in no cohort', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  const cohort = await makeCohort(sql, project)
  await makePerson(sql, project, ['a'])
  const adding = await sql.begin(async (tx) => {
    await tx`delete from persons where project_id = ${project}`
    const waiting = addMembers(sql, project, cohort, ['a'])
    await until('it waits for the person', async () => {
      const locked = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return locked.count > 0
    })
    return { waiting }
  })
  t.strictSame(await adding.waiting, { added: 0, notFound: 1 })
  t.equal(await membersOf(sql, cohort), 0)
})
