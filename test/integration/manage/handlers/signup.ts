import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { randomText } from '../../../../src/access/keys.ts'
import { INVITE_DAYS } from '../../../../src/core/limits/limits.ts'
import type { ManagementSettings } from '../../../../src/manage/settings.ts'
import {
  as,
  type ManagementUnderTest,
  makeKey,
  makeUser,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const ANYBODY = as(undefined)
const PASSWORD = 'correct horse'

async function setUp(t: Test, settings: Partial<ManagementSettings> = {}) {
  const m = await startManagement(t, undefined, settings)
  const invites = m.services['sluice.v1.InviteService']
  const signup = m.services['sluice.v1.SignupService']
  return {
    ...m,
    /** A new invite to the owner's organization, or to that of `user`: its id and its token. */
    async invite(
      email: string,
      user: { organizationId: string; personalApiKey: string } = m.owner,
    ) {
      const fields = { target_email: email, first_name: 'Ann', null_fields: [] }
      const place = { parent_lookup_organization_id: user.organizationId }
      const made = await invites.CreateInvite({ ...place, ...fields }, as(user.personalApiKey))
      return { id: made.id ?? '', token: made.token ?? '' }
    },
    show: (secret: string, context = ANYBODY) => signup.GetSignup({ invite_id: secret }, context),
    accept: (secret: string, fields: object = {}) =>
      signup.AcceptInvite(
        { invite_id: secret, first_name: 'Ann', password: PASSWORD, ...fields },
        ANYBODY,
      ),
  }
}

async function expire({ sql }: ManagementUnderTest, id: string): Promise<void> {
  await sql`
    update invites set created_at = now() - make_interval(days => ${INVITE_DAYS}, secs => 1)
    where id = ${id}`
}

t.test('the link shows who is invited to what, without a key', async (t) => {
  const m = await setUp(t)
  const { id, token } = await m.invite('Ann@Example.com')
  t.same(await m.show(token), {
    id,
    target_email: 'Ann@Example.com',
    first_name: 'Ann',
    organization_name: 'Default Organization',
  })
  t.match(await refusal(m.show(token.toLowerCase())), { is: 'not_found' })
})

t.test(
  'unknown and malformed invites are 404, expired ones say so, before any field',
  async (t) => {
    const m = await setUp(t)
    const { id, token } = await m.invite('ann@example.com')
    for (const other of [randomUUID(), id, 'x', '', `${token}'`, randomText()]) {
      t.match(await refusal(m.show(other)), { is: 'not_found', detail: 'Not found.' })
      t.match(await refusal(m.accept(other, { password: '' })), { is: 'not_found' })
    }
    await expire(m, id)
    const expired = { is: 'invalid_argument', code: 'expired', attr: null }
    t.match(await refusal(m.show(token)), expired)
    t.match(await refusal(m.accept(token, { password: '' })), expired)
  },
)

t.test('fields are checked, and nothing is made of a wrong one', async (t) => {
  const m = await setUp(t)
  const { id, token } = await m.invite('ann@example.com')
  const refused = (fields: object) => refusal(m.accept(token, fields))
  t.match(await refused({ first_name: undefined }), { code: 'required', attr: 'first_name' })
  t.match(await refused({ first_name: ' ' }), { code: 'blank', attr: 'first_name' })
  t.match(await refused({ first_name: 'x'.repeat(129) }), { code: 'max_length' })
  t.match(await refused({ password: undefined }), { code: 'required', attr: 'password' })
  t.match(await refused({ password: 'x'.repeat(7) }), { code: 'min_length', attr: 'password' })
  t.match(await refused({ password: 'x'.repeat(129) }), { code: 'max_length', attr: 'password' })
  t.match(await refused({ email: 'x' }), { code: 'invalid_input', attr: 'email' })
  const other = await refused({ email: 'bob@example.com' })
  t.match(other, { is: 'invalid_argument', code: 'invalid_recipient', attr: null })
  t.equal((await m.show(token)).id, id, 'the invite is as it was')
})

t.test(
  'whoever accepts is a member with a key, and the invites of the organization there are gone',
  async (t) => {
    const m = await setUp(t)
    const other = await makeUser(m.sql, 'other@example.com')
    await m.sql`
    update projects set access_control = true where organization_id = ${m.owner.organizationId}`
    const replaced = await m.invite('ann@example.com')
    const { token } = await m.invite('Ann@Example.com')
    const elsewhere = await m.invite('ANN@example.com', other)
    const stays = await m.invite('bob@example.com')
    const made = await m.accept(token, {
      first_name: ' Ann ',
      email: 'aNN@example.com',
      password: `  ${PASSWORD}  `,
      email_opt_in: true,
    })
    t.match(made, {
      first_name: 'Ann',
      email: 'Ann@Example.com',
      organization_id: m.owner.organizationId,
      uuid: /^[0-9a-f-]{36}$/,
      personal_api_key: /^phx_[0-9A-Za-z]{43}$/,
    })
    t.notOk('project_id' in made, 'a plain member does not see the only project')
    for (const gone of [token, replaced.token]) {
      t.match(await refusal(m.show(gone)), { is: 'not_found' })
    }
    for (const { id, token: open } of [stays, elsewhere]) t.equal((await m.show(open)).id, id)
    const [user] = await m.sql`
    select u.email, u.first_name, u.email_opt_in, u.is_staff, u.password_hash, k.label, k.scopes,
      u.current_organization_id, m.level, m.organization_id
    from users u join memberships m on m.user_id = u.id join personal_api_keys k on k.user_id = u.id
    where u.id = ${made.id ?? 0}`
    t.match(user, {
      email: 'Ann@Example.com',
      first_name: 'Ann',
      email_opt_in: true,
      is_staff: false,
      password_hash: /^\$scrypt\$ln=\d+,r=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/,
      label: 'First key',
      scopes: ['*'],
      level: 1,
      organization_id: m.owner.organizationId,
      current_organization_id: m.owner.organizationId,
    })
    t.match(m.published.at(-1), { kind: 'keys' })
    await m.sql`update projects set access_control = false`
    const project = await m.projects.GetProject({ id: '@current' }, as(made.personal_api_key))
    t.equal(project.id, m.owner.project?.id, 'the key works')
    t.match(await refusal(m.accept(token)), { is: 'not_found' }, 'once only')
  },
)

t.test('an account that exists is never touched', async (t) => {
  const m = await setUp(t)
  const outsider = await makeUser(m.sql, 'outsider@example.com')
  const { token } = await m.invite('Outsider@example.com')
  const refused = await refusal(m.accept(token))
  t.match(refused, { is: 'invalid_argument', code: 'invalid_recipient', attr: null })
  t.notMatch(refused.detail, 'outsider@example.com')
  const late = await m.invite('late@example.com')
  await makeUser(m.sql, 'LATE@example.com', { organizationId: m.owner.organizationId })
  t.match(await refusal(m.accept(late.token)), { code: 'user_already_member', attr: null })
  const [untouched] = await m.sql`
    select u.password_hash, (select count(*)::integer from personal_api_keys k
      where k.user_id = u.id) as keys, (select count(*)::integer from memberships m
      where m.user_id = u.id) as memberships
    from users u where u.id = ${outsider.userId}`
  t.same(untouched, { password_hash: null, keys: 1, memberships: 1 })
})

t.test('a user with an account accepts with a key of it, and gets no other', async (t) => {
  const m = await setUp(t)
  const joiner = await makeUser(m.sql, 'Joiner@example.com')
  const { id, token } = await m.invite('joiner@example.com')
  const accept = (key: string, invite = token) =>
    m.services['sluice.v1.SignupService'].AcceptInvite({ invite_id: invite }, as(key))
  t.match(await refusal(accept('phx_unknown_key')), { code: 'invalid_personal_api_key' })
  const scoped = await makeKey(m.sql, joiner, { scopes: ['user:write'] })
  const restricted = await makeKey(m.sql, joiner, { projects: [joiner.project?.id ?? 0] })
  for (const key of [scoped, restricted]) {
    t.match(await refusal(accept(key)), { is: 'permission_denied' })
  }
  const stranger = await makeUser(m.sql, 'stranger@example.com')
  const foreign = await refusal(accept(stranger.personalApiKey))
  t.match(foreign, { code: 'invalid_recipient', attr: null })
  const joined = await accept(joiner.personalApiKey)
  t.match(joined, {
    id: joiner.userId,
    email: 'Joiner@example.com',
    organization_id: m.owner.organizationId,
    project_id: m.owner.project?.id,
  })
  t.equal(joined.personal_api_key, undefined)
  const [now] = await m.sql`
    select count(*)::integer as memberships, min(level)::integer as least from memberships
    where user_id = ${joiner.userId}`
  t.same(now, { memberships: 2, least: 1 })
  t.match(await refusal(accept(joiner.personalApiKey)), { is: 'not_found' }, 'once only')
  const [entry] = await m.sql`
    select user_id, activity from audit_log where item_id = ${id} order by created_at desc limit 1`
  t.same(entry, { user_id: joiner.userId, activity: 'accepted' })
  // An invite of an older release, made before its address became a member's.
  const late = randomUUID()
  await m.sql`
    insert into invites (id, organization_id, target_email)
    values (${late}, ${m.owner.organizationId}, 'JOINER@example.com')`
  const again = await refusal(accept(joiner.personalApiKey, late))
  t.match(again, { code: 'user_already_member', attr: null })
})

t.test('one of two acceptances at once makes the user, the other is refused', async (t) => {
  const m = await setUp(t)
  const other = await makeUser(m.sql, 'other@example.com')
  const ids = [
    await m.invite('ann@example.com'),
    await m.invite('ANN@example.com'),
    await m.invite('Ann@example.com', other),
  ]
  const attempts = [...ids, ...ids].map(({ token }) => m.accept(token))
  const outcomes = await Promise.allSettled(attempts)
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const [index, attempt] of attempts.entries()) {
    if (outcomes[index]?.status === 'fulfilled') continue
    t.match((await refusal(attempt)).is, /^(?:invalid_argument|not_found)$/)
  }
  const [users] = await m.sql`
    select count(*)::integer as users, count(distinct k.id)::integer as keys
    from users u join personal_api_keys k on k.user_id = u.id
    where lower(u.email) = 'ann@example.com'`
  t.same(users, { users: 1, keys: 1 })
})

t.test('an invite withdrawn while it is being accepted makes nobody', async (t) => {
  const m = await setUp(t)
  const { id, token } = await m.invite('ann@example.com')
  let accepted: Promise<unknown> = Promise.resolve()
  await m.sql.begin(async (tx) => {
    await tx`delete from invites where id = ${id}`
    accepted = refusal(m.accept(token))
    // The acceptance has found the invite, and waits for our transaction.
    await waitForLock(m)
  })
  t.match(await accepted, { is: 'not_found' })
  const [left] = await m.sql`
    select count(*)::integer as users from users where email = 'ann@example.com'`
  t.same(left, { users: 0 })
})

t.test('an acceptance is in the audit log, without a secret', async (t) => {
  const m = await setUp(t)
  const { id, token } = await m.invite('ann@example.com')
  const made = await m.accept(token)
  const entries = await m.sql`
    select activity, user_id, organization_id, item_name, changes from audit_log
    where scope = 'Invite' and item_id = ${id} order by created_at, id`
  t.match(entries, [
    { activity: 'created' },
    {
      activity: 'accepted',
      user_id: null,
      organization_id: m.owner.organizationId,
      item_name: 'ann@example.com',
    },
  ])
  const kept = JSON.stringify(entries)
  for (const secret of [PASSWORD, token, made.personal_api_key ?? '']) t.notMatch(kept, secret)
})

t.test('active members are told of a new one, where the organization wants it', async (t) => {
  const m = await setUp(t, { mail: { publicUrl: 'https://sluice.example' } })
  const { organizationId } = m.owner
  await makeUser(m.sql, 'outsider@example.com')
  await makeUser(m.sql, 'member@example.com', { organizationId })
  const gone = await makeUser(m.sql, 'inactive@example.com', { organizationId })
  await m.sql`update users set is_active = false where id = ${gone.userId}`
  const told = async () => {
    const rows = await m.sql<{ recipient: string; subject: string }[]>`
      select recipient, subject from mail_outbox where subject like '% joined %'
      order by recipient`
    return rows
  }
  await m.accept((await m.invite('ann@example.com')).token, { first_name: 'Ann\u2028Bcc: x' })
  const subject = 'Ann Bcc: x joined Default Organization on Sluice'
  t.same(await told(), [
    { recipient: 'member@example.com', subject },
    { recipient: 'owner@example.com', subject },
  ])
  await m.sql`delete from mail_outbox`
  await m.sql`update organizations set is_member_join_email_enabled = false`
  await m.accept((await m.invite('bob@example.com')).token)
  t.same(await told(), [])
})

t.test('without mail nobody is told', async (t) => {
  const m = await setUp(t)
  await m.accept((await m.invite('ann@example.com')).token)
  t.same(await m.sql`select id from mail_outbox`, [])
})

/** Resolves once a statement waits for another's transaction. */
async function waitForLock({ sql }: ManagementUnderTest): Promise<void> {
  for (let looks = 0; looks < 10_000; looks++) {
    const [row] = await sql<{ waits: boolean }[]>`
      select exists (
        select from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock'
      ) as waits`
    if (row?.waits === true) return
  }
  throw new Error('nothing waits for a lock')
}
