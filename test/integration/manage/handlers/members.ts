import t, { type Test } from 'tap'
import type { CreatedUser } from '../../../../src/access/create-user.ts'
import { keyDigest } from '../../../../src/access/keys.ts'
import { resolveKeys } from '../../../../src/store/people/key-store.ts'
import {
  as,
  keyFields,
  makeKey,
  makeUser,
  projectFields,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const PAGE = { limit: 0, offset: 0 }
const DENIED = { is: 'permission_denied' }

async function setUp(t: Test) {
  const m = await startManagement(t)
  const { sql, owner } = m
  const { organizationId } = owner
  const service = m.services['sluice.v1.OrganizationMemberService']
  const place = { organization_id: organizationId }
  const join = (email: string, level = 1) => makeUser(sql, email, { organizationId, level })
  return {
    ...m,
    organizationId,
    join,
    admin: await join('admin@example.com', 8),
    member: await join('member@example.com'),
    outsider: await makeUser(sql, 'outsider@example.com'),
    async levels() {
      const { results } = await service.ListOrganizationMembers(
        { ...place, ...PAGE },
        as(owner.personalApiKey),
      )
      return (results ?? []).map(({ user, level }) => [user?.email, level])
    },
    list: (by: CreatedUser, page = PAGE) =>
      service.ListOrganizationMembers({ ...place, ...page }, as(by.personalApiKey)),
    get: (by: CreatedUser, user: string) =>
      service.GetOrganizationMember({ ...place, user }, as(by.personalApiKey)),
    set: (by: CreatedUser, user: string, level?: number) =>
      service.UpdateOrganizationMember(
        { ...place, user, ...(level === undefined ? {} : { level }) },
        as(by.personalApiKey),
      ),
    remove: (by: CreatedUser, user: string) =>
      service.RemoveOrganizationMember({ ...place, user }, as(by.personalApiKey)),
    keysOf: (by: CreatedUser, user: string) =>
      service.ListMemberKeys({ ...place, user }, as(by.personalApiKey)),
    revoke: (by: CreatedUser, user: string, id: string) =>
      service.RevokeMemberKey({ ...place, user, id }, as(by.personalApiKey)),
    /** The worker's answer to a gateway about a personal key on the public routes. */
    async publicly(key: string, projectId = Number(owner.project?.id)) {
      const digest = keyDigest(key).toString('hex')
      return (await resolveKeys(sql, [{ token: key, digest, projectId }]))[0]?.kind
    },
    working: (key: string) => m.projects.GetProject({ id: String(owner.project?.id) }, as(key)),
  }
}

t.test('members are listed by level, to members only, and named in every way', async (t) => {
  const m = await setUp(t)
  const { member, admin, owner } = m
  t.same(await m.levels(), [
    ['owner@example.com', 15],
    ['admin@example.com', 8],
    ['member@example.com', 1],
  ])
  const page = await m.list(member, { limit: 1, offset: 2 })
  t.match(page, { count: 3, results: [{ level: 1, is_active: true, is_email_verified: true }] })
  t.match(await refusal(m.list(m.outsider)), DENIED)
  const own = await m.get(member, '@me')
  t.match(own, { user: { uuid: member.userUuid }, level: 1 })
  for (const name of [member.userUuid.toUpperCase(), String(member.userId), own.id ?? '']) {
    t.equal((await m.get(admin, name)).id, own.id)
  }
  for (const name of [m.outsider.userUuid, String(m.outsider.userId), 'x', '', '@you']) {
    t.match(await refusal(m.get(owner, name)), { is: 'not_found' })
  }
})

t.test('levels are given by administrators, to others, up to their own', async (t) => {
  const m = await setUp(t)
  const { owner, admin, member } = m
  const other = await m.join('other@example.com')
  t.match(await refusal(m.set(member, other.userUuid, 8)), DENIED)
  t.match(await refusal(m.set(admin, '@me', 1)), DENIED, 'not the own')
  t.match(await refusal(m.set(admin, owner.userUuid, 1)), DENIED, 'not of a higher one')
  t.match(await refusal(m.set(admin, member.userUuid, 15)), DENIED, 'not above the own')
  t.match(await refusal(m.set(owner, '@me', 8)), DENIED, 'the owner neither')
  t.match(await refusal(m.set(admin, member.userUuid, 5)), {
    code: 'invalid_choice',
    attr: 'level',
  })
  t.match(await m.set(admin, member.userUuid), { level: 1 }, 'nothing asked, nothing done')
  const told = m.published.length
  t.match(await m.set(admin, member.userUuid, 8), { level: 8, user: { id: member.userId } })
  t.same(m.published.slice(told), [{ kind: 'keys' }])
  t.match(await m.set(member, admin.userUuid, 1), { level: 1 }, 'it counts at once')
  const entries = await m.sql`
    select user_id, activity, changes from audit_log where scope = 'OrganizationMembership'
    order by created_at limit 1`
  t.match(entries, [
    {
      user_id: admin.userId,
      activity: 'updated',
      changes: [{ field: 'level', action: 'changed', before: 1, after: 8 }],
    },
  ])
})

t.test('ownership is passed on, and there is always one owner', async (t) => {
  const m = await setUp(t)
  const { owner, admin, member } = m
  t.match(await refusal(m.remove(owner, '@me')), { is: 'invalid_argument', attr: null })
  t.match(await refusal(m.remove(admin, owner.userUuid)), DENIED)
  await m.sql`update users set is_active = false where id = ${member.userId}`
  t.match(await refusal(m.set(owner, member.userUuid, 15)), { attr: 'level' })
  t.match(await m.set(owner, admin.userUuid, 15), { level: 15 })
  t.same((await m.levels()).slice(0, 2), [
    ['admin@example.com', 15],
    ['owner@example.com', 8],
  ])
  t.same(await m.remove(owner, '@me'), {}, 'who was the owner may leave')
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4].map(async (at) => {
      const next = await m.join(`next-${at}@example.com`)
      return await m.set(admin, next.userUuid, 15)
    }),
  )
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  const owners = await m.sql`
    select 1 as one from memberships where organization_id = ${m.organizationId} and level = 15`
  t.equal(owners.length, 1)
})

t.test('a removed member is out at once, on every route, and does not return', async (t) => {
  const m = await setUp(t)
  const { owner, admin, member } = m
  const key = member.personalApiKey
  t.equal(await m.publicly(key), 'project')
  t.ok(await m.working(key))
  const invites = m.services['sluice.v1.InviteService']
  const parent = { parent_lookup_organization_id: m.organizationId }
  const fields = { ...parent, target_email: 'second@example.com', null_fields: [] }
  const invite = await invites.CreateInvite(fields, as(key))
  const other = await m.join('other@example.com')
  t.match(await refusal(m.remove(member, other.userUuid)), DENIED)
  const told = m.published.length
  t.same(await m.remove(admin, member.userUuid), {})
  t.same(m.published.slice(told), [{ kind: 'keys' }])
  t.not(await m.publicly(key), 'project')
  t.match(await refusal(m.working(key)), { is: 'not_found' })
  t.match(await refusal(m.list(member)), DENIED)
  const signup = m.services['sluice.v1.SignupService']
  const accepted = signup.AcceptInvite(
    { invite_id: invite.token ?? '', first_name: 'S', password: 'correct horse' },
    as(undefined),
  )
  t.match(await refusal(accepted), { is: 'not_found' }, 'nor by an invite that they made')
  t.same(await m.remove(other, '@me'), {}, 'any member leaves')
  const entries = await m.sql`
    select activity, scope, user_id, item_name from audit_log
    where organization_id = ${m.organizationId} and activity in ('removed', 'left', 'deleted')
    order by created_at`
  t.same(entries, [
    {
      activity: 'removed',
      scope: 'OrganizationMembership',
      user_id: admin.userId,
      item_name: 'member@example.com',
    },
    {
      activity: 'deleted',
      scope: 'Invite',
      user_id: admin.userId,
      item_name: 'second@example.com',
    },
    {
      activity: 'left',
      scope: 'OrganizationMembership',
      user_id: other.userId,
      item_name: 'other@example.com',
    },
  ])
  t.match(await refusal(m.get(owner, member.userUuid)), { is: 'not_found' })
})

t.test('an invite that was made while its maker was removed is not open', async (t) => {
  const m = await setUp(t)
  const invites = m.services['sluice.v1.InviteService']
  const signup = m.services['sluice.v1.SignupService']
  const parent = { parent_lookup_organization_id: m.organizationId }
  const fields = { ...parent, target_email: 'second@example.com', null_fields: [] }
  const { token = '' } = await invites.CreateInvite(fields, as(m.member.personalApiKey))
  const show = () => signup.GetSignup({ invite_id: token }, as(undefined))
  t.ok(await show())
  await m.sql`update users set is_active = false where id = ${m.member.userId}`
  t.match(await refusal(show()), { is: 'not_found' })
  await m.sql`update users set is_active = true where id = ${m.member.userId}`
  await m.sql`delete from memberships where user_id = ${m.member.userId}`
  t.match(await refusal(show()), { is: 'not_found' })
})

t.test('administrators revoke the keys of members, as far as those reach them', async (t) => {
  const m = await setUp(t)
  const { owner, admin, member, outsider } = m
  const idOf = async (key: string) =>
    (await m.keys.GetPersonalApiKey({ id: '@current' }, as(key))).id
  const known = await idOf(member.personalApiKey)
  t.match(await m.keysOf(admin, member.userUuid), {
    results: [{ id: known, user_id: member.userId }],
  })
  t.notMatch(JSON.stringify(await m.keysOf(admin, member.userUuid)), member.personalApiKey)
  const owners = (await idOf(owner.personalApiKey)) ?? ''
  for (const call of [
    () => m.keysOf(member, admin.userUuid),
    () => m.revoke(member, '@me', known ?? ''),
    () => m.revoke(outsider, member.userUuid, known ?? ''),
    () => m.revoke(admin, owner.userUuid, owners),
  ]) {
    t.match(await refusal(call()), DENIED)
  }
  const scoped = await makeKey(m.sql, admin, { scopes: ['organization_member:write'] })
  const by = { ...admin, personalApiKey: scoped }
  t.match(await refusal(m.revoke(by, member.userUuid, known ?? '')), DENIED)
  for (const id of ['x', '', "'", (await idOf(outsider.personalApiKey)) ?? '']) {
    t.match(await refusal(m.revoke(admin, member.userUuid, id)), { is: 'not_found' })
  }
  t.same(await m.revoke(admin, member.userUuid, known ?? ''), {})
  t.match(await refusal(m.working(member.personalApiKey)), { is: 'unauthenticated' })
  const [entry] = await m.sql`
    select activity, user_id, organization_id from audit_log
    where scope = 'PersonalApiKey' order by created_at desc limit 1`
  t.same(entry, {
    activity: 'revoked',
    user_id: admin.userId,
    organization_id: m.organizationId,
  })
})

t.test('a revoked key still works where its user belongs otherwise', async (t) => {
  const m = await setUp(t)
  const { admin, outsider } = m
  await m.sql`
    insert into memberships (id, organization_id, user_id, level)
    values (gen_random_uuid(), ${m.organizationId}, ${outsider.userId}, 1)`
  const key = outsider.personalApiKey
  const elsewhere = await makeKey(m.sql, outsider, { organizations: [outsider.organizationId] })
  const here = await makeKey(m.sql, outsider, { projects: [Number(m.owner.project?.id)] })
  const listed = async () => (await m.keysOf(admin, outsider.userUuid)).results ?? []
  t.equal((await listed()).length, 2, 'one of them is none of ours')
  for (const { id = '' } of await listed()) await m.revoke(admin, outsider.userUuid, id)
  t.same(await listed(), [])
  const home = { id: String(outsider.project?.id) }
  for (const reaching of [key, elsewhere]) t.ok(await m.projects.GetProject(home, as(reaching)))
  t.match(await refusal(m.working(key)), DENIED)
  t.not(await m.publicly(key), 'project')
  const gone = refusal(m.keys.ListPersonalApiKeys(keyFields(), as(here)))
  t.match(await gone, { is: 'unauthenticated' })
})

t.test('a key alone names the only project that its user can see', async (t) => {
  const m = await setUp(t)
  const { owner, member, outsider } = m
  const [NONE, NO_ID] = [0, -1]
  const alone = (by: CreatedUser) => m.publicly(by.personalApiKey, NONE)
  t.equal(await alone(member), 'project')
  t.equal(await m.publicly(member.personalApiKey, NO_ID), 'undetermined', 'what is no id')
  t.equal(await m.publicly('phx_nobody', NONE), 'unknown')
  t.equal(await m.publicly('phx_nobody', NO_ID), 'unknown')
  t.equal(await m.publicly(String(owner.project?.apiToken), NO_ID), 'project', 'a project key is')
  t.equal(await alone(outsider), 'project', 'that of another organization is its own')

  const second = await m.projects.CreateProject(
    { ...projectFields(), name: 'Second' },
    as(owner.personalApiKey),
  )
  t.equal(await alone(member), 'undetermined')
  const told = m.published.length
  const close = (access_control: boolean) =>
    m.projects.UpdateProject(
      { ...projectFields(), id: String(second.id), access_control },
      as(owner.personalApiKey),
    )
  await close(true)
  t.ok(
    m.published.slice(told).some(({ kind }) => kind === 'keys'),
    'gateways forget the answer',
  )
  t.equal(await alone(member), 'project', 'one that is closed to members does not count')
  t.equal(await alone(owner), 'undetermined', 'but for those above them')

  const held = await makeKey(m.sql, owner, { projects: [Number(second.id)] })
  t.equal(await m.publicly(held, NONE), 'project')
  await m.projects.DeleteProject({ id: String(second.id) }, as(owner.personalApiKey))
  t.equal(await m.publicly(held, NONE), 'undetermined', 'a key that reaches nothing any more')
  t.equal(await alone(owner), 'project')
})
