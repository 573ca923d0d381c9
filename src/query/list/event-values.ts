/** Lists the values that a property of a project's events has, to choose from. */

import { assert } from '../../core/code.ts'
import type { ProjectId } from '../../core/ids.ts'
import { isObject } from '../../core/json.ts'
import { exactJson, parseExact } from '../../core/json-text/exact-numbers.ts'
import { itemsOfList, type JsonItem } from '../../core/json-text/flat-json.ts'
import { EVENT_NAME_LENGTH_MAX, GRPC_MESSAGE_BYTES_MAX } from '../../core/limits/limits.ts'
import { EVENT_LIST_AHEAD_MS, EVENT_QUERY_TIMEOUT_MS } from '../../core/limits/limits-query.ts'
import { ok, type Result } from '../../core/result.ts'
import { listNamesOfEvents } from '../../event-store/postgres/reads/event-values-store.ts'
import type { PropertyValue } from '../../events/ports.ts'
import { DAY_MS } from '../../events/time/instant.ts'
import { microsOf } from '../bounds.ts'
import { createTimeBudget } from '../time-budget.ts'
import type { QueryError } from './event-list-query.ts'
import { type EventListDeps, inTime } from './events-list.ts'

/** Distinct values of a property that are offered, before lists are taken apart. */
export const EVENT_VALUES_MAX = 10
/** Characters of a value, or of the JSON of a list of them; longer ones are not offered. */
export const EVENT_VALUE_CHARS_MAX = 32_768
/** Event names that are offered. */
const EVENT_NAMES_MAX = 20_000
assert(
  4 * EVENT_NAME_LENGTH_MAX * EVENT_NAMES_MAX < GRPC_MESSAGE_BYTES_MAX,
  'the names of all events must fit into a message',
)

export type EventValuesRequest = {
  /** `custom_event`, or the name of an event property. */
  readonly key: string
  readonly value: string
  readonly events: readonly string[]
}

/** The key that asks for names of events in place of a property. */
const EVENT_NAME_KEY = 'custom_event'
/** Every project has these names, so they are left out. */
const USUAL_EVENTS = ['$autocapture', '$pageview', '$identify', '$pageleave', '$screen']
const DAYS_BACK = 7

/**
 * Each value once, the most frequent first. Values of a property are those of the last seven days,
 * from midnight in UTC on.
 * @throws {AppError} of the query limiter; errors of the store. Safe to retry.
 */
export async function listEventValues(
  deps: EventListDeps,
  project: ProjectId,
  { key, value: part, events }: EventValuesRequest,
  signal: AbortSignal,
): Promise<Result<readonly string[], QueryError>> {
  const { sql, events: reader, clock, scans, timeoutMs = EVENT_QUERY_TIMEOUT_MS } = deps
  if (key === '') return ok([])
  if (key === EVENT_NAME_KEY) {
    const own = sql.withSignal(signal)
    const names = () => listNamesOfEvents(own, project, USUAL_EVENTS, EVENT_NAMES_MAX)
    return await inTime(scans.run(signal, names))
  }
  const nowMs = clock.now()
  const fromMs = (Math.floor(nowMs / DAY_MS) - DAYS_BACK) * DAY_MS
  const wanted = {
    project,
    key,
    part,
    events,
    from: microsOf({ ms: fromMs, us: 0 }),
    before: microsOf({ ms: nowMs + EVENT_LIST_AHEAD_MS, us: 0 }),
    lengthMax: EVENT_VALUE_CHARS_MAX,
    limit: EVENT_VALUES_MAX,
  }
  const read = () => reader.values(wanted, { signal, time: createTimeBudget(clock, timeoutMs) })
  const values = await inTime(scans.run(signal, read))
  return values.ok ? ok(flattenValues(values.value)) : values
}

/** Replaces lists by their items, at every depth, and objects by their JSON with sorted keys. */
function flattenValues(values: readonly PropertyValue[]): readonly string[] {
  const texts = new Set<string>()
  const add = ({ kind, text }: JsonItem) => {
    if (kind === 'list') itemsOfList(text).forEach(add)
    else if (kind === 'object') texts.add(exactJson(sorted(parseExact(text))))
    else if (kind === 'value') texts.add(text)
  }
  for (const { text, isNested } of values) {
    add({ kind: isNested ? (text.startsWith('[') ? 'list' : 'object') : 'value', text })
  }
  return [...texts]
}

function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted)
  if (!isObject(json)) return json
  const keys = Object.keys(json).sort()
  return Object.fromEntries(keys.map((key) => [key, sorted(json[key])]))
}
