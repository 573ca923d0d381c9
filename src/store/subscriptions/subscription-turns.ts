/**
 * Turns of workers at subscriptions that are due, as those at alerts: a lease, and a number that
 * rises with each lease and each change.
 */
import type { ProjectId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import type { SubscriptionFields, SubscriptionKind } from './subscription-store.ts'

/** Days that a link to unsubscribe works at least; mails are kept for longer than they are read. */
const UNSUBSCRIBE_DAYS = 400

export type TakenSubscription = SubscriptionFields & {
  readonly id: string
  readonly projectId: ProjectId
  readonly kind: SubscriptionKind
  readonly insightId: number | null
  readonly dashboardId: number | null
  readonly turn: number
  /** Milliseconds since 1970 of the time that it was due. */
  readonly dueMs: number
  /** Addresses that get mails. */
  readonly emails: readonly string[]
}

/** Takes subscriptions that are due, the first due first. Two workers never take the same one. */
export async function takeDueSubscriptions(
  db: Db,
  { count, leaseMs }: { readonly count: number; readonly leaseMs: number },
): Promise<readonly TakenSubscription[]> {
  return await db<TakenSubscription[]>`
    with due as materialized (
      select id from subscriptions
      where enabled and next_send_at <= now() and (leased_until is null or leased_until < now())
      order by next_send_at, id limit ${count} for no key update skip locked
    )
    update subscriptions s set turn = s.turn + 1,
      leased_until = now() + make_interval(secs => ${leaseMs / 1000})
    from due where s.id = due.id
    returning s.id::text as id, s.project_id as "projectId", s.kind, s.insight_id as "insightId",
      s.dashboard_id as "dashboardId", s.title, s.frequency, s.day_of_week as "dayOfWeek",
      s.day_of_month as "dayOfMonth", s.time_of_day as "timeOfDay", s.chat, s.enabled, s.turn,
      (extract(epoch from s.next_send_at) * 1000)::float8 as "dueMs",
      (select coalesce(json_agg(r.email order by r.email), '[]') from subscription_recipients r
        where r.subscription_id = s.id and r.is_listed and r.state = 'active') as emails`
}

type Turn = Pick<TakenSubscription, 'id' | 'turn'>

/**
 * Ends a turn, in the transaction of its messages.
 * @returns false when the lease was lost: another turn sends, and the transaction must end.
 */
export async function finishSending(
  tx: Db,
  { id, turn }: Turn,
  nextSendMs: number,
): Promise<boolean> {
  const written = await tx`
    update subscriptions set last_sent_at = now(), leased_until = null,
      next_send_at = to_timestamp(${String(nextSendMs)}::text::float8 / 1000)
    where id = ${id} and turn = ${turn} and enabled`
  return written.count > 0
}

/** Switches a subscription off whose object is gone, unless its turn is over. */
export async function disableSubscription(
  db: Db,
  { id, turn }: Turn,
  reason: string,
): Promise<void> {
  await db`
    update subscriptions set enabled = false, disabled_reason = ${reason}, leased_until = null
    where id = ${id} and turn = ${turn} and enabled`
}

export type SubscriptionMail = {
  readonly email: string
  readonly body: string
  readonly unsubscribeUrl: string
  readonly tokenDigest: Uint8Array
}

export type SubscriptionMails = {
  /** UUID. */
  readonly contentId: string
  readonly html: string
  readonly pictures: readonly Uint8Array[]
  readonly subject: string
  readonly mails: readonly SubscriptionMail[]
}

/**
 * One mail for each address that is still listed and active; they share HTML and pictures. Call in
 * the transaction that ends the turn.
 */
export async function insertSubscriptionMails(
  tx: Db,
  subscription: string,
  { contentId, html, pictures, subject, mails }: SubscriptionMails,
): Promise<void> {
  await tx`delete from unsubscribe_tokens where subscription_id = ${subscription}
    and created_at < now() - make_interval(days => ${UNSUBSCRIBE_DAYS})`
  await tx`insert into mail_contents (id, html) values (${contentId}, ${html})`
  for (const [place, png] of pictures.entries()) {
    await tx`
      insert into mail_pictures (content_id, place, png)
      values (${contentId}, ${place}, ${Buffer.from(png)})`
  }
  for (const { email, body, unsubscribeUrl, tokenDigest } of mails) {
    const written = await tx`
      insert into mail_outbox (id, recipient, subject, body, content_id, unsubscribe_url,
        subscription_id)
      select gen_random_uuid(), r.email, ${subject}, ${body}, ${contentId}, ${unsubscribeUrl},
        r.subscription_id
      from subscription_recipients r where r.subscription_id = ${subscription}
        and r.email = ${email} and r.is_listed and r.state = 'active'`
    if (written.count === 0) continue
    await tx`
      insert into unsubscribe_tokens (digest, subscription_id, email)
      values (${Buffer.from(tokenDigest)}, ${subscription}, ${email})`
  }
}

/** Ends mails to the address of a secret, those that wait too. @returns false for an unknown one. */
export async function unsubscribe(db: Db, digest: Uint8Array): Promise<boolean> {
  const [row] = await db<{ count: number }[]>`
    with named as (
      select subscription_id, email from unsubscribe_tokens where digest = ${Buffer.from(digest)}
    ), gone as (
      insert into subscription_recipients as r (subscription_id, email, is_listed, state, reason)
      select subscription_id, email, false, 'unsubscribed', 'The address has unsubscribed.' from named
      on conflict (subscription_id, email) do update set state = excluded.state,
        reason = excluded.reason, changed_at = now()
      where r.state <> 'unsubscribed'
    ), waiting as (
      delete from mail_outbox m using named n
      where m.subscription_id = n.subscription_id and m.recipient = n.email
    )
    select count(*)::integer as count from named`
  return (row?.count ?? 0) > 0
}

/** Switches an address off that its server refuses for good. */
export async function markBounced(
  db: Db,
  subscription: string,
  email: string,
  reason: string,
): Promise<void> {
  await db`
    update subscription_recipients set state = 'bounced', reason = ${reason}, changed_at = now()
    where subscription_id = ${subscription} and email = ${email} and state = 'active'`
}
