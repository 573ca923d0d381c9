/** Alerts as messages: reads, merges and renders their fields. */

import type { Alert } from '../../../proto/gen/sluice/v1/Alert.ts'
import type { AlertCheck } from '../../../proto/gen/sluice/v1/AlertCheck.ts'
import type { UpdateAlertRequest__Output } from '../../../proto/gen/sluice/v1/UpdateAlertRequest.ts'
import { invalid } from '../../access/errors.ts'
import type { UserId } from '../../core/ids.ts'
import { listOf } from '../../core/json.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  ALERT_FIELDS,
  type AlertSettings,
  type StoredAlert,
  type StoredCheck,
} from '../../store/alerts/alert-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { readReference } from '../../wire/validation/scalars.ts'
import { merger } from '../merge.ts'
import { momentOf } from '../moment.ts'
import { toUserSummary } from '../people/user-message.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { given } from '../wire-value.ts'

/** Full name of the message, as the audit log takes it. */
export const ALERT_TYPE = 'sluice.v1.Alert'

/** Settings of a new alert unless its request sets them. */
export const ALERT_DEFAULTS: AlertSettings = {
  ...defaultsOf(ALERT_FIELDS),
  insightId: null,
  snoozedUntil: null,
  userIds: [],
  webhookUrl: null,
}

/** The writable fields, which the messages of a create and an update share. */
export type AlertRequest = Omit<UpdateAlertRequest__Output, 'id' | 'project_id'>

/**
 * The settings that `base` and the given fields make together.
 * @throws {AppError} `invalid_argument` of a field that cannot be one.
 */
export function mergeAlert(base: AlertSettings, request: AlertRequest): AlertSettings {
  const { orKept, orNull } = merger(request.null_fields)
  const users = fromValue(request.subscribed_users)
  return {
    ...mergeFields(ALERT_FIELDS, base, request),
    insightId: orKept(request.insight, base.insightId),
    snoozedUntil: muteOf(orNull('snoozed_until', request.snoozed_until, base.snoozedUntil)),
    userIds: request.subscribed_users === null ? base.userIds : userIds(listOf(users)),
    webhookUrl: webhookOf(orNull('webhook_url', request.webhook_url, base.webhookUrl)),
  }
}

function muteOf(text: string | null): string | null {
  return text === null ? null : momentOf(text, 'snoozed_until')
}

function userIds(given: readonly unknown[]): readonly UserId[] {
  const ids = given.map((item) => {
    const read = readReference(item)
    if (read.kind === 'value') return Number(read.value) as UserId
    throw invalid('Incorrect type. Expected pk value.', 'subscribed_users', 'incorrect_type')
  })
  return [...new Set(ids)]
}

function webhookOf(address: string | null): string | null {
  if (address === null || address === '') return null
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isHttp) throw invalid('Enter an http or https URL.', 'webhook_url')
  if (url.username !== '' || url.password !== '') {
    throw invalid('A URL with credentials is not allowed.', 'webhook_url')
  }
  return address
}

/** @param secret only where the alert has just been given it. */
export function toAlert(stored: StoredAlert, secret?: string): Alert {
  const { insight } = stored
  return {
    id: stored.id,
    ...toFields(ALERT_FIELDS, stored),
    ...(insight === null
      ? {}
      : { insight: { id: insight.id, short_id: insight.shortId, name: insight.name } }),
    ...given('disabled_reason', stored.disabledReason),
    ...given('snoozed_until', stored.snoozedUntil),
    subscribed_users: stored.users.map(toUserSummary),
    ...given('webhook_url', stored.webhookUrl),
    ...given('webhook_secret', secret ?? null),
    webhook_disabled: stored.isWebhookDisabled,
    ...given('webhook_error', stored.webhookError),
    state: stored.state,
    ...given('last_value', stored.lastValue),
    ...given('last_checked_at', stored.lastCheckedAt),
    ...given('last_notified_at', stored.lastNotifiedAt),
    ...given('next_check_at', stored.enabled ? stored.nextCheckAt : null),
    created_at: stored.createdAt,
    ...(stored.createdBy === null ? {} : { created_by: toUserSummary(stored.createdBy) }),
  }
}

export function toAlertCheck(stored: StoredCheck): AlertCheck {
  return {
    due_at: stored.dueAt,
    created_at: stored.checkedAt,
    state: stored.state,
    ...given('calculated_value', stored.value),
    detail: stored.detail,
    targets_notified: stored.isTold,
  }
}
