/** Runs one event through the plugins of a project, for authors and users of plugins. */

import type { Value__Output } from '../../../proto/gen/google/protobuf/Value.ts'
import type { DryRunPluginConfigResponse } from '../../../proto/gen/sluice/v1/DryRunPluginConfigResponse.ts'
import type { PluginDryStep } from '../../../proto/gen/sluice/v1/PluginDryStep.ts'
import { invalid } from '../../access/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isDeeperThan, isObject, type Json, type JsonObject } from '../../core/json.ts'
import {
  DISTINCT_ID_LENGTH_MAX,
  EVENT_NAME_LENGTH_MAX,
  JSON_DEPTH_MAX,
} from '../../core/limits/limits.ts'
import { PLUGIN_EVENT_CHARS_MAX } from '../../core/limits/limits-plugins.ts'
import type { DryStep, PluginRuntime } from '../../plugins/ports.ts'
import { objectOf, toWireValue } from '../wire-value.ts'

/** Characters of events and logs in the answer to a dry run. */
export const PLUGIN_DRY_RUN_CHARS_MAX = 8_388_608

/** Part of the plugin runtime that a dry run needs. */
export type DryRunner = Pick<PluginRuntime, 'dryRun'>

/**
 * Takes the event through the plan up to and with the config; nothing is stored.
 * @throws {AppError} `invalid_argument` of the member of the event that is at fault.
 */
export async function dryRunEvent(
  plugins: DryRunner,
  projectId: ProjectId,
  configId: number,
  given: Value__Output | null,
): Promise<DryRunPluginConfigResponse> {
  const { steps } = await plugins.dryRun(projectId, configId, readEvent(objectOf(given)))
  let left = PLUGIN_DRY_RUN_CHARS_MAX
  return {
    steps: steps.map((step) => {
      const shown = toWireStep(step, left)
      left -= shown.chars
      return shown.step
    }),
  }
}

/** The event with the members that a capture requires; a numeric id becomes a text, as there. */
function readEvent(event: JsonObject): JsonObject {
  if (JSON.stringify(event).length > PLUGIN_EVENT_CHARS_MAX) {
    const detail = `The event is longer than ${PLUGIN_EVENT_CHARS_MAX} characters.`
    throw invalid(detail, 'event', 'max_length')
  }
  const name = textOf(event, 'event', EVENT_NAME_LENGTH_MAX)
  const id = textOf(event, 'distinct_id', DISTINCT_ID_LENGTH_MAX)
  for (const member of ['properties', '$set', '$set_once'] as const) {
    const value = event[member] ?? null
    if (value !== null && !isObject(value)) throw invalid(NOT_AN_OBJECT, attrOf(member))
  }
  return { ...event, event: name, distinct_id: id }
}

const NOT_AN_OBJECT = 'Expected an object.'

function textOf(event: JsonObject, member: string, lengthMax: number): string {
  const value = event[member] ?? null
  const attr = attrOf(member)
  if (value === null) throw invalid('This field is required.', attr, 'required')
  if (typeof value !== 'string' && typeof value !== 'number') throw invalid('Not a text.', attr)
  const text = String(value).trim()
  if (text === '') throw invalid('This field may not be blank.', attr, 'blank')
  if ([...text].length > lengthMax) {
    const detail = `Ensure this field has no more than ${lengthMax} characters.`
    throw invalid(detail, attr, 'max_length')
  }
  return text
}

function attrOf(member: string): string {
  return `event__${member}`
}

/** Events and logs that are over `charsMax` are left out: the answer must fit into a message. */
function toWireStep(step: DryStep, charsMax: number): { step: PluginDryStep; chars: number } {
  const { configId, name, outcome } = step
  let chars = 0
  const fits = (length: number) => {
    if (chars + length > charsMax) return false
    chars += length
    return true
  }
  const problem = problemOf(step.event, fits)
  const logs = step.logs.filter(({ message }) => fits(message.length))
  const error = step.error ?? problem ?? (logs.length < step.logs.length ? LOGS_LEFT_OUT : null)
  const event = toWireValue(problem === undefined ? step.event : null)
  const shown = { config: configId, name, outcome, event, logs: [...logs] }
  return { step: error === null ? shown : { ...shown, error }, chars }
}

const LOGS_LEFT_OUT = 'Log entries are left out: the answer would be too large.'

/** Reason not to show an event; undefined when there is none. */
function problemOf(event: Json, fits: (length: number) => boolean): string | undefined {
  if (isDeeperThan(event, JSON_DEPTH_MAX)) {
    return `The event is left out: it nests more than ${JSON_DEPTH_MAX} levels.`
  }
  if (!fits(JSON.stringify(event).length)) {
    return 'The event is left out: the answer would be too large.'
  }
  return undefined
}
