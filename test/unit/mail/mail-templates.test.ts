import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import t from 'tap'
import {
  confirmMail,
  disabledMail,
  inviteMail,
  joinMail,
} from '../../../src/mail/mail-templates.ts'
import { composeMail } from '../../../src/mail/smtp-mailer.ts'
import { FORMATS } from '../../../src/wire/validation/formats.ts'
import { codePoint } from '../../support/code-points.ts'
import { readMail } from '../../support/servers/mail-server.ts'

const LINK = 'https://sluice.example/signup/5b1c6f0e6c0c4f0e9d8b2d1f6a0c9e115b1c6f0e6c0'
const INVITER = { firstName: 'Ada', email: 'ada@example.com' }
const FACTS = {
  inviter: INVITER,
  organization: 'Analytical',
  firstName: '',
  message: null,
  link: LINK,
}

/** Characters that end a line, or may. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u
const FROM = 'sluice@example.com'
const HEADERS = ['from', 'to', 'reply-to', 'subject', 'auto-submitted', 'message-id', 'date']
  .concat(['content-type', 'content-transfer-encoding', 'mime-version'])
  .sort()

/** Everything that some program somewhere takes for the end of a line, and what headers use. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom('\r\n', '\n', '\r', '\v', '\f', '\0', '\u0085', '\u2028', '\u2029'),
      fc.constantFrom('Bcc: evil@example.com', '\r\n.\r\n', 'MAIL FROM:<a@b.c>', '=?utf-8?Q?=0A?='),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

t.test('an invite says who invites whom to what, and where to go', async (t) => {
  const { subject, body } = inviteMail({ ...FACTS, firstName: 'Bob', message: 'See you\n\nthere' })
  t.equal(subject, 'Ada invites you to join Analytical on Sluice')
  t.match(body, 'Hello Bob,\n\nAda (ada@example.com) invites you to join Analytical on Sluice.\n')
  t.match(body, '\n> See you\n>\n> there\n\n')
  t.ok(body.split('\n').includes(LINK), 'the link has a line of its own')
  const plain = inviteMail({ ...FACTS, inviter: { firstName: ' ', email: 'ada@example.com' } })
  t.equal(plain.subject, 'ada@example.com invites you to join Analytical on Sluice')
  t.match(plain.body, /^Hello,\n\nada@example\.com invites you/)
  t.notMatch(plain.body, '> ')
})

t.test('a mail that confirms an address has the link on a line of its own', async (t) => {
  const { subject, body } = confirmMail({ link: LINK })
  t.equal(subject, 'Confirm your email address on Sluice')
  t.ok(body.split('\n').includes(LINK))
})

t.test('a join says who is a member now', async (t) => {
  const { subject, body } = joinMail({ joined: INVITER, organization: 'Analytical' })
  t.equal(subject, 'Ada joined Analytical on Sluice')
  t.match(body, 'Ada (ada@example.com) accepted an invite and is now a member of Analytical.')
})

t.test('a disabled plugin is told by its name and its place, in lines of ours', async (t) => {
  const facts = { plugin: 'Exporter', project: 'Web', organization: 'Analytical' }
  const { subject, body } = disabledMail(facts)
  t.equal(subject, 'Exporter was disabled in Web on Sluice')
  t.match(body, 'The plugin Exporter failed and was disabled in the project Web of Analytical.\n')
  const lines = body.split('\n').length
  fc.assert(
    fc.property(hostile, hostile, hostile, (plugin, project, organization) => {
      const mail = disabledMail({ plugin, project, organization })
      return !CONTROL.test(mail.subject) && mail.body.split('\n').length === lines
    }),
  )
})

t.test('no name makes a line of its own', async (t) => {
  const lines = inviteMail(FACTS).body.split('\n')
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, organization, firstName) => {
      const inviter = { firstName: name, email: 'ada@example.com' }
      const { subject, body } = inviteMail({ ...FACTS, inviter, organization, firstName })
      const texts = [subject, ...body.split('\n')]
      return texts.length === lines.length + 1 && !texts.some((text) => CONTROL.test(text))
    }),
  )
  t.pass('in the subject and in the text')
})

t.test("every line of a message is marked as its sender's", async (t) => {
  const own = new Set(inviteMail(FACTS).body.split('\n'))
  fc.assert(
    fc.property(hostile, (message) => {
      const lines = inviteMail({ ...FACTS, message }).body.split('\n')
      const added = lines.filter((line) => !own.has(line))
      return added.every((line) => /^>(?: |$)/.test(line) && !CONTROL.test(line))
    }),
  )
  t.pass('however its lines end')
})

/** Addresses that pass for one, odd ones too: quoted local parts may hold nearly everything. */
const address = fc
  .oneof(
    fc.emailAddress(),
    hostile.map((text) => `"${text}"@example.org`),
    fc.constantFrom('"a, b@example.com"@example.org', '"<x>, "@example.org', 'a@[127.0.0.1]'),
  )
  .filter((text) => FORMATS['email']?.(text) === undefined)

t.test('no text of a mail makes a header, a recipient or a second mail', async (t) => {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const id = '018f3d6c-7e2a-7c11-8e62-3f5b0a9d4c21'
  await fc.assert(
    fc.asyncProperty(
      hostile,
      hostile,
      address,
      address,
      async (subject, body, recipient, replyTo) => {
        const texts = { subject: `Re ${subject}`, body: `Dear ${body}` }
        const mail = composeMail({ id, recipient, replyTo, ...texts }, FROM)
        const sent = await composer.sendMail(mail)
        const raw = Buffer.isBuffer(sent.message) ? sent.message.toString('utf8') : ''
        const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
        const names = readMail(raw).headers.map(([name]) => name)
        const { from, to } = sent.envelope
        return (
          isDeepStrictEqual(names.toSorted(), HEADERS) &&
          from === FROM &&
          isDeepStrictEqual(to.map(domainOf), [domainOf(recipient)]) &&
          !CONTROL.test(head.replaceAll('\r\n', ''))
        )
      },
    ),
  )
  t.pass('nor does an address')
})

t.test('a mail has one recipient, and reads no file and no URL', async (t) => {
  const composer = createTransport({ streamTransport: true, buffer: true })
  const texts = { subject: 's', body: 'b' }
  const id = '018f3d6c-7e2a-7c11-8e62-3f5b0a9d4c21'
  const two = 'ann@example.com, <evil@example.com>'
  const listed = await composer.sendMail(
    composeMail({ id, recipient: two, replyTo: null, ...texts }, FROM),
  )
  t.ok(listed.envelope.to.length <= 1, 'a list is no address')
  t.notOk(listed.envelope.to.includes('evil@example.com'))
  const one = composeMail({ id, recipient: 'ann@example.com', replyTo: two, ...texts }, FROM)
  t.same(one.replyTo, { name: '', address: two }, 'not parsed as a list')
  for (const text of [{ path: '/etc/hostname' }, { href: 'http://127.0.0.1:9/' }]) {
    const reading = composer.sendMail({ ...one, replyTo: FROM, text })
    await t.rejects(reading, { code: /^(?:EFILEACCESS|EURLACCESS)$/ })
  }
})

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}
