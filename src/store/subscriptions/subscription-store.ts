/** Rows of subscriptions, as members read and change them. */
import type { ProjectId, UserId } from '../../core/ids.ts'
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

/** The fields of a subscription that members may write, but for its object and its addresses. */
export const SUBSCRIPTION_FIELDS = {
  title: field.text(''),
  frequency: field.choice('weekly', 'daily', 'monthly'),
  day_of_week: field.choice(1, 2, 3, 4, 5, 6, 7),
  day_of_month: {
    kind: 'plain' as const,
    otherwise: 1,
  },
  time_of_day: field.text('09:00'),
  chat: field.boolean(false),
  enabled: field.boolean(true),
}

export const SUBSCRIPTION_KINDS = ['insight', 'dashboard', 'summary'] as const
export type SubscriptionKind = (typeof SUBSCRIPTION_KINDS)[number]

export type SubscriptionFields = SettingsOf<typeof SUBSCRIPTION_FIELDS>

export type SubscriptionSettings = SubscriptionFields & {
  readonly kind: SubscriptionKind
  readonly insightId: number | null
  readonly dashboardId: number | null
  /** Addresses, each once. */
  readonly emails: readonly string[]
}

export type StoredRecipient = {
  readonly email: string
  readonly state: 'active' | 'bounced' | 'unsubscribed'
  /** The reason why nothing is sent; null while it is active. */
  readonly reason: string | null
  /** ISO 8601, microseconds, `Z`. */
  readonly changedAt: string
}

export type StoredSubscription = SubscriptionSettings & {
  /** UUID. */
  readonly id: string
  readonly disabledReason: string | null
  /** Null once it is gone, and for another kind. */
  readonly insight: {
    readonly id: number
    readonly shortId: string
    readonly name: string
    readonly deleted: boolean
  } | null
  readonly dashboard: {
    readonly id: number
    readonly name: string
    readonly deleted: boolean
  } | null
  readonly recipients: readonly StoredRecipient[]
  readonly lastSentAt: string | null
  readonly nextSendAt: string
  readonly createdAt: string
  readonly createdBy: UserSummary | null
}

export type SubscriptionSelection = {
  readonly project: ProjectId
  /** Undefined: about any insight. */
  readonly insightId?: number | undefined
  /** Undefined: about any dashboard. */
  readonly dashboardId?: number | undefined
}

const COLUMNS = columnsText('s', SUBSCRIPTION_FIELDS)
const NAMES = namesText(SUBSCRIPTION_FIELDS)

function columns(db: Db) {
  return db`
    s.id::text as id, s.kind, s.insight_id as "insightId", s.dashboard_id as "dashboardId",
    ${db.unsafe(COLUMNS)}, s.disabled_reason as "disabledReason",
    ${timeText(db, 's.last_sent_at')} as "lastSentAt",
    ${timeText(db, 's.next_send_at')} as "nextSendAt", ${timeText(db, 's.created_at')} as "createdAt",
    (select ${userSummary(db)} from users u where u.id = s.created_by) as "createdBy",
    (select json_build_object('id', i.id, 'shortId', i.short_id, 'name', i.name, 'deleted', i.deleted)
      from insights i where i.id = s.insight_id) as insight,
    (select json_build_object('id', d.id, 'name', d.name, 'deleted', d.deleted)
      from dashboards d where d.id = s.dashboard_id) as dashboard,
    (select coalesce(json_agg(json_build_object('email', r.email, 'state', r.state,
        'reason', r.reason, 'changedAt', ${timeText(db, 'r.changed_at')}) order by r.email), '[]')
      from subscription_recipients r where r.subscription_id = s.id and r.is_listed) as recipients,
    (select coalesce(json_agg(r.email order by r.email), '[]')
      from subscription_recipients r where r.subscription_id = s.id and r.is_listed) as emails`
}

/** Newest first. */
export async function listSubscriptions(
  db: Db,
  selection: SubscriptionSelection,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly StoredSubscription[]> {
  return await db<StoredSubscription[]>`
    select ${columns(db)} from subscriptions s where ${selected(db, selection)}
    order by s.created_at desc, s.id limit ${page.limit} offset ${page.offset}`
}

export async function countSubscriptions(
  db: Db,
  selection: SubscriptionSelection,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from subscriptions s where ${selected(db, selection)}`
  return row?.count ?? 0
}

function selected(db: Db, { project, insightId, dashboardId }: SubscriptionSelection) {
  const insight = insightId === undefined ? db`` : db`and s.insight_id = ${insightId}`
  const dashboard = dashboardId === undefined ? db`` : db`and s.dashboard_id = ${dashboardId}`
  return db`s.project_id = ${project} ${insight} ${dashboard}`
}

export async function findSubscription(
  db: Db,
  project: ProjectId,
  id: string,
): Promise<StoredSubscription | undefined> {
  const [row] = await db<StoredSubscription[]>`
    select ${columns(db)} from subscriptions s where s.project_id = ${project} and s.id = ${id}`
  return row
}

export async function insertSubscription(
  tx: Db,
  made: { id: string; projectId: ProjectId; author: UserId; nextSendMs: number },
  s: SubscriptionSettings,
): Promise<void> {
  await tx`
    insert into subscriptions (id, project_id, created_by, kind, insight_id, dashboard_id,
      next_send_at, ${tx.unsafe(NAMES)})
    values (${made.id}, ${made.projectId}, ${made.author}, ${s.kind}, ${s.insightId},
      ${s.dashboardId}, to_timestamp(${String(made.nextSendMs)}::text::float8 / 1000),
      ${valuesOf(tx, SUBSCRIPTION_FIELDS, s)})`
  await writeRecipients(tx, made.id, s.emails)
}

/** Writes every writable field but the addresses. A turn under way writes nothing any more. */
export async function updateSubscription(
  tx: Db,
  id: string,
  s: SubscriptionSettings,
  nextSendMs: number,
): Promise<void> {
  await tx`
    update subscriptions set ${assignmentsOf(tx, SUBSCRIPTION_FIELDS, s)}, disabled_reason = null,
      next_send_at = to_timestamp(${String(nextSendMs)}::text::float8 / 1000),
      turn = turn + 1, leased_until = null
    where id = ${id}`
}

/** Makes these the listed addresses. One that had bounced is tried again. */
export async function writeRecipients(
  tx: Db,
  id: string,
  emails: readonly string[],
): Promise<void> {
  await tx`
    delete from subscription_recipients where subscription_id = ${id}
      and state <> 'unsubscribed' and not email = any (${[...emails]}::text[])`
  await tx`
    update subscription_recipients set is_listed = false
    where subscription_id = ${id} and not email = any (${[...emails]}::text[])`
  await tx`
    insert into subscription_recipients as r (subscription_id, email)
    select ${id}::text::uuid, email from unnest(${[...emails]}::text[]) as e (email) order by email
    on conflict (subscription_id, email) do update set is_listed = true,
      state = case r.state when 'bounced' then 'active' else r.state end,
      reason = case r.state when 'bounced' then null else r.reason end,
      changed_at = case r.state when 'bounced' then now() else r.changed_at end`
}

export async function deleteSubscription(tx: Db, id: string): Promise<void> {
  await tx`delete from subscriptions where id = ${id}`
}
