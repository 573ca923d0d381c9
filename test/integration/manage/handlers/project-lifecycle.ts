import t, { type Test } from 'tap'
import {
  as,
  flagFields,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

async function setUp(t: Test) {
  const m = await startManagement(t)
  const { sql, owner } = m
  const organizationId = owner.organizationId
  const admin = await makeUser(sql, 'admin@example.com', { organizationId, level: 8 })
  const member = await makeUser(sql, 'member@example.com', { organizationId })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const make = async () => {
    const made = await m.projects.CreateProject(projectFields(), as(owner.personalApiKey))
    return { id: String(made.id), token: String(made.api_token) }
  }
  /** The worker's answer to a gateway about a token. */
  const projectOf = async (token: string) => {
    const { answers } = await m.directory.ResolveKeys(
      { questions: [{ token, project_id: 0 }] },
      as('member-token-of-the-tests'),
    )
    return answers?.[0]?.project?.id
  }
  const entries = async (project: string) =>
    await sql<{ activity: string; organization: string; user: number; changes: unknown }[]>`
      select activity, organization_id as organization, user_id as user, changes from audit_log
      where scope = 'Project' and item_id = ${project} order by created_at, id`
  return { m, sql, owner, admin, member, outsider, make, projectOf, entries }
}

t.test('the life of a project', async (t) => {
  const { m, sql, owner, admin, member, outsider, make, projectOf, entries } = await setUp(t)
  const { projects } = m
  const ownerKey = owner.personalApiKey

  t.test('a new token is the only one, and everybody is told', async (t) => {
    const { id, token } = await make()
    const before = m.published.length
    const reset = await projects.ResetProjectToken({ id }, as(admin.personalApiKey))
    t.match(reset, { id: Number(id), effective_membership_level: 8 })
    t.match(reset.api_token, /^phc_[0-9A-Za-z]{43}$/)
    t.not(reset.api_token, token)
    t.equal(await projectOf(token), undefined)
    t.equal(await projectOf(String(reset.api_token)), Number(id))
    t.match(m.published.slice(before), [
      { kind: 'revision', projectId: Number(id) },
      { kind: 'keys' },
    ])
    const [, entry] = await entries(id)
    t.match(entry, { activity: 'updated', user: admin.userId })
    const changes = JSON.stringify(entry?.changes)
    t.match(changes, /"field":"api_token"/)
    t.notMatch(changes, /phc_/, 'neither the old one nor the new one is kept')
  })

  t.test('a removed project is gone for everybody, and its token with it', async (t) => {
    const { id, token } = await make()
    const project = { project_id: id }
    await m.flags.CreateFeatureFlag({ ...flagFields(), ...project, key: 'a' }, as(ownerKey))
    t.same(await projects.DeleteProject({ id }, as(admin.personalApiKey)), {})
    t.match(m.published.at(-1), { kind: 'keys' })
    t.equal(await projectOf(token), undefined)
    for (const call of [
      () => projects.GetProject({ id }, as(ownerKey)),
      () => projects.UpdateProject({ ...projectFields(), id, name: 'x' }, as(ownerKey)),
      () => projects.ResetProjectToken({ id }, as(ownerKey)),
      () => projects.DeleteProject({ id }, as(ownerKey)),
    ]) {
      t.match(await refusal(call()), { is: 'not_found', detail: 'Not found.' })
    }
    const flags = m.flags.ListFeatureFlags({ ...project, limit: 0, offset: 0 }, as(ownerKey))
    t.match(await refusal(flags), { is: 'not_found', detail: 'Project not found.' })
    t.equal((await sql`select from feature_flags where project_id = ${id}::text::int`).length, 0)
    t.equal((await sql`select from deleted_projects where project_id = ${id}::text::int`).length, 1)
    const list = await projects.ListProjects({ limit: 0, offset: 0 }, as(ownerKey))
    t.notOk(list.results?.some((each) => String(each.id) === id))
  })

  t.test('the entry of a removal is in the activity of the organization', async (t) => {
    const { id } = await make()
    await projects.DeleteProject({ id }, as(ownerKey))
    const [created, deleted, ...others] = await entries(id)
    t.match(created, { activity: 'created', organization: owner.organizationId })
    t.match(deleted, {
      activity: 'deleted',
      organization: owner.organizationId,
      user: owner.userId,
    })
    t.same(others, [])
    t.match(JSON.stringify(deleted?.changes), /"field":"name","action":"deleted"/)
    t.notMatch(JSON.stringify([created?.changes, deleted?.changes]), /phc_/)
  })

  t.test('a change is logged with what it changed, an address that lets post is not', async (t) => {
    const { id } = await make()
    const hook = 'https://hooks.example/secret'
    const update = { ...projectFields(), id, name: 'New', chat_incoming_webhook: hook }
    await projects.UpdateProject(update, as(member.personalApiKey))
    const [, entry] = await entries(id)
    t.match(entry, { activity: 'updated', user: member.userId })
    const changes = JSON.stringify(entry?.changes)
    t.match(changes, /"before":"Default Project","after":"New"/)
    t.match(changes, /chat_incoming_webhook/)
    t.notMatch(changes, /secret/)
  })

  t.test('members do neither, outsiders see nothing, and nothing happens then', async (t) => {
    const { id, token } = await make()
    for (const call of [projects.DeleteProject, projects.ResetProjectToken]) {
      t.match(await refusal(call({ id }, as(member.personalApiKey))), { is: 'permission_denied' })
      t.match(await refusal(call({ id }, as(outsider.personalApiKey))), { is: 'not_found' })
      t.match(await refusal(call({ id: 'abc' }, as(ownerKey))), { is: 'invalid_argument' })
      const read = await makeKey(sql, owner, { scopes: ['project:read'] })
      t.match(await refusal(call({ id }, as(read))), {
        is: 'permission_denied',
        detail: /project:write/,
      })
    }
    t.equal(await projectOf(token), Number(id))
    t.equal((await entries(id)).length, 1)
  })

  t.test('a user who worked in a removed project works in another one', async (t) => {
    const user = await makeUser(sql, 'worker@example.com', {
      organizationId: owner.organizationId,
      level: 8,
    })
    const key = as(user.personalApiKey)
    const made = await projects.CreateProject(projectFields(), key)
    await projects.DeleteProject({ id: '@current' }, key)
    const current = await projects.GetProject({ id: '@current' }, key)
    t.not(current.id, made.id)
    t.equal(current.organization, owner.organizationId)
  })

  t.test('the last project may go, and a new one may come', async (t) => {
    const key = as(outsider.personalApiKey)
    const id = String(outsider.project?.id)
    await projects.DeleteProject({ id }, key)
    t.match(await projects.ListProjects({ limit: 0, offset: 0 }, key), { count: 0, results: [] })
    t.match(await refusal(projects.GetProject({ id: '@current' }, key)), { is: 'not_found' })
    const made = await projects.CreateProject(projectFields(), key)
    t.ok(Number(made.id) > Number(id), 'no id is given twice')
    t.equal((await projects.GetProject({ id: '@current' }, key)).id, made.id)
  })

  t.test('a key restricted to a removed project reaches no other', async (t) => {
    const { id } = await make()
    const key = await makeKey(sql, owner, { projects: [Number(id)] })
    await projects.DeleteProject({ id }, as(key))
    const other = projects.GetProject({ id: String(owner.project?.id) }, as(key))
    t.match(await refusal(other), { is: 'permission_denied' })
  })

  t.test('one of two removals at once finds nothing', async (t) => {
    const { id } = await make()
    const outcomes = await Promise.allSettled([
      projects.DeleteProject({ id }, as(ownerKey)),
      projects.DeleteProject({ id }, as(admin.personalApiKey)),
    ])
    const failed = outcomes.filter((each) => each.status === 'rejected')
    t.match(failed, [{ reason: { code: 'not_found' } }])
    t.equal((await entries(id)).length, 2, 'and only one is logged')
  })
})
