import t from 'tap'
import { countWarned, WARNED_READ } from '../../../src/store/projects/warned-store.ts'
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
  const counted = async () => {
    const { count, first } = (await countWarned(sql)).flags
    return { count, first: first.map(({ projectId, name }) => ({ projectId, name })) }
  }
  t.same(await counted(), { count: 0, first: [] })
  await put(one, 'turned', { operator: 'between', value: [2, 1] })
  await put(one, 'sound', { operator: 'between', value: [1, 2] })
  await put(other, 'unknown', { operator: 'like', value: 'x' })
  await put(other, 'gone', { operator: 'like', value: 'x' }, true)
  const first = [
    { projectId: one, name: 'turned' },
    { projectId: other, name: 'unknown' },
  ]
  t.same(await counted(), { count: 2, first })
  await sql`
    insert into feature_flags (project_id, key, filters)
    select ${one}, 'copy ' || at, f.filters
    from feature_flags f, generate_series(1, ${2 * WARNED_READ}::integer) at where f.key = 'unknown' and not f.deleted`
  const all = await counted()
  t.equal(all.count, 2 + 2 * WARNED_READ)
  t.equal(all.first.length, 10)
  t.same(all.first.slice(0, 2), first)
})

t.test('so are cohorts, with their names', async (t) => {
  const { sql } = await testDatabase(t)
  const project = await createProject(sql)
  const put = async (name: string, filters: unknown, more: object = {}) => {
    const { is_static: isStatic = false, deleted = false } = more as Record<string, boolean>
    const rows = await sql<{ id: number }[]>`
      insert into cohorts (project_id, name, filters, is_static, deleted)
      values (${project}, ${name}, ${JSON.stringify(filters)}::text::json, ${isStatic}, ${deleted})
      returning id`
    return rows[0]?.id
  }
  const leaf = (operator: string, value: unknown) => ({ type: 'person', key: 'p', operator, value })
  const group = (...values: object[]) => ({ properties: { type: 'OR', values } })
  const odd = leaf('like', 'x')
  t.same((await countWarned(sql)).cohorts, { count: 0, first: [] })
  await put('sound', group(leaf('between', [1, 2]), { type: 'cohort', key: 'id', value: 1 }))
  await put('all', { properties: [] })
  await put('listed', {}, { is_static: true })
  await put('listed once', group(odd), { is_static: true })
  await put('gone', group(odd), { deleted: true })
  const warned = [
    ['turned', group(leaf('exact', 1), leaf('between', [2, 1]))],
    ['negated', { properties: [{ ...odd, negation: true }] }],
    ['within', group({ type: 'AND', values: [leaf('exact', 1), { type: 'OR', values: [odd] }] })],
    ['', group({ type: 'cohort', key: 'id', value: 'x' })],
    ['unreadable', { properties: 7 }],
  ] as const
  const first = []
  for (const [name, filters] of warned) {
    first.push({ id: await put(name, filters), projectId: project, name })
  }
  const { flags, cohorts } = await countWarned(sql)
  t.same(cohorts, { count: 5, first })
  t.equal(flags.count, 0)
})
