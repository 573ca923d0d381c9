import t, { type Test } from 'tap'
import { keyDigest } from '../../../../src/access/keys.ts'
import { resolveKeys } from '../../../../src/store/people/key-store.ts'
import {
  as,
  jsonField,
  keyFields,
  makeKey,
  makeUser,
  OPERATOR_TOKEN,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'
import { createFakeClock } from '../../../support/fake-clock.ts'

const OPERATOR = as(OPERATOR_TOKEN)

async function setUp(t: Test) {
  const m = await startManagement(t)
  const { sql, owner } = m
  const user = await makeUser(sql, 'Ann@example.com', { organizationId: owner.organizationId })
  return {
    ...m,
    user,
    staff: as(owner.personalApiKey),
    me: (key = user.personalApiKey) => m.users.GetMe({}, as(key)),
    async publicly(key: string) {
      const digest = keyDigest(key).toString('hex')
      const lookup = { token: key, digest, projectId: Number(owner.project?.id) }
      return (await resolveKeys(sql, [lookup]))[0]?.kind
    },
    entries: async (scope: string) =>
      await sql`
        select activity, user_id, organization_id, changes from audit_log
        where scope = ${scope} order by created_at, id`,
  }
}

t.test('a deactivated user is refused at once, by staff and by the operator alike', async (t) => {
  const m = await setUp(t)
  const { user, owner } = m
  const turn = {
    staff: (isActive: boolean) =>
      m.users.UpdateUser({ id: user.userUuid, is_active: isActive }, m.staff),
    operator: (isActive: boolean) => {
      const request = { user: 'ann@EXAMPLE.com' }
      return isActive
        ? m.admin.EnableUser(request, OPERATOR)
        : m.admin.DisableUser(request, OPERATOR)
    },
  }
  for (const way of ['staff', 'operator'] as const) {
    t.ok(await m.me(), 'remembered')
    const told = m.published.length
    t.match(await turn[way](false), { is_active: false })
    t.same(m.published.slice(told), [{ kind: 'keys' }])
    t.match(await refusal(m.me()), { is: 'unauthenticated', code: 'invalid_personal_api_key' })
    t.equal(await m.publicly(user.personalApiKey), 'invalid_personal')
    t.match(await turn[way](true), { is_active: true })
    t.ok(await m.me())
    t.equal(await m.publicly(user.personalApiKey), 'project')
  }
  const { organizationId } = owner
  const by = (userId: number | null, before: boolean) => ({
    activity: 'updated',
    user_id: userId,
    organization_id: organizationId,
    changes: [{ field: 'is_active', action: 'changed', before, after: !before }],
  })
  t.same(await m.entries('User'), [
    by(owner.userId, true),
    by(owner.userId, false),
    by(null, true),
    by(null, false),
  ])
})

t.test('only staff deactivates, and nobody themselves', async (t) => {
  const m = await setUp(t)
  const { user, owner } = m
  const member = as(user.personalApiKey)
  for (const call of [
    () => m.users.UpdateUser({ id: owner.userUuid, is_active: false }, member),
    () => m.users.UpdateUser({ id: user.userUuid, is_active: false }, member),
    () => m.users.ListUserKeys({ id: owner.userUuid }, member),
    () => m.users.RevokeUserKey({ id: owner.userUuid, key_id: 'x' }, member),
  ]) {
    t.match(await refusal(call()), { is: 'permission_denied' })
  }
  const self = m.users.UpdateUser({ id: owner.userUuid, is_active: false }, m.staff)
  t.match(await refusal(self), { is: 'invalid_argument', attr: 'is_active' })
  t.ok(await m.me(owner.personalApiKey))
  t.match(await refusal(m.users.UpdateUser({ id: 'x' }, m.staff)), { is: 'not_found' })
  const limited = await makeKey(m.sql, owner, { organizations: [owner.organizationId] })
  const restricted = m.users.UpdateUser({ id: user.userUuid, is_active: false }, as(limited))
  t.match(await refusal(restricted), { is: 'permission_denied' })
})

t.test('the invites of a deactivated user go, in every organization', async (t) => {
  const m = await setUp(t)
  const second = await m.organizations.CreateOrganization(
    { name: 'Second' },
    as(m.user.personalApiKey),
  )
  const invites = m.services['sluice.v1.InviteService']
  for (const id of [m.owner.organizationId, String(second.id)]) {
    const fields = { target_email: 'x@example.com', null_fields: [] }
    const place = { parent_lookup_organization_id: id }
    await invites.CreateInvite({ ...place, ...fields }, as(m.user.personalApiKey))
  }
  await m.admin.DisableUser({ user: String(m.user.userId) }, OPERATOR)
  t.same(await m.sql`select id from invites`, [])
  const told = (await m.entries('User')).map(({ organization_id: id }) => id)
  t.same(told, [m.owner.organizationId, second.id], 'each organization reads of it')
})

t.test('staff and the operator revoke any key', async (t) => {
  const m = await setUp(t)
  const { user } = m
  const further = await makeKey(m.sql, user, {})
  const byValue = await makeKey(m.sql, user, {})
  const { results: keys = [] } = await m.users.ListUserKeys({ id: user.userUuid }, m.staff)
  t.equal(keys.length, 3)
  t.notMatch(JSON.stringify(keys), further)
  const current = await m.keys.GetPersonalApiKey({ id: '@current' }, as(further))
  const id = String(current.id)
  for (const key of ['x', "'", id.toLowerCase()]) {
    const gone = m.users.RevokeUserKey({ id: user.userUuid, key_id: key }, m.staff)
    t.match(await refusal(gone), { is: 'not_found' })
    t.match(await refusal(m.admin.RevokeKey({ key }, OPERATOR)), { is: 'not_found' })
  }
  const foreign = m.users.RevokeUserKey({ id: m.owner.userUuid, key_id: id }, m.staff)
  t.match(await refusal(foreign), { is: 'not_found' })
  t.same(await m.users.RevokeUserKey({ id: user.userUuid, key_id: id }, m.staff), {})
  t.match(await refusal(m.me(further)), { is: 'unauthenticated' })
  t.ok(await m.me(byValue))
  t.match(await m.admin.RevokeKey({ key: byValue }, OPERATOR), { user_id: user.userId })
  t.match(await refusal(m.me(byValue)), { is: 'unauthenticated' })
  t.match(await m.entries('PersonalApiKey'), [
    { activity: 'revoked', user_id: m.owner.userId, organization_id: m.owner.organizationId },
    { activity: 'revoked', user_id: null, organization_id: m.owner.organizationId },
  ])
})

t.test('the operator makes keys and shows users, by the token only', async (t) => {
  const m = await setUp(t)
  const who = { user: m.user.userUuid }
  const fields = { label: '', scopes: [], expires_at: '' }
  for (const call of [
    () => m.admin.ShowUser(who, as(m.owner.personalApiKey)),
    () => m.admin.CreateKey({ ...who, ...fields }, as(m.owner.personalApiKey)),
    () => m.admin.DisableUser(who, as(undefined)),
    () => m.admin.RevokeKey({ key: 'x' }, as('x')),
    () => m.admin.ConfirmEmail({ ...who, email: '' }, as('x')),
  ]) {
    t.match(await refusal(call()), { is: 'unauthenticated' })
  }
  const made = await m.admin.CreateKey(
    { ...who, label: 'CI', scopes: ['user:read'], expires_at: '2999-01-01T00:00:00Z' },
    OPERATOR,
  )
  const value = made.personal_api_key ?? ''
  t.match(made.key, { label: 'CI', scopes: ['user:read'], expires_at: /^2999-01-01T/ })
  t.match(await m.me(value), { uuid: m.user.userUuid })
  const refused = (more: object) =>
    refusal(m.admin.CreateKey({ ...who, ...fields, ...more }, OPERATOR))
  t.match(await refused({ scopes: ['nothing:read'] }), { attr: 'scopes' })
  t.match(await refused({ expires_at: '2020-01-01' }), { attr: 'expires_at' })
  t.match(await refused({ expires_at: 'soon' }), { attr: 'expires_at' })
  t.match(await refused({ label: 'x'.repeat(41) }), { attr: 'label' })
  t.match(await refused({ user: 'nobody@example.com' }), { is: 'not_found' })
  const shown = await m.admin.ShowUser(who, OPERATOR)
  t.match(shown, {
    user_id: m.user.userId,
    email: 'Ann@example.com',
    is_active: true,
    is_email_verified: true,
    organizations: [{ id: m.owner.organizationId, level: 1 }],
    personal_api_keys: [{ label: 'CI' }, { label: 'Created with the user' }],
  })
  t.notMatch(JSON.stringify(shown), value)
  t.match(await m.entries('PersonalApiKey'), [{ activity: 'created', user_id: null }])
})

t.test('a key is refused from its expiry on, and makes none that lasts longer', async (t) => {
  const m = await setUp(t)
  const by = m.user.personalApiKey
  const create = (fields: object, key = by) =>
    m.keys.CreatePersonalApiKey({ ...keyFields(), label: 'Short', ...fields }, as(key))
  for (const bad of ['2020-01-01T00:00:00Z', 'x', '2999-13-01T00:00:00Z']) {
    t.match(await refusal(create({ expires_at: bad })), {
      code: 'invalid_input',
      attr: 'expires_at',
    })
  }
  t.notOk('expires_at' in (await create({})), 'never, unless asked for')
  const made = await create({ expires_at: '2999-01-01T00:00:00+01:00' })
  t.equal(made.expires_at, '2998-12-31T23:00:00.000000Z')
  const value = String(made.value)
  t.ok(await m.me(value))
  for (const fields of [{}, { expires_at: '2999-01-01T00:00:00Z' }]) {
    t.match(await refusal(create(fields, value)), { attr: 'expires_at' })
  }
  const id = String(made.id)
  const update = (fields: object, key: string, of = id) =>
    m.keys.UpdatePersonalApiKey({ id: of, ...keyFields(), ...fields }, as(key))
  t.match(await refusal(update({ null_fields: ['expires_at'] }, value)), { attr: 'expires_at' })
  const { id: lasting } = await m.keys.GetPersonalApiKey({ id: '@current' }, as(by))
  const rolled = m.keys.RollPersonalApiKey({ id: String(lasting) }, as(value))
  t.match(await refusal(rolled), { is: 'permission_denied' })
  t.ok(await create({ expires_at: '2998-01-01T00:00', scopes: jsonField(['user:read']) }, value))
  t.notOk('expires_at' in (await update({ null_fields: ['expires_at'] }, by)))
  t.ok(await m.me(value))
  await m.sql`update personal_api_keys set expires_at = now() - interval '1 ms' where id = ${id}`
  m.authenticator.forget()
  t.match(await refusal(m.me(value)), { is: 'unauthenticated' })
  t.equal(await m.publicly(value), 'invalid_personal')
})

t.test('an expiry is judged by the clock of the worker', async (t) => {
  const clock = createFakeClock()
  const m = await startManagement(t, clock)
  const at = new Date(clock.now()).toISOString()
  const fields = { ...keyFields(), label: 'Now', expires_at: at }
  const made = m.keys.CreatePersonalApiKey(fields, as(m.owner.personalApiKey))
  t.match(await refusal(made), { attr: 'expires_at' })
})
