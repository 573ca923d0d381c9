/**
 * Turns of workers at alerts that are due. A worker takes an alert under a lease; `turn` rises with
 * each lease and each change, so that what an earlier turn still does writes nothing.
 */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/db.ts'
import {
  type AlertSettings,
  type AlertState,
  INSIGHT_DELETED,
  type StoredAlert,
} from './alert-store.ts'

/** Days that checks are kept. */
const ALERT_CHECKS_DAYS = 90

export type TakenAlert = Pick<
  AlertSettings,
  'name' | 'condition' | 'threshold' | 'config' | 'calculationInterval' | 'chat' | 'webhookUrl'
> &
  Pick<StoredAlert, 'id' | 'insight'> & {
    readonly projectId: ProjectId
    readonly turn: number
    /** Text of the time that it was due, with all its digits; milliseconds since 1970. */
    readonly dueAt: string
    readonly dueMs: number
    readonly state: AlertState
    readonly isTold: boolean
    readonly isMuted: boolean
    readonly userIds: readonly UserId[]
    readonly isWebhookDisabled: boolean
  }

/** Takes alerts that are due, the first due first. Two workers never take the same one. */
export async function takeDueAlerts(
  db: Db,
  { count, leaseMs }: { readonly count: number; readonly leaseMs: number },
): Promise<readonly TakenAlert[]> {
  return await db<TakenAlert[]>`
    with due as materialized (
      select id from alerts
      where enabled and next_check_at <= now() and (leased_until is null or leased_until < now())
      order by next_check_at, id limit ${count} for no key update skip locked
    )
    update alerts a set turn = a.turn + 1,
      leased_until = now() + make_interval(secs => ${leaseMs / 1000})
    from due where a.id = due.id
    returning a.id::text as id, a.project_id as "projectId", a.name, a.condition, a.threshold,
      a.config, a.calculation_interval as "calculationInterval", a.chat,
      a.webhook_url as "webhookUrl", a.webhook_disabled_at is not null as "isWebhookDisabled",
      a.turn, a.next_check_at::text as "dueAt",
      (extract(epoch from a.next_check_at) * 1000)::float8 as "dueMs", a.state,
      a.is_told as "isTold", coalesce(a.snoozed_until > now(), false) as "isMuted",
      a.subscribed_users as "userIds",
      (select json_build_object('id', i.id, 'shortId', i.short_id, 'name', i.name,
        'deleted', i.deleted, 'query', i.query) from insights i where i.id = a.insight_id
      ) as insight`
}

export type CheckOutcome = {
  readonly state: AlertState
  readonly value: number | null
  readonly detail: string
  /** Whether those who subscribed know that it fires, once this check is written. */
  readonly isTold: boolean
  /** This check is told of. */
  readonly isNews: boolean
  readonly nextCheckMs: number
}

/**
 * Writes a check, in the transaction of its messages.
 * @returns false when the lease was lost: another turn checks, and the transaction must end.
 */
export async function finishCheck(
  tx: Db,
  { id, turn, dueAt }: Pick<TakenAlert, 'id' | 'turn' | 'dueAt'>,
  { state, value, detail, isTold, isNews, nextCheckMs }: CheckOutcome,
): Promise<boolean> {
  const number = value === null ? null : String(value)
  const notified = isNews ? tx`, last_notified_at = now()` : tx``
  const written = await tx`
    update alerts set state = ${state}, is_told = ${isTold},
      last_value = ${number}::text::float8, last_checked_at = now(), leased_until = null,
      next_check_at = to_timestamp(${String(nextCheckMs)}::text::float8 / 1000) ${notified}
    where id = ${id} and turn = ${turn} and enabled`
  if (written.count === 0) return false
  await tx`
    insert into alert_checks (alert_id, due_at, state, value, detail, is_told)
    values (${id}, ${dueAt}::text::timestamptz, ${state}, ${number}::text::float8, ${detail},
      ${isNews})`
  await tx`
    delete from alert_checks where alert_id = ${id}
      and due_at < now() - make_interval(days => ${ALERT_CHECKS_DAYS})`
  return true
}

/** Switches an alert whose insight is gone off, unless its turn is over. */
export async function disableTaken(
  db: Db,
  { id, turn }: Pick<TakenAlert, 'id' | 'turn'>,
): Promise<void> {
  await db`
    update alerts set enabled = false, disabled_reason = ${INSIGHT_DELETED}, state = 'Not firing',
      is_told = false, leased_until = null
    where id = ${id} and turn = ${turn} and enabled`
}

/** One mail to each of the users that is an active member and sees the project. */
export async function insertAlertMails(
  tx: Db,
  { projectId, userIds }: Pick<TakenAlert, 'projectId' | 'userIds'>,
  text: { readonly subject: string; readonly body: string },
): Promise<void> {
  await tx`
    insert into mail_outbox (id, recipient, subject, body)
    select gen_random_uuid(), u.email, ${text.subject}, ${text.body}
    from projects p
    join memberships m on m.organization_id = p.organization_id
    join users u on u.id = m.user_id and u.is_active
    where p.id = ${projectId} and u.id = any (${userIds.map(String)}::text[]::integer[])
      and (not p.access_control or m.level > 1)
    order by u.id`
}
