import t from 'tap'
import { bootstrap, requireTimely } from '../../../../src/access/bootstrap.ts'
import { keyDigest } from '../../../../src/access/keys.ts'
import {
  as,
  MEMBER_TOKEN,
  makeKey,
  makeUser,
  OPERATOR_TOKEN,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'
import { testDatabase } from '../../../support/servers/database.ts'

const NO_PRESETS = { email: undefined, projectApiKey: undefined, personalApiKey: undefined }

t.test('bootstrap refuses presets that are no keys, and makes nothing then', async (t) => {
  const { sql } = await testDatabase(t)
  const tries = [
    { ...NO_PRESETS, email: 'nobody' },
    { ...NO_PRESETS, projectApiKey: 'short' },
    { ...NO_PRESETS, projectApiKey: 'phx_that_is_a_personal_key' },
    { ...NO_PRESETS, personalApiKey: 'with space' },
  ]
  for (const options of tries) {
    t.match(await refusal(bootstrap(sql, options)), { is: 'invalid_argument' })
  }
  t.same(await sql`select 1 as one from users union all select 1 from organizations`, [])
})

t.test('one of the members that start together makes the first user', async (t) => {
  const { sql } = await testDatabase(t, { connectionsMax: 8 })
  const made = await Promise.all(Array.from({ length: 6 }, () => bootstrap(sql, NO_PRESETS)))
  const winners = made.filter((each) => each !== undefined)
  t.equal(winners.length, 1)
  t.match(winners[0]?.projectApiKey, /^phc_[0-9A-Za-z]{43}$/)
  t.match(winners[0]?.personalApiKey, /^phx_[0-9A-Za-z]{43}$/)
  t.equal(await bootstrap(sql, NO_PRESETS), undefined, 'and none after it')
  const [user] = await sql`select u.is_staff, m.level, count(*) over ()::integer as users
    from users u join memberships m on m.user_id = u.id`
  t.match(user, { is_staff: true, level: 15, users: 1 })
})

t.test('presets are taken as they are, and only a digest of the key is stored', async (t) => {
  const { sql } = await testDatabase(t)
  const presets = {
    email: 'first@example.com',
    projectApiKey: 'phc_preset_project_key',
    personalApiKey: 'phx_preset_personal_key',
  }
  t.match(await bootstrap(sql, presets), presets)
  const [key] = await sql`select key_sha256, mask_value from personal_api_keys`
  t.same(key?.['key_sha256'], keyDigest(presets.personalApiKey))
  t.notMatch(JSON.stringify(key), /preset_personal/)
})

t.test('presets that come too late are refused, and those in force are taken again', async (t) => {
  const { sql } = await testDatabase(t)
  await bootstrap(sql, { ...NO_PRESETS, projectApiKey: 'phc_preset_project_key' })
  t.same(await requireTimely(sql, NO_PRESETS), [])
  t.same(await requireTimely(sql, { ...NO_PRESETS, projectApiKey: 'phc_preset_project_key' }), [])
  const email = 'late@example.com'
  const late = { ...NO_PRESETS, email, personalApiKey: 'phx_that_came_too_late' }
  await t.rejects(requireTimely(sql, late), {
    code: 'failed_precondition',
    message: /^BOOTSTRAP_EMAIL, BOOTSTRAP_PERSONAL_API_KEY come too late: .*sluice admin show/,
  })
  const one = { ...NO_PRESETS, email, projectApiKey: 'phc_preset_project_key' }
  t.same(await requireTimely(sql, one), ['BOOTSTRAP_EMAIL'], 'it may have been changed since')
})

t.test('an operator sees all organizations with the public keys of their projects', async (t) => {
  const { sql, admin } = await startManagement(t)
  const made = await makeUser(sql, 'shown@example.com')
  const operator = as(OPERATOR_TOKEN)
  // Two full pages, and an organization without a project.
  await sql`insert into projects (uuid, organization_id, api_token, name)
    select gen_random_uuid(), ${made.organizationId}, 'phc_of_many_' || n, 'many ' || n
    from generate_series(1, 1000) n`
  const other = await makeUser(sql, 'bare@example.com')
  await sql`delete from projects where organization_id = ${other.organizationId}`
  const projects: string[] = []
  const organizations = new Map<string, number>()
  let after = ''
  let pages = 0
  do {
    const page = await admin.ShowInstance({ after }, operator)
    for (const { id = '', projects: some = [] } of page.organizations ?? []) {
      organizations.set(id, (organizations.get(id) ?? 0) + some.length)
      projects.push(...some.map((project) => project.api_key ?? ''))
    }
    t.ok(Number(page.users) >= 3)
    after = page.next ?? ''
    pages++
  } while (after !== '')
  t.equal(pages, 3)
  t.equal(organizations.get(made.organizationId), 1_001)
  t.equal(organizations.get(other.organizationId), 0)
  t.equal(new Set(projects).size, projects.length, 'no project twice')
  t.ok(projects.includes(made.project?.apiToken ?? ''))
  t.match(await refusal(admin.ShowInstance({ after: 'x' }, operator)), { is: 'invalid_argument' })
  t.match(await refusal(admin.ShowInstance({ after: '' }, as('another'))), {
    is: 'unauthenticated',
  })
})

t.test('a login link begins with a known address, and is of an active user', async (t) => {
  const { sql, admin } = await startManagement(t)
  const operator = as(OPERATOR_TOKEN)
  const ask = (email: string, url: string) => admin.CreateLoginLink({ email, url }, operator)
  t.match(await refusal(ask('', '')), { is: 'invalid_argument', attr: 'url', detail: /--url/ })
  t.match(await refusal(ask('', 'javascript:alert(1)')), { is: 'invalid_argument', attr: 'url' })
  const site = 'https://sluice.example.com'
  const made = await ask('', `${site}/`)
  t.match(made, { email: 'owner@example.com', url: /^https:\/\/sluice.example.com\/login#\w{43}$/ })
  const second = await makeUser(sql, 'second@example.com')
  await admin.DisableUser({ user: 'owner@example.com' }, operator)
  t.match(await refusal(ask('owner@example.com', site)), { attr: 'email', detail: /enable-user/ })
  t.match(await ask('', site), { email: 'second@example.com' }, 'the first owner who is active')
  const left = await sql`select user_id from login_links`
  t.same(left, [{ user_id: second.userId }], 'those of a deactivated user are gone')
  const other = admin.CreateLoginLink({ email: '', url: site }, as('another'))
  t.match(await refusal(other), { is: 'unauthenticated' })
})

t.test('operators', async (t) => {
  const m = await startManagement(t)
  const { sql, owner, admin } = m
  const operator = as(OPERATOR_TOKEN)
  t.test('an operator says what an organization may do with plugins', async (t) => {
    const tenant = await makeUser(sql, 'levelled@example.com')
    const organization_id = tenant.organizationId
    const set = (level: number, place: string = organization_id, by = operator) =>
      admin.SetPluginsLevel({ organization_id: place, level }, by)
    const project = tenant.project?.id ?? 0
    const [{ before } = { before: 0n }] = await sql<{ before: bigint }[]>`
      select revision as before from projects where id = ${project}`
    m.published.length = 0
    t.match(await set(9), { level_before: 6, level: 9, organization_id })
    const revision = Number(before) + 1
    t.match(m.published, [{ kind: 'revision', projectId: project, revision }])
    const [row] = await sql`select plugins_access_level, name from organizations
      where id = ${organization_id}`
    t.equal(row?.['plugins_access_level'], 9)
    const [entry] = await sql`select user_id, organization_id, changes from audit_log
      order by created_at desc, id desc limit 1`
    const change = { field: 'plugins_access_level', before: 6, after: 9 }
    t.match(entry, { user_id: null, organization_id, changes: [change] })
    t.match(await refusal(set(4)), { is: 'invalid_argument', attr: 'level' })
    t.match(await refusal(set(9, 'x')), { is: 'invalid_argument', attr: 'organization_id' })
    const unknown = '00000000-0000-0000-0000-000000000000'
    t.match(await refusal(set(9, unknown)), { is: 'not_found' })
    const stranger = as(tenant.personalApiKey)
    t.match(await refusal(set(9, organization_id, stranger)), { is: 'unauthenticated' })
  })
  const request = {
    email: 'new@example.com',
    first_name: '',
    organization_id: '',
    organization_name: '',
    level: 0,
    personal_api_key: '',
  }

  t.test('no other token than the operator’s will do', async (t) => {
    for (const token of [undefined, owner.personalApiKey, `${OPERATOR_TOKEN}x`, '']) {
      const call = admin.CreateUser(request, as(token))
      t.match(await refusal(call), { is: 'unauthenticated' })
      t.match(await refusal(admin.GetStatus({}, as(token))), { is: 'unauthenticated' })
    }
    t.match(await admin.GetStatus({}, operator), { version: '0.0.0' })
  })

  t.test('bad requests name the field and leave nothing behind', async (t) => {
    const [before] = await sql`select count(*)::integer as users from users`
    const wrong = async (fields: object) =>
      await refusal(admin.CreateUser({ ...request, ...fields }, operator))
    t.match(await wrong({ email: ' ' }), { code: 'required', attr: 'email' })
    t.match(await wrong({ email: 'nobody' }), { code: 'invalid_input', attr: 'email' })
    t.match(await wrong({ email: 'OWNER@example.com' }), { code: 'unique', attr: 'email' })
    t.match(await wrong({ level: 7 }), { attr: 'level' })
    t.match(await wrong({ organization_id: 'abc' }), { attr: 'organization_id' })
    const unknown = '018f0000-0000-7000-8000-000000000000'
    t.match(await wrong({ organization_id: unknown }), { is: 'not_found' })
    const { organizationId } = owner
    t.match(await wrong({ organization_id: organizationId, level: 15 }), { attr: 'level' })
    t.match(await wrong({ personal_api_key: 'a b' }), { attr: 'personal_api_key' })
    t.match(await wrong({ personal_api_key: owner.personalApiKey }), { is: 'already_exists' })
    const [after] = await sql`select count(*)::integer as users from users`
    t.same(after, before)
  })

  t.test('a user without an organization gets one with a project, as its owner', async (t) => {
    const names = { organization_name: 'Ünïcode & Co', first_name: 'Ada' }
    const made = await admin.CreateUser({ ...request, ...names }, operator)
    t.match(m.published.at(-1), { kind: 'keys' })
    const key = as(made.personal_api_key)
    const project = await m.projects.GetProject({ id: '@current' }, key)
    t.match(project, { id: made.project_id, api_token: made.project_api_key })
    t.equal(project.effective_membership_level, 15)
    const [row] = await sql`select u.is_staff, u.first_name, o.name, o.slug from users u
      join organizations o on o.id = u.current_organization_id where u.id = ${made.user_id ?? 0}`
    const slug = 'unicode-co'
    t.match(row, { is_staff: false, first_name: 'Ada', name: 'Ünïcode & Co', slug })
    const email = 'second@example.com'
    const second = await admin.CreateUser({ ...request, ...names, email }, operator)
    t.not(second.organization_id, made.organization_id, 'a name may be had twice')
  })

  t.test('one of two that take one address at once is refused', async (t) => {
    const emails = ['twin@example.com', 'Twin@Example.com']
    const results = await Promise.allSettled(
      emails.map((email) => admin.CreateUser({ ...request, email }, operator)),
    )
    t.same(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const [refused] = results.filter((result) => result.status === 'rejected')
    t.match(refused?.reason, { detail: { code: 'unique', attr: 'email' } })
  })

  t.test('a user may join an organization, at a level and with a preset key', async (t) => {
    const email = 'joined@example.com'
    const personal_api_key = 'phx_key_of_joined'
    const place = { organization_id: owner.organizationId, level: 8, personal_api_key }
    const made = await admin.CreateUser({ ...request, ...place, email }, operator)
    t.match(made, {
      organization_id: owner.organizationId,
      project_id: owner.project?.id,
      project_api_key: owner.project?.apiToken,
      personal_api_key,
    })
    const project = await m.projects.GetProject({ id: '@current' }, as(personal_api_key))
    t.equal(project.effective_membership_level, 8)
  })

  t.test('the last use of a key is recorded beside the call', async (t) => {
    const user = await makeUser(sql, 'user@example.com')
    await m.projects.GetProject({ id: '@current' }, as(user.personalApiKey))
    await m.authenticator.settled()
    const [row] = await sql`select last_used_at from personal_api_keys
      where user_id = ${user.userId}`
    t.ok(row?.['last_used_at'] instanceof Date)
  })

  t.test('access is checked without a method', async (t) => {
    const check = (key: string, project_id: string, organization_id = '') =>
      m.access.CheckAccess({ project_id, organization_id }, as(key))
    const { personalApiKey: key, organizationId } = owner
    const other = await makeUser(sql, 'other@example.com')
    t.match(await check(key, ''), { user_id: owner.userId })
    t.match(await check(key, '@current', '@current'), { user_id: owner.userId })
    t.match(await check(key, '', organizationId.toUpperCase()), { user_id: owner.userId })
    t.match(await refusal(check('phx_wrong_key', '')), { is: 'unauthenticated' })
    t.match(await refusal(check(key, '999999')), { is: 'not_found', detail: 'Project not found.' })
    t.match(await refusal(check(key, 'x')), { is: 'not_found', detail: 'Not found.' })
    t.match(await refusal(check(key, '', 'x')), { is: 'not_found', detail: 'Not found.' })
    t.match(await refusal(check(key, '', '018f0000-0000-7000-8000-000000000000')), {
      detail: 'Organization not found.',
    })
    t.match(await refusal(check(other.personalApiKey, '', organizationId)), {
      is: 'permission_denied',
    })
    t.match(await refusal(check(other.personalApiKey, String(owner.project?.id))), {
      is: 'permission_denied',
    })
  })

  t.test('keys are resolved as the table says, in order', async (t) => {
    const projectId = owner.project?.id ?? 0
    const token = owner.project?.apiToken ?? ''
    const key = owner.personalApiKey
    const stranger = await makeUser(sql, 'stranger@example.com')
    const inactive = await makeUser(sql, 'inactive@example.com', {
      organizationId: owner.organizationId,
    })
    await sql`update users set is_active = false where id = ${inactive.userId}`
    const restricted = await makeKey(sql, owner, { projects: [stranger.project?.id ?? 0] })
    const questions = [
      { token, project_id: 0 },
      { token, project_id: 999_999 },
      { token: key, project_id: 0 },
      { token: 'phc_unknown_token', project_id: 0 },
      { token: 'phc_unknown_token', project_id: projectId },
      { token: key, project_id: projectId },
      { token: key, project_id: 999_999 },
      { token: stranger.personalApiKey, project_id: projectId },
      { token: inactive.personalApiKey, project_id: projectId },
      { token: restricted, project_id: projectId },
      { token: '', project_id: 0 },
      { token: 'with\0nul and ünicode', project_id: 0 },
      { token, project_id: 0 },
    ]
    const { answers } = await m.directory.ResolveKeys({ questions }, as(MEMBER_TOKEN))
    const invalid = 'KEY_KIND_INVALID_PERSONAL'
    t.same(
      answers?.map((answer) => answer.project?.id ?? answer.kind),
      [
        projectId,
        projectId,
        projectId,
        'KEY_KIND_UNKNOWN',
        invalid,
        projectId,
        invalid,
        invalid,
        invalid,
        invalid,
        'KEY_KIND_UNKNOWN',
        'KEY_KIND_UNKNOWN',
        projectId,
      ],
    )
    t.same(
      [0, 2, 5].map((at) => answers?.[at]?.is_personal),
      [false, true, true],
    )
    t.match(answers?.[0]?.project, {
      revision: 1,
      api_token: token,
      anonymize_ips: false,
      has_flags: false,
      has_plugins: false,
      capture_performance: false,
    })
    t.same(await m.directory.ResolveKeys({ questions: [] }, as(MEMBER_TOKEN)), { answers: [] })
    const many = Array.from({ length: 1_001 }, () => ({ token, project_id: 0 }))
    const call = m.directory.ResolveKeys({ questions: many }, as(MEMBER_TOKEN))
    t.match(await refusal(call), { is: 'invalid_argument' })
    const foreign = m.directory.ResolveKeys({ questions }, as(owner.personalApiKey))
    t.match(await refusal(foreign), { is: 'unauthenticated' })
  })
})
