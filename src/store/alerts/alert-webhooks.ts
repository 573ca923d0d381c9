/** Rows of messages for the webhooks of alerts. */
import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { PLUGIN_FETCH_MS } from '../../core/limits/limits.ts'
import type { Db } from '../../postgres/db.ts'

/** Messages that one turn takes, and sends at a time. */
export const WEBHOOKS_SENDING_MAX = 20
/** Pause before the second attempt, on average a quarter less; it doubles, to an hour. */
const WEBHOOK_RETRY_S = 60
const WEBHOOK_RETRY_MAX_S = 3_600
/** Doublings that reach the longest pause. */
const WEBHOOK_DOUBLINGS_MAX = 6
/** Hours of nothing but failures after which a webhook is switched off. */
const WEBHOOK_FAILING_HOURS = 24
assert(PLUGIN_FETCH_MS < (WEBHOOK_RETRY_S * 1_000) / 2, 'none is due while it is being sent')

/** A message that was taken to be sent. */
export type DueWebhook = {
  /** UUID, the same at each attempt. */
  readonly id: string
  readonly alertId: string
  readonly projectId: ProjectId
  /** The address that the alert has now; null for none. */
  readonly address: string | null
  readonly secret: string
  readonly body: string
  /** This one included. */
  readonly attempts: number
}

/** Call in the transaction of the check. */
export async function insertWebhook(tx: Db, alert: string, body: string): Promise<void> {
  await tx`
    insert into alert_webhooks (id, alert_id, body) values (gen_random_uuid(), ${alert}, ${body})`
}

/**
 * Takes due messages, and sets the time of their next attempt: if the worker dies while it sends,
 * they are sent again. Two workers never take the same ones.
 */
export async function takeDueWebhooks(db: Db): Promise<readonly DueWebhook[]> {
  return await db<DueWebhook[]>`
    with due as materialized (
      select id from alert_webhooks where next_attempt_at <= now()
      order by next_attempt_at, id limit ${WEBHOOKS_SENDING_MAX} for update skip locked
    )
    update alert_webhooks w set attempts = w.attempts + 1,
      next_attempt_at = now() + (0.5 + random() / 2) * least(${WEBHOOK_RETRY_MAX_S}::integer,
        ${WEBHOOK_RETRY_S} * power(2, least(w.attempts, ${WEBHOOK_DOUBLINGS_MAX}::integer))
      ) * interval '1 second'
    from due, alerts a where w.id = due.id and a.id = w.alert_id
    returning w.id::text as id, w.alert_id::text as "alertId", a.project_id as "projectId",
      a.webhook_url as address, a.webhook_secret as secret, w.body, w.attempts`
}

/** Ends a message that was taken; the webhook works. */
export async function webhookTook(
  db: Db,
  { id, alertId }: Pick<DueWebhook, 'id' | 'alertId'>,
): Promise<void> {
  await db`
    with sent as (delete from alert_webhooks where id = ${id})
    update alerts set webhook_error = null, webhook_failing_since = null
    where id = ${alertId} and webhook_failing_since is not null`
}

/** Ends a message that nobody awaits any more. */
export async function dropWebhook(db: Db, { id }: Pick<DueWebhook, 'id'>): Promise<void> {
  await db`delete from alert_webhooks where id = ${id}`
}

/**
 * Notes a failure of the address that the message was sent to. After a day of nothing but failures
 * the webhook is off, and what waits for it is gone.
 * @returns whether it was switched off.
 */
export async function webhookFailed(
  db: Db,
  { alertId, address }: Pick<DueWebhook, 'alertId' | 'address'>,
  error: string,
): Promise<boolean> {
  const [row] = await db<{ off: boolean }[]>`
    with failed as (
      update alerts set webhook_error = ${error},
        webhook_failing_since = coalesce(webhook_failing_since, now()),
        webhook_disabled_at = case
          when webhook_failing_since <= now() - make_interval(hours => ${WEBHOOK_FAILING_HOURS})
          then now() end
      where id = ${alertId} and webhook_url = ${address}
      returning id, webhook_disabled_at is not null as off
    ), gone as (
      delete from alert_webhooks w using failed f where f.off and w.alert_id = f.id
    )
    select off from failed`
  return row?.off === true
}
