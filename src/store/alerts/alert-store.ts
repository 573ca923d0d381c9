/** Rows of alerts, as members read and change them. */
import type { ProjectId, UserId } from '../../core/ids.ts'
import type { Json } from '../../core/json.ts'
import { timeText } from '../../postgres/columns.ts'
import type { Db } from '../../postgres/db.ts'
import {
  assignmentsOf,
  columnsText,
  field,
  namesText,
  type SettingsOf,
  valuesOf,
} from '../../postgres/settings-fields.ts'
import { type UserSummary, userSummary } from '../people/user-store.ts'

const CALCULATION_INTERVALS = ['daily', 'hourly', 'weekly', 'monthly'] as const
export type CalculationInterval = (typeof CALCULATION_INTERVALS)[number]

/** The fields of an alert that members may write, but for its insight, mute, users and webhook. */
export const ALERT_FIELDS = {
  name: field.text(''),
  condition: field.json(null, { isNotNull: true }),
  threshold: field.json({}, { isNotNull: true }),
  config: field.json({ type: 'TrendsAlertConfig', series_index: 0 }, { isNotNull: true }),
  calculation_interval: field.choice(...CALCULATION_INTERVALS),
  enabled: field.boolean(true),
  chat: field.boolean(false),
}

export type AlertFields = SettingsOf<typeof ALERT_FIELDS>

export type AlertSettings = AlertFields & {
  readonly insightId: number | null
  /** ISO 8601; null: it is not muted. */
  readonly snoozedUntil: string | null
  readonly userIds: readonly UserId[]
  readonly webhookUrl: string | null
}

export type AlertState = 'Firing' | 'Not firing' | 'Errored'

export type StoredAlert = AlertSettings & {
  /** UUID. */
  readonly id: string
  readonly webhookSecret: string
  readonly webhookError: string | null
  readonly isWebhookDisabled: boolean
  readonly disabledReason: string | null
  readonly state: AlertState
  readonly lastValue: number | null
  /** Null once the insight is gone. */
  readonly insight: {
    readonly id: number
    readonly shortId: string
    readonly name: string
    readonly deleted: boolean
    readonly query: Json
  } | null
  /** Subscribed users that still exist. */
  readonly users: readonly UserSummary[]
  /** ISO 8601, microseconds, `Z`. */
  readonly lastCheckedAt: string | null
  readonly lastNotifiedAt: string | null
  readonly nextCheckAt: string
  readonly createdAt: string
  readonly createdBy: UserSummary | null
}

export type AlertSelection = {
  readonly project: ProjectId
  /** Undefined: of any insight. */
  readonly insightId: number | undefined
}

const COLUMNS = columnsText('a', ALERT_FIELDS)
const NAMES = namesText(ALERT_FIELDS)

function alertColumns(db: Db) {
  return db`
    a.id::text as id, a.insight_id as "insightId", ${db.unsafe(COLUMNS)},
    a.subscribed_users as "userIds", a.webhook_url as "webhookUrl",
    a.webhook_secret as "webhookSecret", a.webhook_error as "webhookError",
    a.webhook_disabled_at is not null as "isWebhookDisabled",
    a.disabled_reason as "disabledReason", a.state, a.last_value as "lastValue",
    ${timeText(db, 'a.snoozed_until')} as "snoozedUntil",
    ${timeText(db, 'a.last_checked_at')} as "lastCheckedAt",
    ${timeText(db, 'a.last_notified_at')} as "lastNotifiedAt",
    ${timeText(db, 'a.next_check_at')} as "nextCheckAt",
    ${timeText(db, 'a.created_at')} as "createdAt",
    (select ${userSummary(db)} from users u where u.id = a.created_by) as "createdBy",
    (select coalesce(json_agg(${userSummary(db)} order by u.id), '[]') from users u
      where u.id = any (a.subscribed_users)) as users,
    (select json_build_object('id', i.id, 'shortId', i.short_id, 'name', i.name,
      'deleted', i.deleted, 'query', i.query) from insights i where i.id = a.insight_id) as insight`
}

/** Newest first. */
export async function listAlerts(
  db: Db,
  selection: AlertSelection,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly StoredAlert[]> {
  return await db<StoredAlert[]>`
    select ${alertColumns(db)} from alerts a where ${selected(db, selection)}
    order by a.created_at desc, a.id limit ${page.limit} offset ${page.offset}`
}

export async function countAlerts(db: Db, selection: AlertSelection): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from alerts a where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { project, insightId }: AlertSelection) {
  const of = insightId === undefined ? db`` : db`and a.insight_id = ${insightId}`
  return db`a.project_id = ${project} ${of}`
}

export async function findAlert(
  db: Db,
  project: ProjectId,
  id: string,
): Promise<StoredAlert | undefined> {
  const [row] = await db<StoredAlert[]>`
    select ${alertColumns(db)} from alerts a where a.project_id = ${project} and a.id = ${id}`
  return row
}

export async function insertAlert(
  tx: Db,
  alert: { id: string; projectId: ProjectId; author: UserId; webhookSecret: string },
  s: AlertSettings,
): Promise<void> {
  await tx`
    insert into alerts (id, project_id, created_by, webhook_secret, insight_id, snoozed_until,
      subscribed_users, webhook_url, ${tx.unsafe(NAMES)})
    values (${alert.id}, ${alert.projectId}, ${alert.author}, ${alert.webhookSecret},
      ${s.insightId}, ${s.snoozedUntil}::text::timestamptz,
      ${s.userIds.map(String)}::text[]::integer[], ${s.webhookUrl},
      ${valuesOf(tx, ALERT_FIELDS, s)})`
}

export type AlertChange = {
  /** It is checked at once, because what it looks at or whether it looks has changed. */
  readonly isDue: boolean
  /** Undefined: the webhook, and whether it works, is as before. */
  readonly webhookSecret: string | undefined
}

/** Writes every writable field. A check under way writes nothing any more. */
export async function updateAlert(
  tx: Db,
  id: string,
  s: AlertSettings,
  { isDue, webhookSecret }: AlertChange,
): Promise<void> {
  const due = isDue ? tx`, next_check_at = now()` : tx``
  const off = s.enabled ? tx`` : tx`, state = 'Not firing', is_told = false`
  const hook =
    webhookSecret === undefined
      ? tx``
      : tx`, webhook_secret = ${webhookSecret}, webhook_error = null,
        webhook_failing_since = null, webhook_disabled_at = null`
  await tx`
    update alerts set ${assignmentsOf(tx, ALERT_FIELDS, s)}, insight_id = ${s.insightId},
      snoozed_until = ${s.snoozedUntil}::text::timestamptz,
      subscribed_users = ${s.userIds.map(String)}::text[]::integer[],
      webhook_url = ${s.webhookUrl}, disabled_reason = null,
      turn = turn + 1, leased_until = null ${due} ${off} ${hook}
    where id = ${id}`
}

export async function deleteAlert(tx: Db, id: string): Promise<void> {
  await tx`delete from alerts where id = ${id}`
}

/** Reason of an alert without insight, as members read it. */
export const INSIGHT_DELETED = 'The insight was deleted.'

/** Switches the alerts of an insight that is deleted off, and says why. */
export async function disableAlertsOf(tx: Db, insight: number): Promise<void> {
  await tx`
    update alerts set enabled = false, disabled_reason = ${INSIGHT_DELETED}, state = 'Not firing',
      is_told = false, turn = turn + 1, leased_until = null
    where insight_id = ${insight} and enabled`
}

/** Users of the list that are active members and see the project. */
export async function findSubscribers(
  db: Db,
  project: ProjectId,
  ids: readonly number[],
): Promise<readonly UserId[]> {
  const rows = await db<{ id: UserId }[]>`
    select u.id from projects p
    join memberships m on m.organization_id = p.organization_id
    join users u on u.id = m.user_id and u.is_active
    where p.id = ${project} and u.id = any (${ids.map(String)}::text[]::integer[])
      and (not p.access_control or m.level > 1)
    order by u.id`
  return rows.map(({ id }) => id)
}

export type StoredCheck = {
  /** ISO 8601, microseconds, `Z`. */
  readonly dueAt: string
  readonly checkedAt: string
  readonly state: AlertState
  readonly value: number | null
  readonly detail: string
  readonly isTold: boolean
}

/** Newest first. */
export async function listChecks(
  db: Db,
  alert: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly StoredCheck[]> {
  return await db<StoredCheck[]>`
    select ${timeText(db, 'a.due_at')} as "dueAt", ${timeText(db, 'a.checked_at')} as "checkedAt",
      a.state, a.value, a.detail, a.is_told as "isTold"
    from alert_checks a where a.alert_id = ${alert}
    order by a.due_at desc limit ${page.limit} offset ${page.offset}`
}

export async function countChecks(db: Db, alert: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from alert_checks where alert_id = ${alert}`
  return row?.count ?? 0
}
