/** Writes the state of plugin configs that clients see. */
import type { ChangeFeed } from '../../core/change-feed.ts'
import { cleanJson, cleanObject } from '../../core/clean-text.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isDeeperThan, type Json, type JsonObject } from '../../core/json.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import type { Log } from '../../core/log.ts'
import { disabledMail } from '../../mail/mail-templates.ts'
import type { MailSettings } from '../../mail/smtp-mailer.ts'
import type { Sql } from '../../postgres/connect.ts'
import type { PluginStep } from '../../project/plugin-ports.ts'
import { insertDisabledMails } from '../../store/people/mail-outbox-store.ts'
import {
  clearPluginError,
  disablePluginConfig,
  savePluginCapabilities,
  savePluginError,
} from '../../store/plugins/plugin-state-store.ts'
import type { Capabilities, PluginStates } from '../ports.ts'

/** The error of a config as JSON text. */
export const PLUGIN_ERROR_CHARS_MAX = 65_536

export type PluginStatesDeps = {
  readonly sql: Sql
  readonly feed: Pick<ChangeFeed, 'publish'>
  readonly log: Log
  /** Undefined where no mail is sent. No mail is written then. */
  readonly mail?: MailSettings | undefined
}

/** Rejects when the database does not answer. Each call may be repeated. */
export function createPluginStates(deps: PluginStatesDeps): PluginStates {
  const { sql } = deps
  return {
    async failed(projectId, step, { error, disable }) {
      const bounded = boundedError(error)
      if (disable) await disableConfig(deps, projectId, step, bounded)
      else await savePluginError(sql, projectId, step.configId, bounded)
    },
    async loaded(projectId, { configId }, capabilities) {
      await clearPluginError(sql, projectId, configId)
      await savePluginCapabilities(sql, configId, capabilitiesJson(capabilities))
    },
  }
}

/** Disables a config. One worker does it; the others find it disabled. */
async function disableConfig(
  { sql, feed, log, mail }: PluginStatesDeps,
  projectId: ProjectId,
  { configId, pluginId, stamp }: PluginStep,
  error: JsonObject,
): Promise<void> {
  const { done } = await sql.begin(async (tx) => {
    const done = await disablePluginConfig(tx, projectId, { configId, stamp }, error)
    if (done?.disabled !== undefined && mail !== undefined) {
      const { organizationId, pluginName, projectName, organizationName } = done.disabled
      const facts = { plugin: pluginName, project: projectName, organization: organizationName }
      await insertDisabledMails(tx, organizationId, disabledMail(facts))
    }
    return { done }
  })
  if (done === undefined) return
  // Also when it was disabled already: an earlier call of ours may have done so without an answer.
  feed.publish({ kind: 'revision', projectId, revision: done.revision })
  if (done.disabled === undefined) return
  log.warn('plugin disabled', { project: projectId, plugin: pluginId, config: configId })
}

/** Cuts an error to the column's bound: the event is dropped first, then texts are cut. */
function boundedError(error: JsonObject): JsonObject {
  const { event, ...rest } = error
  if (event !== undefined && fits(error)) return cleanObject(error)
  if (fits(rest)) return cleanObject(rest)
  const texts = Object.entries(rest).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  let charsMax = PLUGIN_ERROR_CHARS_MAX
  for (;;) {
    charsMax = Math.floor(charsMax / 2)
    const cut = texts.slice(0, ERROR_TEXTS_MAX).map(([key, text]) => [key, text.slice(0, charsMax)])
    const bounded: JsonObject = Object.fromEntries(cut)
    if (charsMax === 0 || fits(bounded)) return cleanObject(bounded)
  }
}

/** An error has a message, a time, a name and a stack. */
const ERROR_TEXTS_MAX = 8

function fits(error: JsonObject): boolean {
  return (
    !isDeeperThan(error, JSON_DEPTH_MAX) && JSON.stringify(error).length <= PLUGIN_ERROR_CHARS_MAX
  )
}

/** The capabilities as the API shows them. */
function capabilitiesJson({ methods, jobs, scheduledTasks }: Capabilities): Json {
  return cleanJson({ methods, jobs, scheduled_tasks: scheduledTasks })
}
