/** Checks the events that plugins return. */
import { isDeeperThan, isObject, type Json, type JsonObject } from '../../core/json.ts'
import { DISTINCT_ID_LENGTH_MAX, JSON_DEPTH_MAX } from '../../core/limits/limits.ts'
import { PLUGIN_EVENT_CHARS_MAX } from '../../core/limits/limits-plugins.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { cutText, idText } from '../../events/clean-event-text.ts'
import { eventName } from '../../events/parse-event.ts'
import { formatInstant } from '../../events/time/instant.ts'
import { parseTimestamp } from '../../events/time/timestamp.ts'
import type { PluginEvent } from '../ports.ts'
import { ipOf } from './event-form.ts'

/** The event before a step, without the members that a step may replace. */
export type EventBefore = Omit<PluginEvent, 'properties' | '$set' | '$set_once'> & {
  /** The address in its properties. */
  readonly propertyIp: string | null
}

/** Must be called before a plugin gets the event, which it may change in place. */
export function beforeStep(event: PluginEvent): EventBefore {
  const { properties, $set: _set, $set_once: _setOnce, ...rest } = event
  return { ...rest, propertyIp: ipOf(properties) }
}

export type JudgedEvent = {
  readonly event: PluginEvent
  /** Its JSON, from which it is restored. */
  readonly text: string
}

/**
 * The plugin's return value as the event for the next step, or its fault. Members that a plugin may
 * not change are as before. Never throws.
 */
export function judgeEvent(given: unknown, before: EventBefore): Result<JudgedEvent, string> {
  if (!isObject(given)) return err('The plugin returned no event: an object is expected.')
  // Checked first, because everything below recurses.
  if (isDeeperThan(given, JSON_DEPTH_MAX)) {
    return err(`The event nests more than ${JSON_DEPTH_MAX} levels.`)
  }
  const problem = problemOf(given, before)
  if (problem !== undefined) return err(problem)
  try {
    return written(assemble(given, before))
  } catch {
    // A value that JSON cannot have. A plugin in a sandbox cannot return one.
    return err('The event is not JSON.')
  }
}

function problemOf(given: JsonObject, before: EventBefore): string | undefined {
  const { team_id: team = before.team_id, event, distinct_id: id, properties } = given
  if (team !== before.team_id) return 'The plugin tried to change team_id.'
  if (typeof event !== 'string' || eventName(event) === '') return '`event` must be a text.'
  if (typeof id !== 'string' || idText(id, DISTINCT_ID_LENGTH_MAX) === '') {
    return '`distinct_id` must be a text that is not blank.'
  }
  if (cutText(id, DISTINCT_ID_LENGTH_MAX) !== id) {
    return `\`distinct_id\` is longer than ${DISTINCT_ID_LENGTH_MAX} characters.`
  }
  const isNone = properties === undefined || properties === null
  return isNone || isObject(properties) ? undefined : '`properties` must be an object.'
}

function assemble(given: JsonObject, before: EventBefore): PluginEvent {
  const { propertyIp, ...kept } = before
  const properties = propertiesOf(given['properties'])
  return {
    ...kept,
    event: String(given['event']),
    distinct_id: String(given['distinct_id']),
    properties,
    timestamp: timestampOf(given['timestamp'], before.timestamp),
    ip: settleIp(given['ip'], properties, before),
    ...(isObject(given['$set']) ? { $set: jsonOf(given['$set']) } : {}),
    ...(isObject(given['$set_once']) ? { $set_once: jsonOf(given['$set_once']) } : {}),
  }
}

function written(event: PluginEvent): Result<JudgedEvent, string> {
  const text = JSON.stringify(event)
  if (text.length <= PLUGIN_EVENT_CHARS_MAX) return ok({ event, text })
  return err(`The event is longer than ${PLUGIN_EVENT_CHARS_MAX} characters.`)
}

/** `ip` and `$ip` are the same. The one that the plugin changed counts, for the next plugin too. */
function settleIp(
  given: unknown,
  properties: PluginEvent['properties'],
  before: EventBefore,
): string | null {
  const propertyIp = ipOf(properties)
  if (propertyIp !== before.propertyIp || given === undefined) return propertyIp
  const ip = typeof given === 'string' && given !== '' ? given : null
  if (ip === before.ip) return ip
  if (ip === null) delete properties['$ip']
  else properties['$ip'] = ip
  return ip
}

/** A time that cannot be read counts as absent. */
function timestampOf(given: unknown, before: string): string {
  if (typeof given !== 'string' || given === before) return before
  const at = parseTimestamp(given)
  return at === undefined ? before : formatInstant(at.ms, at.us)
}

/** The plugin's own object. `JSON.stringify` decides which parts are kept. */
function propertiesOf(given: unknown): PluginEvent['properties'] {
  return isObject(given) ? (given as PluginEvent['properties']) : {}
}

function jsonOf(given: JsonObject): Json {
  return given as { [key: string]: Json }
}
