/** Handlers of `SubscriptionService`. */

import { v7 as uuidv7 } from 'uuid'
import type { CreateSubscriptionRequest__Output } from '../../../proto/gen/sluice/v1/CreateSubscriptionRequest.ts'
import type { Subscription } from '../../../proto/gen/sluice/v1/Subscription.ts'
import type { SubscriptionServiceDefinition } from '../../../proto/gen/sluice/v1/SubscriptionService.ts'
import type { UpdateSubscriptionRequest__Output } from '../../../proto/gen/sluice/v1/UpdateSubscriptionRequest.ts'
import { type ProjectAccess, rowUuid } from '../../access/access.ts'
import { found, invalid, notFound } from '../../access/errors.ts'
import { keyDigest } from '../../access/keys.ts'
import type { Principal } from '../../access/principal.ts'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import { textsIn } from '../../core/json.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import { defaultsOf } from '../../postgres/settings-fields.ts'
import { askingProject, calendarOf } from '../../query/insights/answer.ts'
import { findProject } from '../../store/projects/project-store.ts'
import {
  countSubscriptions,
  deleteSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  type StoredSubscription,
  SUBSCRIPTION_FIELDS,
  SUBSCRIPTION_KINDS,
  type SubscriptionSettings,
  updateSubscription,
  writeRecipients,
} from '../../store/subscriptions/subscription-store.ts'
import { unsubscribe } from '../../store/subscriptions/subscription-turns.ts'
import { fromValue } from '../../wire/proto/value.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { isEmail } from '../../wire/validation/formats.ts'
import { auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import { toUserSummary } from '../people/user-message.ts'
import { beginSaved, requireDashboard, requireInsight, requireRoom } from '../saved/saved-rules.ts'
import { mergeFields, toFields } from '../settings-messages.ts'
import { given } from '../wire-value.ts'
import { isTime, nextAfterChange, nextSendMs } from './rules/next-send.ts'

/** Full name of the message, as the audit log takes it. */
const SUBSCRIPTION_TYPE = 'sluice.v1.Subscription'

/** Settings of a new subscription unless its request sets them, but for its object. */
const SUBSCRIPTION_DEFAULTS = {
  ...defaultsOf(SUBSCRIPTION_FIELDS),
  emails: [],
} satisfies Partial<SubscriptionSettings>

/** The writable fields, which the messages of a create and an update share. */
type SubscriptionRequest = Omit<UpdateSubscriptionRequest__Output, 'id' | 'project_id'>

/**
 * The settings that `base` and the given fields make together.
 * @throws {AppError} `invalid_argument` of the first field that is wrong.
 */
function mergeSubscription(
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

function toSubscription(stored: StoredSubscription): Subscription {
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

/** Subscriptions of a project; one more is 400. */
const SUBSCRIPTIONS_MAX = 200

const SERVICE = '/sluice.v1.SubscriptionService'

export type SubscriptionHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
  readonly clock: Clock
}

type Caller = { readonly access: ProjectAccess; readonly principal: Principal }

type Handlers = ServiceHandlers<SubscriptionServiceDefinition>

export function createSubscriptionHandlers(deps: SubscriptionHandlersDeps): Handlers {
  return { ...readHandlers(deps), ...changeHandlers(deps), ...publicHandlers(deps) }
}

function readHandlers({
  management,
  sql,
}: SubscriptionHandlersDeps): Pick<Handlers, 'ListSubscriptions' | 'GetSubscription'> {
  return {
    ListSubscriptions: management.underProject(`${SERVICE}/ListSubscriptions`, {
      async run({ request, access }) {
        const { insight_id: insightId, dashboard_id: dashboardId } = request
        const selection = { project: access.projectId, insightId, dashboardId }
        const [count, subscriptions] = await Promise.all([
          countSubscriptions(sql, selection),
          listSubscriptions(sql, selection, request),
        ])
        return { count, results: subscriptions.map(toSubscription) }
      },
    }),

    GetSubscription: management.underProject(`${SERVICE}/GetSubscription`, {
      find: ({ request, access }) => subscriptionOf(sql, access.projectId, request.id),
      run: async (_call, subscription) => toSubscription(subscription),
    }),
  }
}

function changeHandlers({
  management,
  sql,
  clock,
}: SubscriptionHandlersDeps): Pick<
  Handlers,
  'CreateSubscription' | 'UpdateSubscription' | 'DeleteSubscription'
> {
  const nextOf = async (project: ProjectId, settings: SubscriptionSettings) => {
    const zone = calendarOf(askingProject(found(await findProject(sql, project))))
    return nextSendMs(clock.now(), settings, zone)
  }
  return {
    CreateSubscription: management.underProject(`${SERVICE}/CreateSubscription`, {
      async run({ request, access, principal }) {
        const { projectId } = access
        const object = objectOf(request)
        const settings = mergeSubscription({ ...SUBSCRIPTION_DEFAULTS, ...object }, request)
        const nextMs = await nextOf(projectId, settings)
        const subscription = await beginSaved(sql, projectId, async (tx) => {
          const count = countSubscriptions(tx, { project: projectId })
          await requireRoom(count, SUBSCRIPTIONS_MAX, 'subscriptions')
          await requireObject(tx, projectId, settings)
          const made = { id: uuidv7(), projectId, author: principal.userId, nextSendMs: nextMs }
          await insertSubscription(tx, made, settings)
          return await written(tx, { access, principal }, null, made.id)
        })
        return toSubscription(subscription)
      },
    }),

    UpdateSubscription: management.underProject(`${SERVICE}/UpdateSubscription`, {
      find: ({ request, access }) => subscriptionOf(sql, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const { projectId } = access
        const zone = calendarOf(askingProject(found(await findProject(sql, projectId))))
        const subscription = await beginSaved(sql, projectId, async (tx) => {
          const before = found(await findSubscription(tx, projectId, id))
          const settings = mergeSubscription(before, request)
          if (settings.enabled) await requireObject(tx, projectId, settings)
          const next = nextAfterChange(clock.now(), before, settings, zone)
          await updateSubscription(tx, id, settings, next)
          if (request.recipients !== null) await writeRecipients(tx, id, settings.emails)
          return await written(tx, { access, principal }, before, id)
        })
        return toSubscription(subscription)
      },
    }),

    DeleteSubscription: management.underProject(`${SERVICE}/DeleteSubscription`, {
      find: ({ request, access }) => subscriptionOf(sql, access.projectId, request.id),
      async run({ access, principal }, { id }) {
        await beginSaved(sql, access.projectId, async (tx) => {
          const before = found(await findSubscription(tx, access.projectId, id))
          await deleteSubscription(tx, id)
          await auditSubscription(tx, { access, principal }, { before, after: null })
        })
        return {}
      },
    }),
  }
}

/** Handlers of links in mails: anybody who has one may end its mails, and nothing else. */
function publicHandlers({
  management,
  sql,
}: SubscriptionHandlersDeps): Pick<Handlers, 'Unsubscribe'> {
  return {
    Unsubscribe: management.forAnybody(`${SERVICE}/Unsubscribe`, {
      async run({ token }) {
        if (!(await unsubscribe(sql, keyDigest(token)))) throw notFound()
        return {}
      },
    }),
  }
}

/** The object that a request names, and no other. @throws {AppError} `invalid_argument`. */
function objectOf({ kind: asked, insight, dashboard }: CreateSubscriptionRequest__Output) {
  const kind = SUBSCRIPTION_KINDS.find((each) => each === asked) ?? 'summary'
  const given = { insight, dashboard }
  for (const name of ['insight', 'dashboard'] as const) {
    if (name === kind && given[name] === undefined) {
      throw invalid('This field is required.', name, 'required')
    }
    if (name !== kind && given[name] !== undefined) {
      throw invalid(`A subscription of the kind ${kind} has none.`, name)
    }
  }
  return { kind, insightId: insight ?? null, dashboardId: dashboard ?? null }
}

/** @throws {AppError} `invalid_argument` of an object that is not there. */
async function requireObject(
  tx: Db,
  project: ProjectId,
  { kind, insightId, dashboardId }: SubscriptionSettings,
): Promise<void> {
  // One whose object is gone can be renamed, and not enabled.
  const isGone = kind !== 'summary' && (kind === 'insight' ? insightId : dashboardId) === null
  if (isGone) throw invalid(`The ${kind} of the subscription is deleted.`, kind)
  if (insightId !== null) await requireInsight(tx, project, insightId)
  if (dashboardId !== null) await requireDashboard(tx, project, dashboardId)
}

const auditSubscription = auditorOf<StoredSubscription>({
  scope: 'Subscription',
  type: SUBSCRIPTION_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ title, insight, dashboard }) => title || insight?.name || dashboard?.name || null,
  show: (subscription) => toSubscription(subscription),
  derived: ['last_sent_at', 'next_send_at'],
})

/** The subscription after a change, with its entry in the audit log. */
async function written(
  tx: Db,
  caller: Caller,
  before: StoredSubscription | null,
  id: string,
): Promise<StoredSubscription> {
  const after = found(await findSubscription(tx, caller.access.projectId, id))
  await auditSubscription(tx, caller, { before, after })
  return after
}

async function subscriptionOf(
  db: Db,
  project: ProjectId,
  text: string,
): Promise<StoredSubscription> {
  const id = found(rowUuid(text))
  return found(await findSubscription(db, project, id))
}
