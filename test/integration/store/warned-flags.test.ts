import t from 'tap'
import { WARNED_FLAGS_READ } from '../../../src/core/limits/limits-status.ts'
import { countWarnedFlags } from '../../../src/store/projects/warned-flags-store.ts'
import { createProject } from '../../support/ingest/ingest-store.ts'
import { testDatabase } from '../../support/servers/database.ts'

t.test('flags with a condition that nothing can meet are counted over all projects', async (t) => {
  const { sql } = await testDatabase(t)
  const [one, other] = [await createProject(sql), await createProject(sql)]
  const put = async (project: number, key: string, condition: object, isDeleted = false) => {
    const filters = { groups: [{ properties: [{ type: 'person', key: 'p', ...condition }] }] }
    await sql`
      insert into feature_flags (project_id, key, filters, deleted)
      values (${project}, ${key}, ${JSON.stringify(filters)}::text::json, ${isDeleted})`
  }
  t.same(await countWarnedFlags(sql), { count: 0, first: [] })
  await put(one, 'turned', { operator: 'between', value: [2, 1] })
  await put(one, 'sound', { operator: 'between', value: [1, 2] })
  await put(other, 'unknown', { operator: 'like', value: 'x' })
  await put(other, 'gone', { operator: 'like', value: 'x' }, true)
  const first = [
    { projectId: one, key: 'turned' },
    { projectId: other, key: 'unknown' },
  ]
  t.same(await countWarnedFlags(sql), { count: 2, first })
  await sql`
    insert into feature_flags (project_id, key, filters)
    select ${one}, 'copy ' || at, f.filters
    from feature_flags f, generate_series(1, ${2 * WARNED_FLAGS_READ}::integer) at where f.key = 'unknown' and not f.deleted`
  const all = await countWarnedFlags(sql)
  t.equal(all.count, 2 + 2 * WARNED_FLAGS_READ)
  t.equal(all.first.length, 10)
  t.same(all.first.slice(0, 2), first)
})
