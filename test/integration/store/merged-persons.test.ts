import t from 'tap'
import { systemClock as clock } from '../../../src/core/clock.ts'
import { AppError } from '../../../src/core/code.ts'
import type { ProjectId } from '../../../src/core/ids.ts'
import { findPerson } from '../../../src/event-store/postgres/persons/find-person.ts'
import { merge } from '../../../src/manage/persons/person-changes.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { makePerson, setUpDeletions } from '../../support/store/deletions.ts'
import { until } from '../../support/until.ts'

const caller = { principal: null, access: {} }

t.test('merges at the same time leave each id with one person', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const id of ids) await makePerson(sql, project, [id, `${id}2`])
  const told: string[] = []
  const merges = ids.map((id, place) =>
    mergeInto(sql, project, id, [`${ids[(place + 1) % ids.length]}2`, `new-${place % 2}`], told),
  )
  for (const done of await Promise.allSettled(merges)) {
    // A caller whose person has become another one is notified.
    if (done.status === 'rejected') t.match(done.reason, { code: 'not_found' })
  }
  const owners = await sql<{ distinct_id: string; persons: number }[]>`
    select d.distinct_id, count(p.id)::int as persons from distinct_ids d
    left join persons p on p.id = d.person_id and p.project_id = d.project_id
    where d.project_id = ${project} group by 1 order by 1`
  t.ok(owners.length >= 12 && owners.every(({ persons }) => persons === 1), JSON.stringify(owners))
  const [lost] = await sql<{ count: number }[]>`
    select count(*)::int as count from persons p where p.project_id = ${project}
    and not exists (select from distinct_ids d where d.person_id = p.id)`
  t.equal(lost?.count, 0, 'no person is left without an id')
  t.ok(told.length > 0, 'caches are told')
})

t.test('an id that a person gets meanwhile is merged with that person', async (t) => {
  const { sql, project } = await setUpDeletions(t)
  await makePerson(sql, project, ['a'])
  const told: string[] = []
  let merging: ReturnType<typeof mergeInto> | undefined
  await sql.begin(async (tx) => {
    await tx`with made as (
      insert into persons (project_id, uuid, created_at)
      values (${project}, gen_random_uuid(), now()) returning id
    ) insert into distinct_ids select ${project}, 'new', id from made`
    merging = mergeInto(sql, project, 'a', ['new'], told)
    await until('the merge waits for the id', async () => {
      const [row] = await sql<{ waiting: boolean }[]>`
        select exists (select from pg_locks where not granted) as waiting`
      return row?.waiting === true
    })
  })
  t.match(await merging, { merged: { length: 1 }, attached: { length: 0 } })
  t.same(told.toSorted(), ['a', 'new'])
})

async function mergeInto(
  sql: Sql,
  project: ProjectId,
  id: string,
  distinctIds: readonly string[],
  told: string[],
) {
  const person = await findPerson(sql, project, { distinctId: id })
  if (person === undefined) throw new AppError('not_found', 'nobody has the id')
  const onPersonsChanged = async (_: ProjectId, ids: readonly string[]) => {
    told.push(...ids)
  }
  const asked = { distinctIds, isDryRun: false }
  return await merge({ sql, clock, onPersonsChanged }, { project, caller }, person, asked)
}
