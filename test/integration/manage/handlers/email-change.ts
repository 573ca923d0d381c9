import t, { type Test } from 'tap'
import type { CreatedUser } from '../../../../src/access/create-user.ts'
import { keyDigest, randomText } from '../../../../src/access/keys.ts'
import { EMAIL_TOKEN_HOURS } from '../../../../src/core/limits/limits.ts'
import { EMAIL_CHANGES_PER_DAY_MAX } from '../../../../src/manage/people/email-change.ts'
import type { ManagementSettings } from '../../../../src/manage/settings.ts'
import {
  as,
  makeUser,
  meFields,
  OPERATOR_TOKEN,
  refusal,
  startManagement,
} from '../../../support/api/management.ts'

const MAIL = { mail: { publicUrl: 'https://sluice.example' } }
const TOKEN = /\/verify_email\/([0-9A-Za-z]{43})\n/
const INVALID = { is: 'invalid_argument', code: 'invalid_input', attr: 'token' }

async function setUp(t: Test, settings: Partial<ManagementSettings> = MAIL) {
  const m = await startManagement(t, undefined, settings)
  const { sql } = m
  return {
    ...m,
    ann: await makeUser(sql, 'ann@example.com'),
    rename: (user: CreatedUser, email: string) =>
      m.users.UpdateMe({ ...meFields(), email }, as(user.personalApiKey)),
    me: (user: CreatedUser) => m.users.GetMe({}, as(user.personalApiKey)),
    verify: (token: string) => m.users.VerifyEmail({ token }, as(undefined)),
    byOperator: (user: CreatedUser, email = '') =>
      m.admin.ConfirmEmail({ user: String(user.userId), email }, as(OPERATOR_TOKEN)),
    outbox: async () =>
      await sql<{ recipient: string; body: string; subject: string }[]>`
        select recipient, subject, body from mail_outbox order by id`,
    async tokenTo(email: string) {
      const [mail] = await sql<{ body: string }[]>`
        select body from mail_outbox where recipient = ${email} order by id desc limit 1`
      return TOKEN.exec(mail?.body ?? '')?.[1] ?? ''
    },
  }
}

t.test('another address is the user’s once it is confirmed by what was sent there', async (t) => {
  const m = await setUp(t)
  const { ann, sql } = m
  const asked = await m.rename(ann, 'Anna@example.com')
  const pending = { email: 'ann@example.com', pending_email: 'Anna@example.com' }
  t.match(asked, { ...pending, is_email_verified: true })
  const [mail, ...others] = await m.outbox()
  t.match(mail, { recipient: 'Anna@example.com', subject: 'Confirm your email address on Sluice' })
  t.same(others, [])
  const token = await m.tokenTo('Anna@example.com')
  const [stored] = await sql`
    select pending_email_sha256 as digest from users where id = ${ann.userId}`
  t.same(stored, { digest: keyDigest(token) })
  for (const wrong of [randomText(), token.toLowerCase(), 'x', `${token}'`]) {
    t.match(await refusal(m.verify(wrong)), INVALID)
  }
  t.match(await refusal(m.users.VerifyEmail({}, as(undefined))), { code: 'required' })
  t.match(await m.verify(token), { email: 'Anna@example.com' })
  const confirmed = await m.me(ann)
  t.match(confirmed, { email: 'Anna@example.com', is_email_verified: true })
  t.notOk('pending_email' in confirmed)
  t.match(await refusal(m.verify(token)), INVALID, 'once only')
  const entries = await sql`
    select activity, user_id, changes from audit_log where scope = 'User' order by created_at, id`
  t.match(entries, [
    { activity: 'email_asked', user_id: ann.userId },
    { activity: 'updated', user_id: ann.userId, changes: [] },
    { activity: 'email_confirmed', user_id: null },
  ])
  t.notMatch(JSON.stringify(entries), token)
})

t.test('nobody gets what was sent to an address that they only ask for', async (t) => {
  const m = await setUp(t)
  const invites = m.services['sluice.v1.InviteService']
  const signup = m.services['sluice.v1.SignupService']
  const invite = await invites.CreateInvite(
    {
      parent_lookup_organization_id: m.owner.organizationId,
      target_email: 'victim@example.com',
      null_fields: [],
    },
    as(m.owner.personalApiKey),
  )
  await m.rename(m.ann, 'victim@example.com')
  for (const secret of [invite.id, invite.token]) {
    const accepted = signup.AcceptInvite({ invite_id: secret ?? '' }, as(m.ann.personalApiKey))
    t.match((await refusal(accepted)).is, /^(?:not_found|invalid_argument)$/)
  }
  t.equal((await m.me(m.ann)).email, 'ann@example.com')
  t.match(await makeUser(m.sql, 'victim@example.com'), { userUuid: /./ }, 'nor is it taken')
})

t.test('a newer wish, the own address and time make a token void', async (t) => {
  const m = await setUp(t)
  const { ann } = m
  await m.rename(ann, 'one@example.com')
  const one = await m.tokenTo('one@example.com')
  await m.rename(ann, 'two@example.com')
  t.match(await refusal(m.verify(one)), INVALID)
  const two = await m.tokenTo('two@example.com')
  t.notOk('pending_email' in (await m.rename(ann, 'Ann@example.com')))
  t.match(await refusal(m.verify(two)), INVALID)
  await m.rename(ann, 'three@example.com')
  const three = await m.tokenTo('three@example.com')
  await m.sql`update users set is_active = false where id = ${ann.userId}`
  t.match(await refusal(m.verify(three)), INVALID)
  await m.sql`
    update users set is_active = true,
      pending_email_at = now() - make_interval(hours => ${EMAIL_TOKEN_HOURS}, secs => 1)
    where id = ${ann.userId}`
  t.match(await refusal(m.verify(three)), INVALID)
  t.match(await m.me(ann), { email: 'Ann@example.com', is_email_verified: true })
})

t.test('an own address that is not confirmed is confirmed in the same way', async (t) => {
  const m = await setUp(t)
  await m.sql`update users set confirmed_email = null where id = ${m.ann.userId}`
  const asked = await m.rename(m.ann, 'ann@example.com')
  t.match(asked, { is_email_verified: false, pending_email: 'ann@example.com' })
  await m.verify(await m.tokenTo('ann@example.com'))
  t.match(await m.me(m.ann), { email: 'ann@example.com', is_email_verified: true })
})

t.test('the address of another is refused, when it is asked for and when confirmed', async (t) => {
  const m = await setUp(t)
  const taken = { is: 'invalid_argument', code: 'unique', attr: 'email' }
  t.match(await refusal(m.rename(m.ann, 'OWNER@example.com')), taken)
  t.same(await m.outbox(), [])
  const users = [m.ann, await makeUser(m.sql, 'bob@example.com')]
  const tokens: string[] = []
  for (const user of users) {
    await m.rename(user, 'shared@example.com')
    tokens.push(await m.tokenTo('shared@example.com'))
  }
  const outcomes = await Promise.allSettled(tokens.map((token) => m.verify(token)))
  t.same(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const lost = outcomes.find((outcome) => outcome.status === 'rejected')
  t.match(await refusal(Promise.reject(lost?.reason)), taken)
})

t.test('without mail the operator confirms an address, and nobody else', async (t) => {
  const m = await setUp(t, { mail: undefined })
  const asked = await m.rename(m.ann, 'anna@example.com')
  t.match(asked, { email: 'ann@example.com', pending_email: 'anna@example.com' })
  t.same(await m.outbox(), [])
  for (const guess of ['', randomText()]) t.match((await refusal(m.verify(guess))).attr, 'token')
  const shown = await m.byOperator(m.ann)
  t.match(shown, { email: 'anna@example.com', is_email_verified: true })
  t.notOk('pending_email' in shown)
  t.match(await m.byOperator(m.ann, 'ann@example.org'), { email: 'ann@example.org' })
  t.match(await refusal(m.byOperator(m.ann, 'OWNER@example.com')), { code: 'unique' })
  t.match(await refusal(m.byOperator(m.ann, 'x')), { code: 'invalid_input', attr: 'email' })
})

t.test('a user has so many mails a day sent to addresses, in our words', async (t) => {
  const m = await setUp(t)
  await m.sql`update users set first_name = 'Buy pills' where id = ${m.ann.userId}`
  for (let at = 0; at < EMAIL_CHANGES_PER_DAY_MAX; at++) {
    await m.rename(m.ann, `at-${at}@example.com`)
  }
  const refused = await refusal(m.rename(m.ann, 'more@example.com'))
  t.match(refused, { is: 'resource_exhausted', code: 'throttled' })
  const mails = await m.outbox()
  t.equal(mails.length, EMAIL_CHANGES_PER_DAY_MAX)
  t.notMatch(JSON.stringify(mails), 'Buy pills')
  t.equal((await m.me(m.ann)).pending_email, `at-${EMAIL_CHANGES_PER_DAY_MAX - 1}@example.com`)
})
