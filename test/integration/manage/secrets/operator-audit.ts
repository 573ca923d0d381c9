import t from 'tap'
import { createRefusedKeys } from '../../../../src/access/refused-keys.ts'
import { saveRefusedKeys } from '../../../../src/store/audit/audit-store.ts'
import { fromValue } from '../../../../src/wire/proto/value.ts'
import {
  as,
  makeUser,
  OPERATOR_TOKEN,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

t.test('operations, exports and refused keys are in the log', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, admin } = m
  const by = as(owner.personalApiKey)
  const operator = as(OPERATOR_TOKEN)
  const project_id = String(owner.project?.id)
  const page = { limit: 10, offset: 0 }
  const ofInstance = async () => {
    const { results = [] } = await admin.ListInstanceActivity(page, operator)
    return results.map(({ scope, activity, item_id, detail }) => {
      const facts = (detail?.changes ?? []).map(({ field, after }) => [field, fromValue(after)])
      return { scope, activity, item_id, ...Object.fromEntries(facts) }
    })
  }
  const latest = async (count = 1) => {
    const request = { ...page, limit: count, organization_id: owner.organizationId }
    const { results } = await m.activity.ListOrganizationActivity(request, by)
    return results ?? []
  }

  t.test('a rotation is an entry of the instance, which only the operator reads', async (t) => {
    await sql`insert into secret_keys (id) values ('00'), ('01')`
    for (let after = 0, ended = false; !ended; ended = after === 0) {
      after = (await admin.RotateSecrets({ after }, operator)).next ?? 0
    }
    const [entry] = await ofInstance()
    t.match(entry, { scope: 'Instance', activity: 'secrets_rotated', keys_before: ['00', '01'] })
    t.notMatch(await latest(10), [{ scope: 'Instance' }])
    t.match(await refusal(admin.ListInstanceActivity(page, by)), { is: 'unauthenticated' })
  })

  t.test('a user that the operator makes is told in the organization', async (t) => {
    const { organizationId: organization_id } = owner
    const made = await admin.CreateUser(
      {
        ...{ email: 'made@example.com', first_name: '', organization_id, organization_name: '' },
        ...{ level: 1, personal_api_key: '' },
      },
      operator,
    )
    const [entry] = await latest()
    t.match(entry, { scope: 'User', activity: 'created', item_id: String(made.user_id) })
    t.notMatch(JSON.stringify(entry), made.personal_api_key ?? '?')
  })

  t.test('a worker that gives up its shards is an entry', async (t) => {
    t.match(await admin.Drain({ node: 'here' }, operator), { released: 3 })
    t.match((await ofInstance())[0], { activity: 'drained', item_id: 'here:1', released: 3 })
  })

  t.test('the operator names another owner where the one is deactivated', async (t) => {
    const boss = await makeUser(sql, 'boss@example.com')
    const organization_id = boss.organizationId
    const heir = await makeUser(sql, 'heir@example.com', { organizationId: organization_id })
    const set = (user: string) => admin.SetOwner({ organization_id, user }, operator)
    await admin.DisableUser({ user: 'boss@example.com' }, operator)
    t.match(await refusal(set(String(owner.userId))), { is: 'invalid_argument', attr: 'user' })
    t.match(await refusal(set('boss@example.com')), { is: 'invalid_argument', attr: 'user' })
    m.published.length = 0
    const answer = await set('heir@example.com')
    t.match(answer, { owner: 'heir@example.com', owner_before: 'boss@example.com' })
    t.match(m.published, [{ kind: 'keys' }])
    const levels = await sql`
      select user_id, level from memberships where organization_id = ${organization_id} order by level`
    t.same(levels, [
      { user_id: boss.userId, level: 8 },
      { user_id: heir.userId, level: 15 },
    ])
    const request = { ...page, organization_id }
    const { results = [] } = await m.activity.ListOrganizationActivity(
      request,
      as(heir.personalApiKey),
    )
    const told = results.filter(({ scope }) => scope === 'OrganizationMembership')
    t.same(
      told.map(({ detail }) => detail?.name),
      ['heir@example.com', 'boss@example.com'],
    )
    t.match(await set('heir@example.com'), { owner: 'heir@example.com' }, 'again changes nothing')
  })

  t.test('an export is one entry, with what was asked', async (t) => {
    const asked = { after: '-7d', before: '', properties: '', order_by: '', event: 'paid' }
    const query = { ...{ project_id, select: [], where: [] }, ...asked, limit: 0, offset: 0 }
    const piece = (more: { columns_only: boolean; cursor: string }) =>
      m.events.ListExportedEvents({ project_id, query, ...more }, by)
    const { start = '' } = await piece({ columns_only: true, cursor: '' })
    await piece({ columns_only: false, cursor: start })
    const entries = await latest(2)
    const [{ scope, activity, user, detail }, other] = [entries[0] ?? {}, entries[1]]
    t.match({ scope, activity }, { scope: 'Event', activity: 'exported' })
    t.equal(user?.id, owner.userId)
    const facts = (detail?.changes ?? []).map(({ field, after }) => [field, fromValue(after)])
    t.same(Object.fromEntries(facts), { after: '-7d', event: 'paid' })
    t.notMatch(other, { scope: 'Event' })
    const uuid = '0190a3f0-0000-7000-8000-000000000007'
    await sql`insert into persons (project_id, uuid, created_at) values (${Number(project_id)}, ${uuid}, now())`
    await m.services['sluice.v1.PersonService'].ExportPerson(
      { project_id, id: uuid, cursor: '' },
      by,
    )
    t.match(await latest(), [{ scope: 'Person', activity: 'exported', item_id: uuid }])
  })

  t.test('refused keys are counted by the hour and their beginnings, and never kept', async (t) => {
    const clock = createFakeClock()
    const keys = createRefusedKeys(clock, (counts) => saveRefusedKeys(sql, counts))
    const secret = 'phx_abcdefghijklmnopqrstuvwxyz0123456789'
    for (const value of [secret, secret, 'phx_short', 'a password', '']) keys.note(value)
    await keys.save()
    keys.note(secret)
    await keys.save()
    await keys.save()
    const all = (await ofInstance()).filter(({ activity }) => activity === 'key_refused')
    const counts = all.map((each) => [each.item_id, Reflect.get(each, 'refused')]).sort()
    t.same(counts, [
      ['other', 2],
      ['phx_', 1],
      ['phx_abcd', 3],
    ])
    for (let at = 0; at < 100; at++) keys.note(`phx_${String(at).padStart(40, '0')}${at}`)
    for (let at = 0; at < 100; at++) keys.note(`ph${'abcdefghij'[at % 10]}_${at + 1_000}${secret}`)
    await keys.save()
    await clock.advance(3_600_000)
    keys.note(secret)
    await keys.save()
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from audit_log where activity = 'key_refused'`
    t.ok((row?.count ?? 0) === 21, `${row?.count} entries`)
    const texts = JSON.stringify(await sql`select * from audit_log where activity = 'key_refused'`)
    t.notMatch(texts, /abcdef|short|password/)
  })

  t.test('the calls of a worker note keys that they refuse', async (t) => {
    m.refused.length = 0
    await refusal(m.projects.ListProjects(page, as('phx_nobody_has_this_key_of_the_tests')))
    await refusal(m.projects.ListProjects(page, as('no key')))
    await m.projects.ListProjects(page, by)
    t.same(m.refused, ['phx_nobody_has_this_key_of_the_tests', 'no key'])
  })
})
