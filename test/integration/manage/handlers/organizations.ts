import t from 'tap'
import { publicBody } from '../../../../src/wire/proto/render.ts'
import {
  as,
  flagFields,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const PAGE = { limit: 100, offset: 0 }
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

t.test('organizations', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, organizations, projects, users } = m
  const id = owner.organizationId
  const ownerKey = owner.personalApiKey
  const member = await makeUser(sql, 'member@example.com', { organizationId: id })
  const admin = await makeUser(sql, 'admin@example.com', { organizationId: id, level: 8 })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const get = (reference: string, key: string) =>
    organizations.GetOrganization({ id: reference }, as(key))
  const entries = async (item: string) =>
    await sql`select activity, organization_id, user_id, changes from audit_log
      where scope = 'Organization' and item_id = ${item} order by id`

  t.test('every field is there', async (t) => {
    await sql`
      insert into event_definitions (id, project_id, name, description, tags) values
        (gen_random_uuid(), ${owner.project?.id ?? 0}, 'plain', '', '{}'),
        (gen_random_uuid(), ${owner.project?.id ?? 0}, 'none', null, '{}'),
        (gen_random_uuid(), ${owner.project?.id ?? 0}, 'described', 'What it is', '{}'),
        (gen_random_uuid(), ${owner.project?.id ?? 0}, 'tagged', '', '{a}'),
        (gen_random_uuid(), ${outsider.project?.id ?? 0}, 'foreign', 'Not ours', '{a}')`
    const body = publicBody('sluice.v1.Organization', await get(id, member.personalApiKey))
    t.match(body, {
      id,
      name: 'Default Organization',
      slug: 'default-organization',
      created_at: DATETIME,
      updated_at: DATETIME,
      membership_level: 1,
      plugins_access_level: 9,
      is_member_join_email_enabled: true,
    })
    const { teams, metadata, available_features: features, customer_id: customer } = body
    t.same(features, [])
    t.equal(customer, null)
    t.same(metadata, {
      taxonomy_set_events_count: 2,
      taxonomy_set_properties_count: 0,
      instance_tag: null,
    })
    t.match(teams, [{ id: owner.project?.id, effective_membership_level: 1 }])
    t.equal((await get('@current', ownerKey)).id, id)
    t.equal((await get(id.toUpperCase(), ownerKey)).id, id)
  })

  t.test('members do not see projects under access control', async (t) => {
    const project = await projects.CreateProject(
      { ...projectFields(), access_control: true },
      as(admin.personalApiKey),
    )
    const seen = async (key: string) => (await get(id, key)).teams?.map((each) => each.id)
    t.same(await seen(member.personalApiKey), [owner.project?.id])
    t.same(await seen(admin.personalApiKey), [owner.project?.id, project.id])
    const list = await organizations.ListOrganizations(PAGE, as(member.personalApiKey))
    t.same(
      list.results?.[0]?.teams?.map((each) => each.id),
      [owner.project?.id],
    )
    await sql`delete from projects where id = ${project.id ?? 0}`
  })

  t.test('foreign, unknown and malformed ones are not found', async (t) => {
    const calls = [
      (reference: string, key: string) => get(reference, key),
      (reference: string, key: string) =>
        organizations.UpdateOrganization({ id: reference, name: 'Mine' }, as(key)),
      (reference: string, key: string) =>
        organizations.DeleteOrganization({ id: reference }, as(key)),
    ]
    for (const call of calls) {
      t.match(await refusal(call(id, outsider.personalApiKey)), { is: 'not_found' })
      t.match(await refusal(call('01868e2c-0000-7000-8000-000000000000', ownerKey)), {
        is: 'not_found',
      })
      t.match(await refusal(call('1', ownerKey)), { is: 'not_found' })
    }
    t.equal((await get(id, ownerKey)).name, 'Default Organization')
  })

  t.test('the list is of the caller alone, in pages, within what a key reaches', async (t) => {
    const user = await makeUser(sql, 'several@example.com')
    const key = as(user.personalApiKey)
    const made = []
    for (const name of ['Second', 'Third']) {
      made.push((await organizations.CreateOrganization({ name }, key)).id)
    }
    const all = await organizations.ListOrganizations(PAGE, key)
    t.same(
      all.results?.map((each) => each.id),
      [user.organizationId, ...made],
      'first joined first',
    )
    t.equal(all.count, 3)
    for (const each of all.results ?? []) t.equal(each.teams?.length, 1)
    const page = await organizations.ListOrganizations({ limit: 1, offset: 1 }, key)
    t.match(page, { count: 3, results: [{ id: made[0], name: 'Second' }] })
    t.equal(page.results?.length, 1)
    const restricted = await makeKey(sql, user, { organizations: [String(made[1])] })
    const reached = await organizations.ListOrganizations(PAGE, as(restricted))
    t.match(reached, { count: 1, results: [{ id: made[1] }] })
    t.equal(reached.results?.length, 1)
    t.match(await refusal(get(user.organizationId, restricted)), { is: 'not_found' })
    await sql`delete from memberships where user_id = ${user.userId}`
    t.match(await organizations.ListOrganizations(PAGE, key), { count: 0, results: [] })
  })

  t.test('keys with restrictions do not make organizations', async (t) => {
    for (const limits of [{ projects: [owner.project?.id ?? 0] }, { organizations: [id] }]) {
      const key = await makeKey(sql, owner, limits)
      const refused = await refusal(organizations.CreateOrganization({ name: 'More' }, as(key)))
      t.match(refused, { is: 'permission_denied', attr: null })
    }
    const key = await makeKey(sql, owner, { projects: [owner.project?.id ?? 0] })
    for (const call of [
      () => organizations.ListOrganizations(PAGE, as(key)),
      () => get(id, key),
      () => organizations.DeleteOrganization({ id }, as(key)),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' })
    }
  })

  t.test('whoever makes one owns it, with a first project, and works there', async (t) => {
    const user = await makeUser(sql, 'founder@example.com')
    const key = user.personalApiKey
    const told = m.published.length
    const made = await organizations.CreateOrganization(
      { name: ' Ärzte & Söhne ', is_member_join_email_enabled: false },
      as(key),
    )
    t.match(made, {
      name: 'Ärzte & Söhne',
      slug: 'arzte-sohne',
      membership_level: 15,
      is_member_join_email_enabled: false,
      teams: [{ name: 'Default Project', api_token: /^phc_[0-9A-Za-z]{43}$/ }],
    })
    t.same(m.published.slice(told), [{ kind: 'keys' }])
    const me = await users.GetMe({}, as(key))
    t.equal(me.organization?.id, made.id)
    t.equal(me.team?.id, made.teams?.[0]?.id)
    const twin = await organizations.CreateOrganization({ name: 'Ärzte & Söhne' }, as(key))
    t.match(twin.slug, /^arzte-sohne-[0-9a-z]{6}$/, 'names may repeat, slugs not')
    const [entry] = await entries(String(made.id))
    t.match(entry, { activity: 'created', organization_id: made.id, user_id: user.userId })
    t.notOk(JSON.stringify(entry).includes(String(made.teams?.[0]?.api_token)))
  })

  t.test('administrators update, members do not', async (t) => {
    const update = (fields: object, key = admin.personalApiKey) =>
      organizations.UpdateOrganization({ id, ...fields }, as(key))
    const refused = await refusal(update({ name: 'Ours' }, member.personalApiKey))
    t.match(refused, { is: 'permission_denied' })
    for (const [name, code] of [
      [' ', 'blank'],
      ['x'.repeat(65), 'max_length'],
    ] as const) {
      t.match(await refusal(update({ name })), { code, attr: 'name' })
    }
    const before = await get(id, ownerKey)
    const updated = await update({ name: 'Ours', is_member_join_email_enabled: false })
    t.match(updated, { name: 'Ours', is_member_join_email_enabled: false, membership_level: 8 })
    t.equal(updated.slug, before.slug, 'a slug stays')
    t.ok(String(updated.updated_at) > String(before.updated_at))
    const kept = await update({})
    t.match(kept, { name: 'Ours', is_member_join_email_enabled: false })
    t.ok(String(kept.updated_at) > String(updated.updated_at), 'an empty update moves the time')
    const logged = await entries(id)
    t.match(logged[0], {
      activity: 'updated',
      organization_id: id,
      changes: [
        { field: 'name', before: 'Default Organization', after: 'Ours' },
        { field: 'is_member_join_email_enabled', before: true, after: false },
      ],
    })
  })

  t.test('the owner deletes one with all its projects, which are refused at once', async (t) => {
    const user = await makeUser(sql, 'leaving@example.com')
    const key = user.personalApiKey
    const made = await organizations.CreateOrganization({ name: 'Short-lived' }, as(key))
    const gone = String(made.id)
    const helper = await makeUser(sql, 'helper@example.com', { organizationId: gone, level: 8 })
    const call = organizations.DeleteOrganization({ id: gone }, as(helper.personalApiKey))
    t.match(await refusal(call), { is: 'permission_denied' }, 'administrators do not')
    const second = await projects.CreateProject(projectFields(), as(key))
    const ids = [made.teams?.[0]?.id, second.id]
    const project_id = String(second.id)
    await m.flags.CreateFeatureFlag({ ...flagFields(), project_id, key: 'flag' }, as(key))
    const told = m.published.length
    t.same(await organizations.DeleteOrganization({ id: gone }, as(key)), {})
    t.same(m.published.slice(told), [{ kind: 'keys' }])
    t.match(await refusal(get(gone, key)), { is: 'not_found' })
    for (const each of ids) {
      const read = projects.GetProject({ id: String(each) }, as(key))
      t.match(await refusal(read), { is: 'not_found' })
    }
    const remains = await sql`select project_id from deleted_projects order by project_id`
    t.same(
      remains.map((row) => row['project_id']),
      ids,
      'their events are removed in the background',
    )
    const [flags] = await sql`select count(*)::integer as count from feature_flags
      where project_id = ${Number(second.id)}`
    t.equal(flags?.['count'], 0)
    const me = await users.GetMe({}, as(key))
    t.equal(me.team?.id, user.project?.id, 'the owner works elsewhere from now on')
    const alone = await users.GetMe({}, as(helper.personalApiKey))
    t.notOk(alone.team ?? alone.organization, 'who was only there has no place')
    const logged = await entries(gone)
    t.match(logged.at(-1), { activity: 'deleted', organization_id: gone, user_id: user.userId })
    const again = organizations.DeleteOrganization({ id: gone }, as(key))
    t.match(await refusal(again), { is: 'not_found' })
  })

  t.test('deleted twice at once, one call is told that it is gone', async (t) => {
    const user = await makeUser(sql, 'twice@example.com')
    const call = () =>
      organizations.DeleteOrganization({ id: user.organizationId }, as(user.personalApiKey))
    const outcomes = await Promise.allSettled([call(), call()])
    t.same(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const lost = outcomes.find((outcome) => outcome.status === 'rejected')
    t.match(await refusal(Promise.reject(lost?.reason)), { is: 'not_found' })
    t.equal((await entries(user.organizationId)).length, 1)
  })
})
