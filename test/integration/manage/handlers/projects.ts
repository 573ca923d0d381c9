import t from 'tap'
import {
  as,
  jsonField,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

t.test('projects', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, projects } = m
  const organizationId = owner.organizationId
  const ownProjectId = String(owner.project?.id)
  const ownerKey = owner.personalApiKey
  const member = await makeUser(sql, 'member@example.com', { organizationId })
  const admin = await makeUser(sql, 'admin@example.com', { organizationId, level: 8 })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const page = { limit: 0, offset: 0 }

  t.test('without credentials every call is 401', async (t) => {
    for (const call of [
      () => projects.ListProjects(page, as(undefined)),
      () => projects.CreateProject(projectFields(), as(undefined)),
      () => projects.GetProject({ id: ownProjectId }, as(undefined)),
      () => projects.UpdateProject({ ...projectFields(), id: ownProjectId }, as(undefined)),
    ]) {
      t.match(await refusal(call()), {
        is: 'unauthenticated',
        code: 'not_authenticated',
        attr: null,
      })
    }
  })

  t.test('a wrong key, a project token and the key of an inactive user are invalid', async (t) => {
    const inactive = await makeUser(sql, 'inactive@example.com', { organizationId })
    await sql`update users set is_active = false where id = ${inactive.userId}`
    const token = owner.project?.apiToken ?? ''
    for (const key of ['phx_unknown_key', token, inactive.personalApiKey, 'x', 'a b']) {
      const refused = await refusal(projects.ListProjects(page, as(key)))
      t.match(refused, { is: 'unauthenticated', code: 'invalid_personal_api_key' })
      t.equal(refused.attr, undefined, 'this body has no attr')
    }
  })

  t.test('the key may come as x-api-key, and a bad bearer is not rescued by it', async (t) => {
    const list = await projects.ListProjects(page, as(undefined, { 'x-api-key': ownerKey }))
    t.equal(list.count, 1)
    const call = projects.ListProjects(page, as('phx_unknown', { 'x-api-key': ownerKey }))
    t.match(await refusal(call), { code: 'invalid_personal_api_key' })
  })

  t.test('a foreign, unknown or malformed project is 404 or 400 in its own route', async (t) => {
    const get = (id: string, key: string) => refusal(projects.GetProject({ id }, as(key)))
    t.match(await get(ownProjectId, outsider.personalApiKey), { is: 'not_found' })
    t.match(await get('999999', ownerKey), { is: 'not_found', detail: 'Not found.' })
    t.match(await get('99999999999999999999', ownerKey), { is: 'not_found' })
    t.match(await get('-1', ownerKey), { is: 'not_found' })
    t.match(await get('abc', ownerKey), {
      is: 'invalid_argument',
      code: 'invalid_input',
      attr: null,
    })
    const update = { ...projectFields(), id: ownProjectId, name: 'Mine' }
    const call = projects.UpdateProject(update, as(outsider.personalApiKey))
    t.match(await refusal(call), { is: 'not_found' })
  })

  t.test('members may read and update, administrators may create', async (t) => {
    const create = { ...projectFields(), name: 'Second' }
    const refused = await refusal(projects.CreateProject(create, as(member.personalApiKey)))
    t.match(refused, { is: 'permission_denied', code: 'permission_denied', attr: null })
    const made = await projects.CreateProject(create, as(admin.personalApiKey))
    t.match(made, { name: 'Second', effective_membership_level: 8, timezone: 'UTC' })
    t.match(made.api_token, /^phc_[0-9A-Za-z]{43}$/)
    t.match(m.published.at(-1), { kind: 'keys' })
    const current = await projects.GetProject({ id: '@current' }, as(admin.personalApiKey))
    t.equal(current.id, made.id, 'a new project is the current one')
    const seen = await projects.GetProject({ id: String(made.id) }, as(member.personalApiKey))
    t.equal(seen.effective_membership_level, 1)
    const update = { ...projectFields(), id: String(made.id), name: ' Renamed ' }
    const updated = await projects.UpdateProject(update, as(member.personalApiKey))
    t.equal(updated.name, 'Renamed')
    t.match(m.published.at(-1), { kind: 'revision', projectId: made.id, revision: 2 })
  })

  t.test(
    'only administrators decide on access control, and members then see nothing',
    async (t) => {
      const made = await projects.CreateProject(projectFields(), as(admin.personalApiKey))
      const id = String(made.id)
      const close = { ...projectFields(), id, access_control: true }
      const refused = await refusal(projects.UpdateProject(close, as(member.personalApiKey)))
      t.match(refused, { is: 'permission_denied' })
      await projects.UpdateProject(close, as(admin.personalApiKey))
      t.match(await refusal(projects.GetProject({ id }, as(member.personalApiKey))), {
        is: 'not_found',
      })
      const request = { ...page, project_id: id }
      t.match(await refusal(m.flags.ListFeatureFlags(request, as(member.personalApiKey))), {
        is: 'permission_denied',
      })
      const list = await projects.ListProjects(page, as(member.personalApiKey))
      t.notOk(list.results?.some((project) => project.id === made.id))
      const all = await projects.ListProjects(page, as(admin.personalApiKey))
      t.ok(all.results?.some((project) => project.id === made.id))
    },
  )

  t.test('the list is of the current organization, by id, in pages', async (t) => {
    const list = await projects.ListProjects(page, as(ownerKey))
    const ids = (list.results ?? []).map((project) => Number(project.id))
    t.same(
      ids,
      ids.toSorted((a, b) => a - b),
    )
    t.equal(list.count, ids.length)
    const second = await projects.ListProjects({ limit: 1, offset: 1 }, as(ownerKey))
    t.same(
      second.results?.map((project) => project.id),
      [ids[1]],
    )
    t.equal(second.count, ids.length)
    const beyond = await projects.ListProjects({ limit: 5, offset: 500 }, as(ownerKey))
    t.match(beyond, { count: ids.length, results: [] })
    const foreign = await projects.ListProjects(page, as(outsider.personalApiKey))
    t.same(
      foreign.results?.map((project) => project.id),
      [outsider.project?.id],
    )
  })

  t.test('defaults, every field and null are kept', async (t) => {
    const made = await projects.CreateProject(projectFields(), as(ownerKey))
    t.match(made, {
      name: 'Default Project',
      app_urls: jsonField([]),
      test_account_filters: jsonField({}),
      person_display_name_properties: jsonField(null),
      anonymize_ips: false,
      ingested_event: false,
      has_group_types: false,
    })
    t.match(made.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    t.notOk('primary_dashboard' in made, 'null travels as an unset field')
    const id = String(made.id)
    const json = { b: [1, { c: null }], a: 'x', '10': true }
    const filled = await projects.UpdateProject(
      {
        ...projectFields(),
        id,
        app_urls: jsonField(['https://a.example', null]),
        correlation_config: jsonField(json),
        chat_incoming_webhook: 'https://hook.example',
        timezone: 'Europe/Berlin',
        capture_performance_opt_in: true,
      },
      as(ownerKey),
    )
    t.match(filled, {
      app_urls: jsonField(['https://a.example', null]),
      correlation_config: jsonField(json),
      timezone: 'Europe/Berlin',
      capture_performance_opt_in: true,
    })
    const nulls = ['correlation_config', 'primary_dashboard', 'chat_incoming_webhook']
    const cleared = await projects.UpdateProject(
      { ...projectFields(), id, null_fields: nulls },
      as(ownerKey),
    )
    t.same(cleared.correlation_config, jsonField(null))
    t.notOk('primary_dashboard' in cleared)
    t.equal(cleared.timezone, 'Europe/Berlin', 'what is not named stays')
  })

  t.test('fields are checked, after permissions', async (t) => {
    const update = (fields: object, key = ownerKey) =>
      refusal(projects.UpdateProject({ ...projectFields(), id: ownProjectId, ...fields }, as(key)))
    t.match(await update({ timezone: 'Mars/Base' }), { code: 'invalid_choice', attr: 'timezone' })
    t.match(await update({ name: ' ' }), { code: 'blank', attr: 'name' })
    t.match(await update({ name: 'x'.repeat(201) }), { code: 'max_length', attr: 'name' })
    t.match(await update({ null_fields: ['name'] }), { code: 'null', attr: 'name' })
    t.match(await update({ name: '' }, outsider.personalApiKey), { is: 'not_found' })
  })

  t.test('errors found by the gateway are raised after permissions', async (t) => {
    const wrong = JSON.stringify({
      stage: 'parse',
      type: 'invalid_request',
      code: 'parse_error',
      detail: 'JSON parse error - nothing',
      attr: null,
    })
    const call = (key: string) =>
      refusal(projects.CreateProject(projectFields(), as(key, { 'x-sluice-body-error': wrong })))
    t.match(await call(member.personalApiKey), { is: 'permission_denied' })
    t.match(await call(ownerKey), { is: 'invalid_argument', code: 'parse_error' })
  })

  t.test('a key does no more than its scopes', async (t) => {
    const read = await makeKey(sql, owner, { scopes: ['project:read'] })
    const write = await makeKey(sql, owner, { scopes: ['project:write'] })
    const other = await makeKey(sql, owner, { scopes: ['feature_flag:write'] })
    const update = { ...projectFields(), id: ownProjectId, name: 'Default Project' }
    t.equal((await projects.GetProject({ id: ownProjectId }, as(read))).name, 'Default Project')
    t.match(await refusal(projects.UpdateProject(update, as(read))), {
      is: 'permission_denied',
      detail: /project:write/,
    })
    t.ok(await projects.GetProject({ id: ownProjectId }, as(write)), 'write includes read')
    t.match(await refusal(projects.GetProject({ id: ownProjectId }, as(other))), {
      is: 'permission_denied',
      detail: /project:read/,
    })
  })

  t.test('a restricted key stays within its projects and organizations', async (t) => {
    const made = await projects.CreateProject(projectFields(), as(ownerKey))
    const one = await makeKey(sql, owner, { projects: [owner.project?.id ?? 0] })
    t.ok(await projects.GetProject({ id: ownProjectId }, as(one)))
    for (const call of [
      () => projects.GetProject({ id: String(made.id) }, as(one)),
      () => projects.ListProjects(page, as(one)),
      () => projects.CreateProject(projectFields(), as(one)),
      () => m.flags.ListFeatureFlags({ ...page, project_id: String(made.id) }, as(one)),
    ]) {
      t.match(await refusal(call()), { is: 'permission_denied' })
    }
    const elsewhere = await makeKey(sql, owner, { organizations: [outsider.organizationId] })
    t.match(await refusal(projects.GetProject({ id: ownProjectId }, as(elsewhere))), {
      is: 'permission_denied',
    })
    const call = m.access.CheckAccess(
      { project_id: '', organization_id: organizationId },
      as(elsewhere),
    )
    t.match(await refusal(call), { is: 'not_found', detail: 'Organization not found.' })
  })

  t.test('a user without an organization has no current project', async (t) => {
    const alone = await makeUser(sql, 'alone@example.com')
    await sql`delete from memberships where user_id = ${alone.userId}`
    const key = as(alone.personalApiKey)
    t.match(await projects.ListProjects(page, key), { count: 0, results: [] })
    t.match(await refusal(projects.CreateProject(projectFields(), key)), {
      is: 'invalid_argument',
      code: 'invalid_input',
      attr: null,
    })
    t.match(await refusal(projects.GetProject({ id: '@current' }, key)), { is: 'not_found' })
    const flags = { ...page, project_id: '@current' }
    t.match(await refusal(m.flags.ListFeatureFlags(flags, key)), { is: 'not_found' })
  })

  t.test('a current project that has gone is repaired on reading', async (t) => {
    const user = await makeUser(sql, 'current@example.com')
    await sql`update users set current_project_id = null, current_organization_id = null
      where id = ${user.userId}`
    const project = await projects.GetProject({ id: '@current' }, as(user.personalApiKey))
    t.equal(project.id, user.project?.id)
    const [row] = await sql`select current_project_id, current_organization_id from users
      where id = ${user.userId}`
    t.match(row, {
      current_project_id: user.project?.id,
      current_organization_id: user.organizationId,
    })
  })
})
