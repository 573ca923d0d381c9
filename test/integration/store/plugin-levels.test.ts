import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { migrationsBefore } from '../../support/servers/migrations.ts'

t.test('only the first organization keeps the right to publish plugins', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  await migrate(sql, { dir: await migrationsBefore(t, '_plugin_levels.sql'), log })
  const organization = async (name: string, isStaff: boolean, level = 9) => {
    const id = randomUUID()
    await sql`
      insert into organizations (id, name, slug, plugins_access_level)
      values (${id}, ${name}, ${name}, ${level})`
    await sql`
      with made as (
        insert into users (uuid, distinct_id, email, is_staff)
        values (${randomUUID()}, ${name}, ${name}, ${isStaff}) returning id
      )
      insert into memberships (id, organization_id, user_id, level)
      select ${randomUUID()}, ${id}, id, 15 from made`
    const [project] = await sql<{ id: number }[]>`
      insert into projects (uuid, organization_id, name, api_token)
      values (${randomUUID()}, ${id}, ${name}, ${name}) returning id`
    return { id, project: project?.id ?? 0 }
  }
  const plugin = async (name: string, owner: string) => {
    const [row] = await sql<{ id: number }[]>`
      insert into plugins (organization_id, plugin_type, name, is_global)
      values (${owner}, 'source', ${name}, true) returning id`
    return row?.id ?? 0
  }
  const use = (by: number, id: number) =>
    sql`insert into plugin_configs (project_id, plugin_id, "order") values (${by}, ${id}, 1)`
  const before = await organization('before', false)
  const first = await organization('first', true)
  const later = await organization('later', true)
  await organization('low', false, 3)
  const [used, unused] = [await plugin('used', before.id), await plugin('unused', before.id)]
  await plugin('of the first', first.id)
  await use(later.project, used)
  await use(before.project, used)
  await use(before.project, unused)
  await migrate(sql, { dir: join(packageRoot, 'migrations'), log })
  t.same(await sql`select slug, plugins_access_level as level from organizations order by slug`, [
    { slug: 'before', level: 6 },
    { slug: 'first', level: 9 },
    { slug: 'later', level: 6 },
    { slug: 'low', level: 3 },
  ])
  t.same(await sql`select name from plugins where is_global order by name`, [
    { name: 'of the first' },
    { name: 'used' },
  ])
})
