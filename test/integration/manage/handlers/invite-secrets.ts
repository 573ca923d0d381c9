import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { keyDigest } from '../../../../src/access/keys.ts'
import type { ManagementSettings } from '../../../../src/manage/settings.ts'
import { as, makeKey, makeUser, refusal, startManagement } from '../../../support/api/management.ts'

const ANYBODY = as(undefined)
const PAGE = { limit: 0, offset: 0 }
const MAIL = { mail: { publicUrl: 'https://sluice.example' } }
const TOKEN = /\/signup\/([0-9A-Za-z]{43})\n/

type Inviter = { readonly organizationId: string; readonly personalApiKey: string }

async function setUp(t: Test, settings: Partial<ManagementSettings> = {}) {
  const m = await startManagement(t, undefined, settings)
  const invites = m.services['sluice.v1.InviteService']
  const signup = m.services['sluice.v1.SignupService']
  const bulk = (count: number, by: Inviter = m.owner) =>
    invites.BulkCreateInvites(
      {
        parent_lookup_organization_id: by.organizationId,
        invites: Array.from({ length: count }, (_, at) => ({
          target_email: `to-${at}@example.com`,
          null_fields: [],
        })),
      },
      as(by.personalApiKey),
    )
  return {
    ...m,
    bulk,
    list: (by: Inviter = m.owner) =>
      invites.ListInvites(
        { parent_lookup_organization_id: by.organizationId, ...PAGE },
        as(by.personalApiKey),
      ),
    async invite(email: string, by: Inviter = m.owner, fields: object = {}) {
      const place = { parent_lookup_organization_id: by.organizationId }
      const wanted = { target_email: email, null_fields: [], ...fields }
      const made = await invites.CreateInvite({ ...place, ...wanted }, as(by.personalApiKey))
      return { id: made.id ?? '', token: made.token ?? '' }
    },
    /** The last mail to an address, with the token that it has. */
    async mailTo(email: string) {
      const [mail] = await m.sql<{ subject: string; body: string }[]>`
        select subject, body from mail_outbox where recipient = ${email} order by id desc limit 1`
      const { subject = '', body = '' } = mail ?? {}
      return { subject, body, token: TOKEN.exec(body)?.[1] ?? '' }
    },
    accept: (secret: string, key?: string) =>
      signup.AcceptInvite(
        key === undefined
          ? { invite_id: secret, first_name: 'Ann', password: 'correct horse' }
          : { invite_id: secret },
        key === undefined ? ANYBODY : as(key),
      ),
    show: (secret: string, key?: string) => signup.GetSignup({ invite_id: secret }, as(key)),
  }
}

t.test('the secret of an invite is shown once, and stored as a digest', async (t) => {
  const m = await setUp(t, MAIL)
  const { id, token } = await m.invite('ann@example.com')
  const mailed = (await m.mailTo('ann@example.com')).token
  t.match(token, /^[0-9A-Za-z]{43}$/)
  t.match(mailed, /^[0-9A-Za-z]{43}$/)
  t.not(mailed, token)
  const [stored] = await m.sql`
    select token_sha256 as shown, mail_token_sha256 as mailed from invites where id = ${id}`
  t.same(stored, { shown: keyDigest(token), mailed: keyDigest(mailed) })
  t.notOk('token' in ((await m.list()).results?.[0] ?? {}), 'no list has it')
  await m.accept(mailed)
  const kept = JSON.stringify(await m.sql`select * from audit_log`)
  for (const secret of [token, mailed]) t.notMatch(kept, secret)
})

t.test('a key that reads an organization joins by nothing that it reads', async (t) => {
  const m = await setUp(t, MAIL)
  const { organizationId } = m.owner
  const { id } = await m.invite('ann@example.com')
  const reader = await makeKey(m.sql, m.owner, {
    scopes: ['organization:read', 'organization_member:read'],
  })
  const activity = await m.activity.ListOrganizationActivity(
    { organization_id: organizationId, ...PAGE },
    as(reader),
  )
  const read = JSON.stringify([activity, await m.list({ ...m.owner, personalApiKey: reader })])
  t.match(read, id, 'the id is no secret')
  const words = new Set(read.match(/[0-9A-Za-z-]{20,}/g))
  const thief = await makeUser(m.sql, 'thief@example.com')
  for (const word of words) {
    t.match(await refusal(m.show(word)), { is: 'not_found' })
    t.match(await refusal(m.accept(word)), { is: 'not_found' })
    t.match(await refusal(m.accept(word, thief.personalApiKey)), { is: 'not_found' })
  }
})

t.test('an invite is accepted by its id only with its address, confirmed', async (t) => {
  const m = await setUp(t)
  const ann = await makeUser(m.sql, 'Ann@example.com')
  const bob = await makeUser(m.sql, 'bob@example.com')
  // As an older release made it: without a token.
  const id = randomUUID()
  await m.sql`
    insert into invites (id, organization_id, target_email)
    values (${id}, ${m.owner.organizationId}, 'ann@example.com')`
  const refused = async (key?: string) => {
    t.match(await refusal(m.show(id, key)), { is: 'not_found' })
    t.match(await refusal(m.accept(id, key)), { is: 'not_found' })
  }
  await refused()
  await refused(bob.personalApiKey)
  await refused(await makeKey(m.sql, ann, { scopes: ['user:read'] }))
  await m.sql`update users set confirmed_email = null where id = ${ann.userId}`
  await refused(ann.personalApiKey)
  // The confirmed address is not the address any more.
  await m.sql`update users set confirmed_email = 'old@example.com' where id = ${ann.userId}`
  await refused(ann.personalApiKey)
  await m.sql`update users set confirmed_email = 'ann@EXAMPLE.com' where id = ${ann.userId}`
  t.match(await m.show(id, ann.personalApiKey), { id, target_email: 'ann@example.com' })
  t.match(await m.accept(id, ann.personalApiKey), { organization_id: m.owner.organizationId })
})

t.test('a user who signs up under the address of another inherits no invite to it', async (t) => {
  const m = await setUp(t, MAIL)
  const other = await makeUser(m.sql, 'other@example.com')
  const victims = await m.invite('victim@example.com')
  const own = await m.invite('victim@example.com', other)
  const squatter = await m.accept(own.token)
  const key = squatter.personal_api_key ?? ''
  t.match(squatter, { email: 'victim@example.com', organization_id: other.organizationId })
  t.match(await refusal(m.accept(victims.id, key)), { is: 'not_found' })
  t.match((await m.list()).results, [{ id: victims.id }], 'the invite of the others stays')
})

t.test('the token that came by mail confirms the address, the other does not', async (t) => {
  const m = await setUp(t, MAIL)
  const isConfirmed = async (email: string) => {
    const [user] = await m.sql`
      select confirmed_email = email as confirmed from users where email = ${email}`
    return user?.['confirmed'] === true
  }
  const shown = await m.invite('ann@example.com')
  await m.accept(shown.token)
  t.notOk(await isConfirmed('ann@example.com'))
  await m.invite('bob@example.com')
  const bob = await m.accept((await m.mailTo('bob@example.com')).token)
  t.ok(await isConfirmed('bob@example.com'))
  await m.sql`update users set confirmed_email = null`
  const other = await makeUser(m.sql, 'other@example.com')
  await m.invite('bob@example.com', other)
  await m.accept((await m.mailTo('bob@example.com')).token, bob.personal_api_key)
  t.ok(await isConfirmed('bob@example.com'), 'of an account that was there too')
})

t.test('the text of a plain member is not in the mail', async (t) => {
  const m = await setUp(t, MAIL)
  const { organizationId } = m.owner
  const admin = await makeUser(m.sql, 'admin@example.com', { organizationId, level: 8 })
  const member = await makeUser(m.sql, 'member@example.com', { organizationId })
  await m.sql`update users set first_name = 'Visit Shop'`
  const words = { first_name: 'Buy pills', message: 'at https://evil.example' }
  await m.invite('ann@example.com', member, words)
  const plain = await m.mailTo('ann@example.com')
  t.equal(plain.subject, 'member@example.com invites you to join Default Organization on Sluice')
  t.notMatch(plain.body, /Buy pills|evil|Visit Shop/)
  await m.invite('bob@example.com', admin, words)
  const free = await m.mailTo('bob@example.com')
  t.match(free.body, 'Hello Buy pills,')
  t.match(free.body, '> at https://evil.example\n')
  t.match((await m.list()).results, [words, words], 'the list has them')
})

t.test('an organization, and a user, send so many invites a day and no more', async (t) => {
  const m = await setUp(t, { ...MAIL, invitesPerDay: 5 })
  const { organizationId } = m.owner
  const member = await makeUser(m.sql, 'member@example.com', { organizationId })
  t.match(await refusal(m.bulk(6)), { is: 'resource_exhausted' }, 'not even at once')
  await m.bulk(4)
  t.match(await refusal(m.bulk(2, member)), { is: 'resource_exhausted', code: 'throttled' })
  await m.bulk(1, member)
  const { sql } = m
  await sql`delete from invites`
  t.match(await refusal(m.invite('ann@example.com')), { code: 'throttled' }, 'deleted ones count')
  const [mails] = await sql`select count(*)::integer as count from mail_outbox`
  t.same(mails, { count: 5 })
  const home = await makeUser(sql, 'home@example.com')
  await m.bulk(5, home)
  const made = await m.organizations.CreateOrganization({ name: 'B' }, as(home.personalApiKey))
  const second = { ...home, organizationId: String(made.id) }
  t.match(
    await refusal(m.bulk(1, second)),
    { code: 'throttled' },
    'another organization is no help',
  )
  await sql`update daily_counts set day = day - 1`
  await m.bulk(5)
})

t.test('simultaneous calls are taken up to the bound of the day', async (t) => {
  const m = await setUp(t, { invitesPerDay: 3 })
  const calls = Array.from({ length: 8 }, (_, at) => m.invite(`at-${at}@example.com`))
  const outcomes = await Promise.allSettled(calls)
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)
  t.equal((await m.list()).count, 3)
})
