import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { silentLog as log } from '../../../src/core/log.ts'
import { packageRoot } from '../../../src/core/package-root.ts'
import { migrate } from '../../../src/postgres/migrate.ts'
import { testDatabase } from '../../support/servers/database.ts'

const MIGRATIONS = join(packageRoot, 'migrations')
const MASKING = readdirSync(MIGRATIONS).find((name) => name.endsWith('_members.sql')) ?? ''

t.test('ids of invites that were secrets are masked in the audit log', async (t) => {
  const { sql } = await testDatabase(t, { migrated: false })
  const dir = await mkdtemp(join(tmpdir(), 'sluice-migrations-'))
  t.teardown(() => rm(dir, { recursive: true }))
  for (const name of readdirSync(MIGRATIONS).filter((each) => each < MASKING)) {
    await cp(join(MIGRATIONS, name), join(dir, name))
  }
  await migrate(sql, { dir, log })
  const [one, two] = [randomUUID(), randomUUID()]
  const address = { field: 'target_email', action: 'created', before: null, after: 'a@example.com' }
  const note = async (scope: string, activity: string, item: string, changes: object[]) => {
    await sql`
      insert into audit_log (id, activity, scope, item_id, changes)
      values (${randomUUID()}, ${activity}, ${scope}, ${item}, ${JSON.stringify(changes)}::text::json)`
  }
  const id = (before: string | null, after: string | null) => {
    return { field: 'id', action: after === null ? 'deleted' : 'created', before, after }
  }
  await note('Invite', 'created', one, [id(null, one), address])
  await note('Invite', 'accepted', one, [id(one, null)])
  await note('Invite', 'deleted', two, [])
  await note('Project', 'created', '7', [id(null, '7')])
  await migrate(sql, { dir: MIGRATIONS, log })
  const entries = await sql<{ activity: string; item: string; changes: unknown }[]>`
    select activity, item_id as item, changes from audit_log order by scope, activity`
  const [accepted, created, deleted, project] = entries
  t.match(accepted?.item, /^masked-[0-9a-f]{32}$/)
  t.equal(created?.item, accepted?.item, 'entries of one invite have one name')
  t.not(deleted?.item, accepted?.item)
  t.same(created?.changes, [id(null, '********'), address])
  t.same(accepted?.changes, [id('********', null)])
  t.same(deleted?.changes, [])
  t.same(project, { activity: 'created', item: '7', changes: [id(null, '7')] })
  t.notMatch(JSON.stringify(entries), new RegExp(`${one}|${two}`))
})
