/** Handlers of `AlertService`. */
import { v7 as uuidv7 } from 'uuid'
import type { AlertServiceDefinition } from '../../../proto/gen/sluice/v1/AlertService.ts'
import type { ProjectAccess } from '../../access/access.ts'
import { accepted, found, invalid, notFound, unknownObject } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { ProjectId } from '../../core/ids.ts'
import { parseUuid } from '../../events/uuid.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { Db } from '../../postgres/db.ts'
import {
  type AlertSettings,
  countAlerts,
  countChecks,
  deleteAlert,
  findAlert,
  findSubscribers,
  insertAlert,
  listAlerts,
  listChecks,
  type StoredAlert,
  updateAlert,
} from '../../store/alerts/alert-store.ts'
import { findInsight } from '../../store/saved/saved-insight-store.ts'
import type { ServiceHandlers } from '../../wire/service-handlers.ts'
import { auditorOf } from '../audit.ts'
import type { Management } from '../management.ts'
import { beginSaved, requireRoom } from '../saved/saved-rules.ts'
import { ALERT_DEFAULTS, ALERT_TYPE, mergeAlert, toAlert, toAlertCheck } from './alert-message.ts'
import { readAlertQuestion } from './rules/alert-question.ts'
import { readRule } from './rules/alert-rule.ts'
import { makeWebhookSecret } from './webhook-sender.ts'

/** Alerts of a project; one more is 400. */
const ALERTS_MAX = 200

const SERVICE = '/sluice.v1.AlertService'

export type AlertHandlersDeps = {
  readonly management: Management
  readonly sql: Sql
}

type Caller = { readonly access: ProjectAccess; readonly principal: Principal }

type Handlers = ServiceHandlers<AlertServiceDefinition>

/** Like insights, alerts are no part of the compiled state of their project. */
export function createAlertHandlers(deps: AlertHandlersDeps): Handlers {
  return { ...readHandlers(deps), ...changeHandlers(deps) }
}

function readHandlers({
  management,
  sql,
}: AlertHandlersDeps): Pick<Handlers, 'ListAlerts' | 'GetAlert' | 'ListAlertChecks'> {
  return {
    ListAlerts: management.underProject(`${SERVICE}/ListAlerts`, {
      async run({ request, access }) {
        const selection = { project: access.projectId, insightId: request.insight_id }
        const [count, alerts] = await Promise.all([
          countAlerts(sql, selection),
          listAlerts(sql, selection, request),
        ])
        return { count, results: alerts.map((alert) => toAlert(alert)) }
      },
    }),

    GetAlert: management.underProject(`${SERVICE}/GetAlert`, {
      find: ({ request, access }) => alertOf(sql, access.projectId, request.id),
      run: async (_call, alert) => toAlert(alert),
    }),

    ListAlertChecks: management.underProject(`${SERVICE}/ListAlertChecks`, {
      find: ({ request, access }) => alertOf(sql, access.projectId, request.id),
      async run({ request }, { id }) {
        const [count, checks] = await Promise.all([
          countChecks(sql, id),
          listChecks(sql, id, request),
        ])
        return { count, results: checks.map(toAlertCheck) }
      },
    }),
  }
}

function changeHandlers({
  management,
  sql,
}: AlertHandlersDeps): Pick<Handlers, 'CreateAlert' | 'UpdateAlert' | 'DeleteAlert'> {
  return {
    CreateAlert: management.underProject(`${SERVICE}/CreateAlert`, {
      async run({ request, access, principal }) {
        const { projectId } = access
        const settings = mergeAlert(ALERT_DEFAULTS, request)
        const secret = makeWebhookSecret()
        const alert = await beginSaved(sql, projectId, async (tx) => {
          const selection = { project: projectId, insightId: undefined }
          await requireRoom(countAlerts(tx, selection), ALERTS_MAX, 'alerts')
          await requireAlert(tx, projectId, settings, ALERT_DEFAULTS)
          const identity = { id: uuidv7(), projectId, author: principal.userId }
          await insertAlert(tx, { ...identity, webhookSecret: secret }, settings)
          return await written(tx, { access, principal }, null, identity.id)
        })
        return toAlert(alert, settings.webhookUrl === null ? undefined : secret)
      },
    }),

    UpdateAlert: management.underProject(`${SERVICE}/UpdateAlert`, {
      find: ({ request, access }) => alertOf(sql, access.projectId, request.id),
      async run({ request, access, principal }, { id }) {
        const { projectId } = access
        const isHookGiven =
          request.webhook_url !== undefined || request.null_fields.includes('webhook_url')
        const secret = isHookGiven ? makeWebhookSecret() : undefined
        const alert = await beginSaved(sql, projectId, async (tx) => {
          const before = found(await findAlert(tx, projectId, id))
          const settings = mergeAlert(before, request)
          await requireAlert(tx, projectId, settings, before)
          const change = { isDue: looksElsewhere(before, settings), webhookSecret: secret }
          await updateAlert(tx, id, settings, change)
          return await written(tx, { access, principal }, before, id)
        })
        return toAlert(alert, alert.webhookUrl === null ? undefined : secret)
      },
    }),

    DeleteAlert: management.underProject(`${SERVICE}/DeleteAlert`, {
      find: ({ request, access }) => alertOf(sql, access.projectId, request.id),
      async run({ access, principal }, { id }) {
        await beginSaved(sql, access.projectId, async (tx) => {
          const before = found(await findAlert(tx, access.projectId, id))
          await deleteAlert(tx, id)
          await auditAlert(tx, { access, principal }, { before, after: null })
        })
        return {}
      },
    }),
  }
}

/**
 * Checks a rule against its insight, and new users against the members.
 * @throws {AppError} `invalid_argument` of the first field that is wrong.
 */
async function requireAlert(
  tx: Db,
  project: ProjectId,
  settings: AlertSettings,
  before: AlertSettings,
): Promise<void> {
  const rule = accepted(readRule(settings))
  const { insightId: id } = settings
  const insight = id === null ? undefined : await findInsight(tx, project, { kind: 'id', id })
  const isThere = insight !== undefined && !insight.deleted
  if (id !== null && !isThere && id !== before.insightId) throw unknownObject(id, 'insight')
  // One whose insight is gone can be renamed, and not enabled.
  if (isThere) accepted(readAlertQuestion(insight.query, rule))
  else if (settings.enabled) throw invalid('The insight of the alert is deleted.', 'insight')
  const added = settings.userIds.filter((user) => !before.userIds.includes(user))
  const members = added.length === 0 ? [] : await findSubscribers(tx, project, added)
  const stranger = added.find((user) => !members.includes(user))
  if (stranger !== undefined) throw unknownObject(stranger, 'subscribed_users')
}

/** Whether an alert must be checked anew after a change. */
function looksElsewhere(before: AlertSettings, after: AlertSettings): boolean {
  const looked = ({ enabled, insightId, condition, threshold, config, ...s }: AlertSettings) =>
    JSON.stringify([enabled, insightId, condition, threshold, config, s.calculationInterval])
  return looked(before) !== looked(after)
}

const auditAlert = auditorOf<StoredAlert>({
  scope: 'Alert',
  type: ALERT_TYPE,
  idOf: ({ id }) => id,
  nameOf: ({ name, insight }) => name || insight?.name || null,
  show: (alert) => toAlert(alert),
  // Addresses of webhooks often hold a key of their own.
  secrets: ['webhook_url'],
  derived: [
    'state',
    'last_value',
    'last_checked_at',
    'last_notified_at',
    'next_check_at',
    'webhook_error',
    'webhook_disabled',
  ],
})

/** The alert after a change, with its entry in the audit log. */
async function written(
  tx: Db,
  caller: Caller,
  before: StoredAlert | null,
  id: string,
): Promise<StoredAlert> {
  const after = found(await findAlert(tx, caller.access.projectId, id))
  await auditAlert(tx, caller, { before, after })
  return after
}

async function alertOf(db: Db, project: ProjectId, text: string): Promise<StoredAlert> {
  const id = parseUuid(text)
  if (id === undefined) throw notFound()
  return found(await findAlert(db, project, id))
}
