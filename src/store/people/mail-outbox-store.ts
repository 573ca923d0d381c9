/** Rows of mails that are to be sent. */
import type { OrganizationId, UserId } from '../../core/ids.ts'
import { MAIL_RETRY_MS, MAILS_SENDING_MAX } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'

/** Members who get a mail about one disabled config. */
const PLUGIN_DISABLED_MAILS_MAX = 1_000
/** Members who get a mail about a new one, the highest levels first. */
const JOIN_MAILS_MAX = 1_000

export type NewMail = {
  readonly id: string
  readonly recipient: string
  readonly replyTo: string | null
  readonly subject: string
  readonly body: string
}

/** Parts of a mail besides its text. */
export type MailExtras = {
  readonly html: string
  /** PNG, in the order in which the HTML names them: `cid:picture-0`. */
  readonly pictures: readonly Uint8Array[]
  /** The address that ends such mails by POST. */
  readonly unsubscribeUrl: string
}

/** A mail that was taken to be sent. */
export type DueMail = NewMail & {
  /** This one included. */
  readonly attempts: number
  /** The subscription that it belongs to; null for none. */
  readonly subscriptionId: string | null
  readonly contentId: string | null
  readonly unsubscribeUrl: string | null
}

/** Call in the transaction of the change: then no mail is lost, and none is sent without it. */
export async function insertMails(tx: Db, mails: readonly NewMail[]): Promise<void> {
  await tx`
    insert into mail_outbox (id, recipient, reply_to, subject, body)
    select id, recipient, "replyTo", subject, body
    from jsonb_to_recordset(${JSON.stringify(mails)}::text::jsonb)
      as m (id uuid, recipient text, "replyTo" text, subject text, body text)`
}

/** One mail to each active member except `joined`, if the organization wants such mails. */
export async function insertJoinMails(
  tx: Db,
  organization: OrganizationId,
  joined: UserId,
  text: { subject: string; body: string },
): Promise<void> {
  await tx`
    insert into mail_outbox (id, recipient, subject, body)
    select gen_random_uuid(), u.email, ${text.subject}, ${text.body}
    from organizations o
    join memberships m on m.organization_id = o.id and m.user_id <> ${joined}
    join users u on u.id = m.user_id and u.is_active
    where o.id = ${organization} and o.is_member_join_email_enabled
    order by m.level desc, m.joined_at limit ${JOIN_MAILS_MAX}`
}

/** Adds a mail for each active member, except those who turned off mails about disabled plugins. */
export async function insertDisabledMails(
  tx: Db,
  organization: OrganizationId,
  text: { subject: string; body: string },
): Promise<void> {
  await tx`
    insert into mail_outbox (id, recipient, subject, body)
    select gen_random_uuid(), u.email, ${text.subject}, ${text.body}
    from memberships m join users u on u.id = m.user_id and u.is_active
    where m.organization_id = ${organization}
      and u.notification_settings ->> 'plugin_disabled' is distinct from 'false'
    order by m.level desc, m.joined_at limit ${PLUGIN_DISABLED_MAILS_MAX}`
}

/**
 * Takes due mails, and sets the time of their next attempt: if the worker dies while it sends, they
 * are sent again. Two workers never take the same ones.
 */
export async function takeDueMails(db: Db): Promise<DueMail[]> {
  return await db<DueMail[]>`
    with due as materialized (
      select id from mail_outbox where next_attempt_at <= now()
      order by next_attempt_at, id limit ${MAILS_SENDING_MAX} for update skip locked
    )
    update mail_outbox m set attempts = m.attempts + 1,
      next_attempt_at = now() + (0.5 + random() / 2) * power(3, m.attempts)
        * make_interval(secs => ${MAIL_RETRY_MS / 1000})
    from due where m.id = due.id
    returning m.id, m.recipient, m.reply_to as "replyTo", m.subject, m.body, m.attempts,
      m.subscription_id::text as "subscriptionId", m.content_id::text as "contentId",
      m.unsubscribe_url as "unsubscribeUrl"`
}

/** Reads what a mail shares with others; undefined for a mail of text alone. */
export async function readExtras(
  db: Db,
  { contentId, unsubscribeUrl }: Pick<DueMail, 'contentId' | 'unsubscribeUrl'>,
): Promise<MailExtras | undefined> {
  if (contentId === null || unsubscribeUrl === null) return undefined
  const [content] = await db<{ html: string }[]>`
    select html from mail_contents where id = ${contentId}`
  if (content === undefined) return undefined
  const pictures = await db<{ png: Buffer }[]>`
    select png from mail_pictures where content_id = ${contentId} order by place`
  return { html: content.html, pictures: pictures.map(({ png }) => png), unsubscribeUrl }
}

/** Deletes a mail that was sent, or given up on, and its content with the last mail of it. */
export async function deleteMail(db: Db, id: string): Promise<void> {
  await db`
    with gone as (delete from mail_outbox where id = ${id} returning content_id)
    delete from mail_contents c using gone
    where c.id = gone.content_id
      and not exists (select from mail_outbox m where m.content_id = c.id and m.id <> ${id})`
}

/** Days after which a content without mails is removed: a mail is tried for a day. */
const CONTENT_DAYS = 7

/**
 * Removes contents that no last mail has taken along: its row was deleted together with another
 * one, by an unsubscription, by a removal of its project, or by a worker that knows no contents.
 */
export async function removeOldContents(db: Db): Promise<void> {
  await db`
    delete from mail_contents c where c.created_at < now() - make_interval(days => ${CONTENT_DAYS})
      and not exists (select from mail_outbox m where m.content_id = c.id)`
}
