/** Subscriptions as messages: reads, merges and renders their fields. */
import type { Subscription } from '../../../proto/gen/sluice/v1/Subscription.ts'
import type { UpdateSubscriptionRequest__Output } from '../../../proto/gen/sluice/v1/UpdateSubscriptionRequest.ts'
import { invalid } from '../../access/errors.ts'
import { textsIn } from '../../core/json.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import {
  type StoredSubscription,
  SUBSCRIPTION_FIELDS,
  type SubscriptionSettings,
} from '../../store/subscriptions/subscription-store.ts'
import { fromValue } from '../../wire/proto/value.ts'
import { isEmail } from '../../wire/validation/formats.ts'
import { toUserSummary } from '../people/user-message.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { isTime } from './rules/next-send.ts'

/** Full name of the message, as the audit log takes it. */
export const SUBSCRIPTION_TYPE = 'sluice.v1.Subscription'

/** Settings of a new subscription unless its request sets them, but for its object. */
export const SUBSCRIPTION_DEFAULTS = {
  ...defaultsOf(SUBSCRIPTION_FIELDS),
  emails: [],
} satisfies Partial<SubscriptionSettings>

/** The writable fields, which the messages of a create and an update share. */
export type SubscriptionRequest = Omit<UpdateSubscriptionRequest__Output, 'id' | 'project_id'>

/**
 * The settings that `base` and the given fields make together.
 * @throws {AppError} `invalid_argument` of the first field that is wrong.
 */
export function mergeSubscription(
  base: SubscriptionSettings,
  request: SubscriptionRequest,
): SubscriptionSettings {
  const merged = {
    ...base,
    ...mergeFields(SUBSCRIPTION_FIELDS, base, request),
    emails: request.recipients === null ? base.emails : emailsOf(fromValue(request.recipients)),
  }
  if (!isTime(merged.timeOfDay)) throw invalid('Must be a time such as 09:30.', 'time_of_day')
  if (merged.kind === 'summary' && merged.frequency !== 'weekly') {
    throw invalid('A summary is weekly.', 'frequency')
  }
  return merged
}

/** In lower case, each once. */
function emailsOf(given: unknown): readonly string[] {
  const emails = textsIn(given).map((text) => text.trim().toLowerCase())
  const wrong = emails.findIndex((email) => !isEmail(email))
  if (wrong >= 0) throw invalid('Enter a valid email address.', `recipients__${wrong}`)
  return [...new Set(emails)]
}

export function toSubscription(stored: StoredSubscription): Subscription {
  const { insight, dashboard } = stored
  return {
    id: stored.id,
    kind: stored.kind,
    ...given(
      'insight',
      insight && { id: insight.id, short_id: insight.shortId, name: insight.name },
    ),
    ...given('dashboard', dashboard && { id: dashboard.id, name: dashboard.name }),
    ...toFields(SUBSCRIPTION_FIELDS, stored),
    recipients: stored.recipients.map(({ email, state, reason, changedAt }) => ({
      email,
      state,
      ...given('reason', reason),
      changed_at: changedAt,
    })),
    ...given('disabled_reason', stored.disabledReason),
    ...given('last_sent_at', stored.lastSentAt),
    ...given('next_send_at', stored.enabled ? stored.nextSendAt : null),
    created_at: stored.createdAt,
    ...given('created_by', stored.createdBy && toUserSummary(stored.createdBy)),
  }
}

/** Messages have no other form of null than an absent field. */
function given<Name extends string, T>(name: Name, value: T | null) {
  // One member of the name, or none.
  return (value === null ? {} : { [name]: value }) as { readonly [Key in Name]?: T }
}
