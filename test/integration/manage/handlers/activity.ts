import t from 'tap'
import { fromValue } from '../../../../src/wire/proto/value.ts'
import {
  as,
  flagFields,
  jsonField,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const page = { limit: 0, offset: 0 }

t.test('activity of projects and organizations', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, activity, flags, projects } = m
  const key = owner.personalApiKey
  const project_id = String(owner.project?.id)
  const organization_id = owner.organizationId
  const member = await makeUser(sql, 'member@example.com', { organizationId: organization_id })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const listProject = (more: object = {}, by = key) =>
    activity.ListProjectActivity({ ...page, project_id, ...more }, as(by))
  const listOrganization = (more: object = {}, by = key) =>
    activity.ListOrganizationActivity({ ...page, organization_id, ...more }, as(by))
  const createFlag = (name: string, by = key, project = project_id) =>
    flags.CreateFeatureFlag({ ...flagFields(), project_id: project, key: name }, as(by))
  const patchFlag = (id: number | undefined, fields: object, by = key) =>
    flags.UpdateFeatureFlag({ ...flagFields(), project_id, id: String(id), ...fields }, as(by))

  t.test('a change shows with who made it, newest first, with an exact count', async (t) => {
    const before = Number((await listProject()).count)
    const flag = await createFlag('first', member.personalApiKey)
    await patchFlag(flag.id, { name: 'described' })
    const { count, results = [] } = await listProject({ limit: 2 })
    t.equal(count, before + 2)
    t.match(results, [
      { activity: 'updated', user: { id: owner.userId, email: 'owner@example.com' } },
      { activity: 'created', user: { id: member.userId, uuid: member.userUuid } },
    ])
    const [updated] = results
    t.match(updated, {
      scope: 'FeatureFlag',
      item_id: String(flag.id),
      project_id: Number(project_id),
      organization_id,
      key_id: /./,
      created_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
      detail: { name: 'first', version: 2 },
    })
    const [change, ...others] = updated?.detail?.changes ?? []
    t.same(others, [])
    t.match(change, { field: 'name', action: 'changed' })
    t.equal(fromValue(change?.before), '')
    t.equal(fromValue(change?.after), 'described')
    const rest = await listProject({ limit: 1, offset: 1 })
    t.equal(rest.results?.[0]?.id, results[1]?.id)
    t.match(await listProject({ offset: 1_000 }), { count: before + 2, results: [] })
  })

  t.test('a refused change leaves no entry, an empty one an entry without changes', async (t) => {
    const flag = await createFlag('second')
    const before = Number((await listProject()).count)
    t.match(await refusal(createFlag('second')), { code: 'unique' })
    const filters = jsonField({ groups: [{ properties: [], variant: 'ghost' }] })
    t.match(await refusal(patchFlag(flag.id, { filters })), { code: 'invalid_input' })
    t.match(await refusal(patchFlag(999_999, { name: 'x' })), { is: 'not_found' })
    t.equal((await listProject()).count, before)
    await patchFlag(flag.id, {})
    const { count, results = [] } = await listProject({ limit: 1 })
    t.equal(count, before + 1)
    t.match(results, [{ activity: 'updated', detail: { name: 'second', changes: [] } }])
    t.notOk('version' in (results[0]?.detail ?? {}), 'and no version is made')
  })

  t.test('filters by scope, item and user hold together', async (t) => {
    const flag = await createFlag('third', member.personalApiKey)
    await patchFlag(flag.id, { active: false })
    await projects.UpdateProject({ ...projectFields(), id: project_id, name: 'Renamed' }, as(key))
    const item = { scope: 'FeatureFlag', item_id: String(flag.id) }
    t.equal((await listProject(item)).count, 2)
    t.equal((await listProject({ ...item, user: String(member.userId) })).count, 1)
    t.equal((await listProject({ ...item, user: member.userUuid })).count, 1)
    t.match(await listProject({ scope: 'Project' }), { count: 1, results: [{ scope: 'Project' }] })
    t.equal((await listProject({ scope: 'Plugin' })).count, 0)
    t.same(await listProject({ scope: '', item_id: '', user: '' }), await listProject())
  })

  t.test('a user that cannot be is as one who did nothing; a scope must be one', async (t) => {
    const nobodies = ['abc', '-1', '0', '1.5', '99999999999', '999999', `${member.userUuid}0`]
    for (const user of [...nobodies, '00000000-0000-4000-8000-000000000000']) {
      t.match(await listProject({ user }), { count: 0, results: [] }, user)
    }
    t.match(await listProject({ item_id: "'; drop table audit_log" }), { count: 0 })
    const wrong = { code: 'invalid_choice', attr: 'scope' }
    t.match(await refusal(listProject({ scope: 'featureflag' })), wrong)
    t.match(await refusal(listOrganization({ scope: 'Experiment' })), wrong)
  })

  t.test("an organization's list holds the entries of its projects too", async (t) => {
    const made = await projects.CreateProject({ ...projectFields(), name: 'Other' }, as(key))
    const flag = await createFlag('elsewhere', key, String(made.id))
    const item = { item_id: String(flag.id), scope: 'FeatureFlag' }
    t.match(await listOrganization(item), { count: 1, results: [{ project_id: made.id }] })
    t.equal((await listProject(item)).count, 0, 'and the list of another project does not')
    t.match(await listOrganization({ scope: 'Project', item_id: String(made.id) }), {
      results: [{ activity: 'created', detail: { name: 'Other' } }],
    })
  })

  t.test('a user sees no changes of other projects', async (t) => {
    const by = outsider.personalApiKey
    t.match(await refusal(listProject({}, by)), { is: 'permission_denied' })
    t.match(await refusal(listOrganization({}, by)), { is: 'permission_denied' })
    const theirs = { organization_id: outsider.organizationId }
    const flag = await createFlag('theirs', by, String(outsider.project?.id))
    const all = await listOrganization({ ...theirs, limit: 1_000 }, by)
    t.same(
      all.results?.filter((entry) => entry.organization_id !== outsider.organizationId),
      [],
    )
    const item = { scope: 'FeatureFlag', item_id: String(flag.id) }
    t.equal((await listOrganization(item)).count, 0)
    t.equal((await listOrganization({ user: String(outsider.userId) })).count, 0)
    const limited = await makeKey(sql, owner, { projects: [Number(project_id)] })
    t.match(await refusal(listOrganization({}, limited)), { is: 'permission_denied' })
    t.ok(await listProject({}, limited))
  })

  t.test('plain members do not read of projects that they cannot see', async (t) => {
    const by = member.personalApiKey
    const closed = await projects.CreateProject({ ...projectFields(), name: 'Closed' }, as(key))
    const id = String(closed.id)
    const flag = await createFlag('hidden', key, id)
    const item = { scope: 'FeatureFlag', item_id: String(flag.id) }
    t.equal((await listOrganization(item, by)).count, 1, 'while it is open')
    const close = { ...projectFields(), id, access_control: true }
    await projects.UpdateProject(close, as(key))
    t.match(await listOrganization(item, by), { count: 0, results: [] })
    t.equal((await listOrganization({ scope: 'Project', item_id: id }, by)).count, 0)
    t.equal((await listOrganization(item)).count, 1, 'administrators do')
    t.match(await refusal(listProject({ project_id: id }, by)), { is: 'permission_denied' })
    await projects.DeleteProject({ id }, as(key))
    t.equal((await listOrganization(item, by)).count, 0, 'nor when it is gone')
    t.equal((await listOrganization(item)).count, 1, 'entries survive their project')
  })

  t.test('entries survive their item and who made them', async (t) => {
    const leaver = await makeUser(sql, 'leaver@example.com', { organizationId: organization_id })
    const flag = await createFlag('outlived', leaver.personalApiKey)
    await patchFlag(flag.id, { deleted: true })
    await createFlag('outlived')
    const item = { scope: 'FeatureFlag', item_id: String(flag.id) }
    const get = flags.GetFeatureFlag({ project_id, id: String(flag.id) }, as(key))
    t.match(await refusal(get), { is: 'not_found' }, 'the flag has gone for good')
    await sql`delete from users where id = ${leaver.userId}`
    const { count, results = [] } = await listProject(item)
    t.equal(count, 2)
    t.match(results, [
      { activity: 'deleted' },
      { activity: 'created', detail: { name: 'outlived' } },
    ])
    t.notOk('user' in (results[1] ?? {}), 'a user who is gone is null')
    t.equal((await listProject({ ...item, user: leaver.userUuid })).count, 0)
  })

  t.test('a page that is too large to send asks for a smaller one', async (t) => {
    const made = await projects.CreateProject({ ...projectFields(), name: 'Large' }, as(key))
    const place = { project_id: String(made.id) }
    await sql`
      insert into audit_log (id, organization_id, project_id, activity, scope, item_id, changes)
      select gen_random_uuid(), ${organization_id}, ${made.id ?? 0}, 'updated', 'Plugin', n::text,
        json_build_array(json_build_object('field', 'f', 'action', 'changed', 'before', null,
          'after', repeat('x', 1000000)))
      from generate_series(1, 6) n`
    const large = await refusal(listProject(place))
    t.match(large, { code: 'invalid_input', attr: 'limit' })
    t.equal((await listProject({ ...place, limit: 3 })).results?.length, 3)
    await sql`
      update audit_log set changes = json_build_array(json_build_object('field', 'f', 'action',
        'changed', 'before', null, 'after', repeat('x', 5000000)))
      where project_id = ${made.id ?? 0}`
    t.equal((await listProject({ ...place, limit: 1 })).results?.length, 1, 'one is always sent')
  })
})
