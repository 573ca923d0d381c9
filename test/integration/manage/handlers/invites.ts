import { randomUUID } from 'node:crypto'
import t from 'tap'
import { INVITE_DAYS } from '../../../../src/core/limits/limits.ts'
import type { Sql } from '../../../../src/postgres/connect.ts'
import { as, makeKey, makeUser, refusal, startManagement } from '../../../support/api/management.ts'

const INVITES = 'sluice.v1.InviteService'
const PAGE = { limit: 0, offset: 0 }
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

t.test('invites', async (t) => {
  const m = await startManagement(t)
  const { sql, owner } = m
  const invites = m.services[INVITES]
  const { organizationId } = owner
  const ownerKey = owner.personalApiKey
  const member = await makeUser(sql, 'Member@Example.com', { organizationId })
  const outsider = await makeUser(sql, 'outsider@example.com')
  const parent = { parent_lookup_organization_id: organizationId }
  const create = (fields: object, key = ownerKey) =>
    invites.CreateInvite({ ...parent, null_fields: [], ...fields }, as(key))
  const bulk = (items: readonly object[], key = ownerKey) =>
    invites.BulkCreateInvites(
      { ...parent, invites: items.map((item) => ({ null_fields: [], ...item })) },
      as(key),
    )
  const list = (page: object = {}, key = ownerKey) =>
    invites.ListInvites({ ...parent, ...PAGE, ...page }, as(key))
  const remove = (id: string, key = ownerKey) => invites.DeleteInvite({ ...parent, id }, as(key))

  t.test('a plain member invites, and every field is there', async (t) => {
    const made = await create({ target_email: ' New@Example.com ' }, member.personalApiKey)
    t.match(made, {
      target_email: 'New@Example.com',
      first_name: '',
      emailing_attempt_made: false,
      is_expired: false,
      created_by: { id: member.userId, uuid: member.userUuid, email: 'Member@Example.com' },
    })
    t.match(made.token, /^[0-9A-Za-z]{43}$/, 'the secret is shown here')
    t.match(made.created_at, MOMENT)
    t.equal(made.updated_at, made.created_at, 'no mail, so nothing has moved')
    t.notOk('message' in made, 'null travels as an unset field')
    t.same(await outbox(sql), [])
  })

  t.test('an address has one invite, whoever asks at one time and in whatever case', async (t) => {
    const emails = ['ina@example.com', 'INA@example.com', 'Ina@Example.com', 'ina@EXAMPLE.com']
    const made = await Promise.all(emails.map((target_email) => create({ target_email })))
    const standing = async () =>
      (await list()).results?.filter((each) => /^ina@example/i.test(each.target_email ?? ''))
    t.equal((await standing())?.length, 1)
    const again = await bulk(
      ['Ina@Example.com', 'ina@example.com'].map((to) => ({ target_email: to })),
    )
    t.equal(again.results?.length, 2)
    t.match(await standing(), [{ id: again.results?.[1]?.id }])
    t.equal((await standing())?.length, 1)
    const logged = await sql<{ activity: string }[]>`
      select activity from audit_log
      where scope = 'Invite' and item_id = any(${made.map(({ id }) => id ?? '')})`
    t.equal(logged.filter(({ activity }) => activity === 'deleted').length, made.length)
  })

  t.test('fields are checked, null and blank told apart', async (t) => {
    const refused = (fields: object) => refusal(create(fields))
    const email = { target_email: 'x@example.com' }
    t.match(await refused({}), { code: 'required', attr: 'target_email' })
    const nothing = { null_fields: ['target_email'] }
    t.match(await refused(nothing), { code: 'null', attr: 'target_email' })
    t.match(await refused({ target_email: ' ' }), { code: 'blank', attr: 'target_email' })
    for (const bad of ['x', 'x@', 'a@b@c', 'a b@example.com', 'a@example.com\r\nBcc: b@c.org']) {
      t.match(await refused({ target_email: bad }), { code: 'invalid_input', attr: 'target_email' })
    }
    const long = `${'x'.repeat(243)}@example.com`
    t.match(await refused({ target_email: long }), { code: 'max_length', attr: 'target_email' })
    const name = { ...email, first_name: 'x'.repeat(31) }
    t.match(await refused(name), { code: 'max_length', attr: 'first_name' })
    const message = { ...email, message: 'x'.repeat(5_001) }
    t.match(await refused(message), { code: 'max_length', attr: 'message' })
    const blank = await create({ ...email, first_name: '', message: '' })
    t.match(blank, { first_name: '', message: '' })
  })

  t.test(
    'a member is not invited again, in whatever case; anyone else any number of times',
    async (t) => {
      const refused = await refusal(create({ target_email: 'mEMBER@eXAMPLE.com' }))
      t.match(refused, { is: 'invalid_argument', code: 'invalid_input', attr: null })
      const foreign = { target_email: 'outsider@example.com' }
      const [one, two] = [await create(foreign), await create(foreign)]
      t.not(one.id, two.id)
    },
  )

  t.test('the list is the newest first, in pages, with expired ones', async (t) => {
    const old = await create({ target_email: 'old@example.com' })
    await age(sql, old.id, `${INVITE_DAYS} days 1 second`)
    const fresh = await create({ target_email: 'fresh@example.com' })
    await age(sql, fresh.id, `${INVITE_DAYS - 1} days 23 hours 59 minutes`)
    const last = await create({ target_email: 'last@example.com' })
    const all = await list()
    const results = all.results ?? []
    t.equal(all.count, results.length)
    t.equal(results[0]?.id, last.id)
    t.match(results.slice(-2), [
      { id: fresh.id, is_expired: false },
      { id: old.id, is_expired: true },
    ])
    const second = await list({ limit: 1, offset: 1 })
    t.match(second, { count: all.count, results: [{ id: results[1]?.id }] })
    t.equal(second.results?.length, 1)
    t.match(await list({ offset: 999 }), { count: all.count, results: [] })
  })

  t.test('a bulk is all or nothing, in its order', async (t) => {
    const before = (await list()).count
    const emails = ['b@example.com', 'a@example.com', 'b@example.com']
    const made = await bulk(emails.map((target_email) => ({ target_email, message: 'Hi' })))
    const found = (made.results ?? []).map(({ target_email: email }) => email)
    t.same(found, emails)
    t.equal((await list()).count, Number(before) + 2, 'the last of an address stands')
    t.same(await bulk([]), { results: [] })
    const bad = [
      { target_email: 'c@example.com' },
      { target_email: 'c@example.com', first_name: 'x'.repeat(31) },
    ]
    t.match(await refusal(bulk(bad)), { code: 'max_length', attr: 'invites__1__first_name' })
    const withMember = [{ target_email: 'c@example.com' }, { target_email: 'MEMBER@example.com' }]
    t.match(await refusal(bulk(withMember)), { code: 'invalid_input', attr: null })
    const many = Array.from({ length: 21 }, (_, at) => ({ target_email: `n${at}@example.com` }))
    t.match(await refusal(bulk(many)), { code: 'max_length' })
    t.equal((await list()).count, Number(before) + 2, 'none of those left anything')
    t.equal((await bulk(many.slice(1))).results?.length, 20)
  })

  t.test('a deleted invite is gone; an unknown, foreign or malformed one is 404', async (t) => {
    const { id = '' } = await create({ target_email: 'gone@example.com' })
    for (const other of [randomUUID(), 'x', '', `${id}0`, '@current']) {
      t.match(await refusal(remove(other)), { is: 'not_found', detail: 'Not found.' })
    }
    const foreign = { parent_lookup_organization_id: outsider.organizationId, id }
    const key = outsider.personalApiKey
    t.match(await refusal(invites.DeleteInvite(foreign, as(key))), { is: 'not_found' })
    t.same(await remove(id.toUpperCase(), member.personalApiKey), {})
    t.match(await refusal(remove(id)), { is: 'not_found' })
  })

  t.test('outsiders and keys without the scope are refused', async (t) => {
    const key = outsider.personalApiKey
    const reader = await makeKey(sql, { ...owner }, { scopes: ['organization_member:read'] })
    const item = { target_email: 'z@example.com' }
    for (const refused of [
      refusal(list({}, key)),
      refusal(create(item, key)),
      refusal(bulk([item], key)),
      refusal(remove(randomUUID(), key)),
      refusal(create(item, reader)),
      refusal(bulk([item], reader)),
      refusal(remove(randomUUID(), reader)),
    ]) {
      t.match(await refused, { is: 'permission_denied', code: 'permission_denied' })
    }
    t.ok(Number((await list({}, reader)).count) > 0)
    t.match(
      await invites.ListInvites({ ...PAGE, parent_lookup_organization_id: '@current' }, as(key)),
      {
        count: 0,
      },
    )
  })

  t.test('the inviter is null once that user is gone', async (t) => {
    const leaver = await makeUser(sql, 'leaver@example.com', { organizationId })
    const made = await create({ target_email: 'stays@example.com' }, leaver.personalApiKey)
    await sql`delete from users where id = ${leaver.userId}`
    const [found] = ((await list()).results ?? []).filter(({ id }) => id === made.id)
    t.notOk('created_by' in (found ?? {}))
    await remove(made.id ?? '')
  })

  t.test('creation and deletion are in the audit log', async (t) => {
    const made = await create({ target_email: 'audited@example.com' }, member.personalApiKey)
    await remove(made.id ?? '')
    const entries = await sql<{ activity: string; user: number; name: string; changes: unknown }[]>`
      select activity, user_id as user, item_name as name, changes from audit_log
      where scope = 'Invite' and item_id = ${made.id ?? ''} and organization_id = ${organizationId}
      order by created_at`
    t.match(entries, [
      { activity: 'created', user: member.userId, name: 'audited@example.com' },
      { activity: 'deleted', user: owner.userId, name: 'audited@example.com' },
    ])
    t.match(JSON.stringify(entries[0]?.changes), /"target_email"/)
  })
})

t.test('invites where mail is set up', async (t) => {
  const mail = { publicUrl: 'https://sluice.example' }
  const m = await startManagement(t, undefined, { mail })
  const { sql, owner } = m
  const invites = m.services[INVITES]
  const parent = { parent_lookup_organization_id: owner.organizationId }
  const context = as(owner.personalApiKey)

  t.test('the mail is in the outbox, and the invite says so', async (t) => {
    await sql`update organizations set name = ${'Ana\r\nBcc: evil@example.com'}`
    const fields = { target_email: 'new@example.com', first_name: 'Ann', message: 'Hi\nthere' }
    const made = await invites.CreateInvite({ ...parent, ...fields, null_fields: [] }, context)
    t.equal(made.emailing_attempt_made, true)
    t.ok((made.updated_at ?? '') > (made.created_at ?? ''), 'moved by the mail')
    const [written, ...others] = await outbox(sql)
    t.same(others, [])
    t.match(written, { recipient: 'new@example.com', replyTo: 'owner@example.com', attempts: 0 })
    t.match(written?.subject, /^owner@example\.com invites you to join Ana Bcc: .+ on Sluice$/)
    t.match(written?.body, /\nhttps:\/\/sluice\.example\/signup\/[0-9A-Za-z]{43}\n/)
    t.match(written?.body, '> Hi\n> there\n')
  })

  t.test('a bulk puts one mail each, and none when it is refused', async (t) => {
    await sql`delete from mail_outbox`
    const items = ['a@example.com', 'b@example.com'].map((target_email) => ({
      target_email,
      null_fields: [],
    }))
    const member = { target_email: 'owner@example.com', null_fields: [] }
    const refused = invites.BulkCreateInvites({ ...parent, invites: [...items, member] }, context)
    t.match(await refusal(refused), { code: 'invalid_input', attr: null })
    t.same(await outbox(sql), [])
    await invites.BulkCreateInvites({ ...parent, invites: items }, context)
    t.match(await outbox(sql), [{ recipient: 'a@example.com' }, { recipient: 'b@example.com' }])
  })
})

function outbox(sql: Sql) {
  return sql<
    { recipient: string; replyTo: string; subject: string; body: string; attempts: number }[]
  >`select recipient, reply_to as "replyTo", subject, body, attempts from mail_outbox order by id`
}

async function age(sql: Sql, id: string | undefined, by: string): Promise<void> {
  await sql`
    update invites set created_at = now() - ${by}::text::interval, updated_at = now()
    where id = ${id ?? ''}`
}
