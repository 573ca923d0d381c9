/** What the runtime changes in rows that clients see. */
import type { ProjectId } from '../../core/ids.ts'
import { isDeeperThan } from '../../core/json-depth.ts'
import { JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import { PLUGIN_ERROR_CHARS_MAX } from '../../core/limits/limits-plugins.ts'
import type { Log } from '../../core/log.ts'
import type { NewsHub } from '../../core/project-news.ts'
import { cleanJson, cleanText } from '../../core/validation/clean-text.ts'
import type { MailSettings } from '../../mail/smtp-mailer.ts'
import { disabledMail } from '../../mail/wording.ts'
import { insertDisabledMails } from '../../store/people/mail-outbox-store.ts'
import {
  clearPluginError,
  disablePluginConfig,
  savePluginCapabilities,
  savePluginError,
} from '../../store/plugins/plugin-state-store.ts'
import type { Sql } from '../../store/pool/connect.ts'
import { type Json, type JsonObject, put } from '../../wire/proto/value.ts'
import type { Capabilities, PluginStates, PluginStep } from '../ports.ts'

export type PluginStatesDeps = {
  readonly sql: Sql
  readonly news: Pick<NewsHub, 'publish'>
  readonly log: Log
  /** Undefined where no mail is sent: none is written then. */
  readonly mail?: MailSettings | undefined
}

/** Rejects when the database does not answer; each call may be made again. */
export function createPluginStates(deps: PluginStatesDeps): PluginStates {
  const { sql } = deps
  return {
    async failed(projectId, step, { error, disable }) {
      const bounded = boundedError(error)
      if (disable) await disableConfig(deps, projectId, step, bounded)
      else await savePluginError(sql, projectId, step.configId, bounded)
    },
    async loaded(projectId, { configId, pluginId }, capabilities) {
      await clearPluginError(sql, projectId, configId)
      await savePluginCapabilities(sql, pluginId, capabilitiesJson(capabilities))
    },
  }
}

/** One worker of all does it: the others find the config disabled. */
async function disableConfig(
  { sql, news, log, mail }: PluginStatesDeps,
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
  // Also when it was disabled already: by a call of ours, it may be, whose answer was lost.
  news.publish({ kind: 'revision', projectId, revision: done.revision })
  if (done.disabled === undefined) return
  log.warn('plugin disabled', { project: projectId, plugin: pluginId, config: configId })
}

/** Fits the column's bound: first goes the event, then the ends of the texts. */
export function boundedError(error: JsonObject): JsonObject {
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

function cleanObject(json: JsonObject): JsonObject {
  const clean: Record<string, Json> = {}
  for (const [key, each] of Object.entries(json)) put(clean, cleanText(key), cleanJson(each))
  return clean
}

/** As the API shows them. */
function capabilitiesJson({ methods, jobs, scheduledTasks }: Capabilities): Json {
  return cleanJson({ methods, jobs, scheduled_tasks: scheduledTasks })
}
