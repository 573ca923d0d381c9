import { once } from 'node:events'
import t, { type Test } from 'tap'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, systemClock } from '../../../src/core/clock.ts'
import { MAIL_ATTEMPT_MS, MAIL_RETRY_MS } from '../../../src/core/limits/limits.ts'
import { type Fields, type Log, silentLog } from '../../../src/core/log.ts'
import { createOutboxSender, MAIL_ATTEMPTS_MAX } from '../../../src/mail/outbox-sender.ts'
import { createSmtpMailer } from '../../../src/mail/smtp-mailer.ts'
import type { Sql } from '../../../src/postgres/connect.ts'
import { insertMails, takeDueMails } from '../../../src/store/people/mail-outbox-store.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { testDatabase } from '../../support/servers/database.ts'
import { readMail, startMailServer, startSilentServer } from '../../support/servers/mail-server.ts'

const NEVER = new AbortController().signal
const FROM = 'sluice@example.com'

type Warning = { readonly message: string; readonly fields: Fields | undefined }

async function setUp(t: Test, smtpUrl: string, clock: Clock = systemClock) {
  const { sql } = await testDatabase(t)
  const warnings: Warning[] = []
  const outcomes: string[] = []
  const log: Log = { ...silentLog, warn: (message, fields) => warnings.push({ message, fields }) }
  const sender = createOutboxSender({
    db: sql,
    mailer: createSmtpMailer({ clock }, { smtpUrl, from: FROM }),
    log,
    onOutcome: (outcome) => outcomes.push(outcome),
  })
  return { sql, sender, warnings, outcomes }
}

async function put(sql: Sql, ...recipients: string[]): Promise<void> {
  const mail = { replyTo: 'ada@example.com', subject: 'Hello', body: 'A text of its own.\n' }
  await insertMails(
    sql,
    recipients.map((recipient) => ({ id: uuidv7(), recipient, ...mail })),
  )
}

async function makeDue(sql: Sql): Promise<void> {
  await sql`update mail_outbox set next_attempt_at = now()`
}

function rows(sql: Sql) {
  return sql<{ recipient: string; attempts: number; waitS: number }[]>`
    select recipient, attempts, extract(epoch from next_attempt_at - now())::float8 as "waitS"
    from mail_outbox order by id`
}

t.test('a mail is sent once and removed, more than one batch in one go', async (t) => {
  const server = await startMailServer(t)
  const { sql, sender, outcomes, warnings } = await setUp(t, server.url)
  const recipients = Array.from({ length: 11 }, (_, index) => `user-${index}@example.com`)
  await put(sql, ...recipients)
  await sender.sendDue(NEVER)
  const taken = server.received.flatMap(({ to }) => to)
  t.same(taken.toSorted(), recipients.toSorted())
  t.same(await rows(sql), [])
  t.same(
    outcomes,
    recipients.map(() => 'sent'),
  )
  t.same(warnings, [])
  const [first] = server.received
  const { headers, text } = readMail(first?.raw ?? '')
  const value = (name: string) => headers.find((header) => header[0] === name)?.[1]
  t.equal(first?.from, FROM)
  t.equal(value('from'), `Sluice <${FROM}>`)
  t.equal(value('to'), first?.to[0])
  t.equal(value('reply-to'), 'ada@example.com')
  t.equal(value('subject'), 'Hello')
  t.match(value('message-id'), /^<[0-9a-f-]{36}@example\.com>$/)
  t.equal(value('auto-submitted'), 'auto-generated')
  t.equal(text, 'A text of its own.\r\n')
})

t.test('a mail waits for a server that was killed, and goes when it is back', async (t) => {
  const server = await startMailServer(t)
  const { sql, sender, outcomes, warnings } = await setUp(t, server.url)
  await server.kill()
  await put(sql, 'late@example.com')
  await sender.sendDue(NEVER)
  const [waiting] = await rows(sql)
  t.match(waiting, { recipient: 'late@example.com', attempts: 1 })
  const waitMs = (waiting?.waitS ?? 0) * 1000
  t.ok(waitMs > MAIL_RETRY_MS / 2 - MAIL_ATTEMPT_MS && waitMs <= MAIL_RETRY_MS, `${waitMs} ms`)
  await server.start()
  await sender.sendDue(NEVER)
  t.same(server.received, [], 'not before its time')
  await makeDue(sql)
  await sender.sendDue(NEVER)
  t.match(server.received, [{ to: ['late@example.com'] }])
  t.same(await rows(sql), [])
  t.same(outcomes, ['sent'])
  t.match(warnings, [{ message: 'mail not sent yet', fields: { attempts: 1 } }])
  t.notMatch(JSON.stringify(warnings), /late@example|Hello|A text/)
})

t.test('a recipient refused for good is given up at once, the others are not', async (t) => {
  const server = await startMailServer(t)
  const { sql, sender, outcomes, warnings } = await setUp(t, server.url)
  server.refused.set('gone@example.com', 550).set('full@example.com', 452)
  await put(sql, 'gone@example.com', 'full@example.com', 'well@example.com')
  await sender.sendDue(NEVER)
  t.match(server.received, [{ to: ['well@example.com'] }])
  t.match(await rows(sql), [{ recipient: 'full@example.com', attempts: 1 }])
  t.same(outcomes.toSorted(), ['given_up', 'sent'])
  t.match(warnings.map(({ message }) => message).toSorted(), ['mail given up', 'mail not sent yet'])
  t.match(warnings.find(({ message }) => message === 'mail given up')?.fields, { reason: /550$/ })
  t.notMatch(JSON.stringify(warnings), /@example|Hello|A text/)
})

t.test('a mail that is never taken is given up after its last attempt', async (t) => {
  const server = await startMailServer(t)
  const { sql, sender, outcomes, warnings } = await setUp(t, server.url)
  server.refused.set('full@example.com', 452)
  await put(sql, 'full@example.com')
  for (let attempt = 1; attempt < MAIL_ATTEMPTS_MAX; attempt++) {
    await sender.sendDue(NEVER)
    const [row] = await rows(sql)
    t.equal(row?.attempts, attempt)
    const most = (MAIL_RETRY_MS / 1000) * 3 ** (attempt - 1)
    t.ok((row?.waitS ?? 0) <= most && (row?.waitS ?? 0) > most / 2 - 10, `${row?.waitS} s`)
    await makeDue(sql)
  }
  t.same(outcomes, [])
  await sender.sendDue(NEVER)
  t.same(outcomes, ['given_up'])
  t.same(await rows(sql), [])
  t.match(warnings.at(-1), { message: 'mail given up', fields: { attempts: MAIL_ATTEMPTS_MAX } })
})

t.test('two workers never send one mail', async (t) => {
  const { sql } = await setUp(t, 'smtp://127.0.0.1:1')
  await put(sql, 'one@example.com', 'two@example.com')
  await sql.begin(async (tx) => {
    t.equal((await takeDueMails(tx)).length, 2)
    t.same(await takeDueMails(sql), [], 'while the first takes them')
  })
  t.same(await takeDueMails(sql), [], 'while they are being sent')
})

t.test('a server that hangs costs one attempt and its connection', async (t) => {
  const silent = await startSilentServer(t)
  const clock = createFakeClock()
  const { sql, sender, warnings } = await setUp(t, silent.url, clock)
  await put(sql, 'ann@example.com')
  const connected = once(silent.server, 'connection')
  const sending = sender.sendDue(NEVER)
  await connected
  const [socket] = silent.sockets
  socket?.resume()
  const cut = new Promise((resolve) => socket?.once('close', resolve))
  await clock.advance(MAIL_ATTEMPT_MS)
  await sending
  await cut
  t.match(warnings, [{ message: 'mail not sent yet', fields: { reason: 'unavailable' } }])
  t.match(await rows(sql), [{ attempts: 1 }])
})

t.test('an abort ends what is being sent, and leaves it due', async (t) => {
  const silent = await startSilentServer(t)
  const { sql, sender, warnings, outcomes } = await setUp(t, silent.url, createFakeClock())
  await put(sql, 'ann@example.com')
  await sql`update mail_outbox set attempts = ${MAIL_ATTEMPTS_MAX - 1}`
  const stop = new AbortController()
  const connected = once(silent.server, 'connection')
  const sending = sender.sendDue(stop.signal)
  await connected
  stop.abort()
  await sending
  t.match(await rows(sql), [{ recipient: 'ann@example.com' }], 'also at its last attempt')
  t.same([warnings, outcomes], [[], []])
  await makeDue(sql)
  await sender.sendDue(stop.signal)
  t.equal(silent.sockets.length, 1, 'nothing is begun after it')
})

t.test('a text that looks like SMTP arrives as text, in one mail', async (t) => {
  const server = await startMailServer(t)
  const { sql, sender } = await setUp(t, server.url)
  const trick = '.\r\nMAIL FROM:<evil@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\n'
  const bodies = [`\r\n${trick}`, `\n${trick}`, `\r${trick}`, `\r\n.\n${trick}`, `\n.\r${trick}`]
  for (const body of bodies) {
    const mail = { id: uuidv7(), recipient: 'ann@example.com', replyTo: null }
    await insertMails(sql, [{ ...mail, subject: `Hi${body}`, body: `Hello${body}` }])
  }
  await sender.sendDue(NEVER)
  t.equal(server.received.length, bodies.length)
  for (const { from, to, raw } of server.received) {
    t.same([from, to], [FROM, ['ann@example.com']])
    t.match(readMail(raw).text, 'RCPT TO:<victim@example.com>')
  }
})
