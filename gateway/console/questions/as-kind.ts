/** Conversion of a question to another kind. */
import type { Json, JsonObject } from '../../client/index.ts'
import {
  changed,
  intervalIn,
  type Kind,
  memberOf,
  rangeTextOf,
  seriesOf,
  withRange,
} from './question.ts'

const PAGE_VIEW = '$pageview'
const ALL: JsonObject = { kind: 'EventsNode', event: null }
const SHARED = ['properties', 'filterTestAccounts'] as const
const WITH_INTERVAL: readonly Kind[] = ['TrendsQuery', 'StickinessQuery', 'LifecycleQuery']
const WITH_BREAKDOWN: readonly Kind[] = ['TrendsQuery', 'FunnelsQuery']

/** The same events, filters and days as a question of another kind. */
export function asKind(question: JsonObject, kind: Kind): JsonObject {
  const own = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => entryOf(question, name)))
  const isTable = kind === 'EventsQuery'
  const shared = own(isTable ? ['properties'] : SHARED)
  const [from, to] = rangeTextOf(question).split('..')
  const range = { date_from: from ?? '-7d', ...(to === undefined ? {} : { date_to: to }) }
  return withRange(
    {
      kind,
      ...eventsAs(kind, nodesOf(question)),
      ...shared,
      ...(WITH_INTERVAL.includes(kind) ? { interval: intervalIn(question) } : {}),
      ...(WITH_BREAKDOWN.includes(kind) ? own(['breakdownFilter']) : {}),
    },
    range,
  )
}

function entryOf(owner: JsonObject, name: string): readonly (readonly [string, Json])[] {
  const value = owner[name]
  return value === undefined ? [] : [[name, value]]
}

/** The events that a question is about. */
function nodesOf(question: JsonObject): readonly JsonObject[] {
  const series = seriesOf(question)
  if (series.length > 0) return series
  if (question['kind'] === 'RetentionQuery') {
    const { id } = memberOf(memberOf(question, 'retentionFilter'), 'targetEntity')
    return [{ kind: 'EventsNode', event: id ?? PAGE_VIEW }]
  }
  return [{ kind: 'EventsNode', event: question['event'] ?? null }]
}

function eventsAs(kind: Kind, nodes: readonly JsonObject[]): JsonObject {
  const [first = ALL, second = ALL] = nodes
  const plain = nodes.map((node) => changed(node, { math: undefined, math_property: undefined }))
  const event = first['event'] ?? null
  switch (kind) {
    case 'TrendsQuery':
      return { series: [...nodes] }
    case 'FunnelsQuery':
      return { series: plain.length > 1 ? plain : [...plain, ALL] }
    case 'StickinessQuery':
      return { series: plain }
    case 'LifecycleQuery':
      return { series: plain.slice(0, 1) }
    case 'RetentionQuery':
      return {
        retentionFilter: {
          targetEntity: { id: event, type: 'events' },
          returningEntity: {
            id: (nodes.length > 1 ? second['event'] : event) ?? null,
            type: 'events',
          },
        },
      }
    case 'PathsQuery':
      // Without types, events of client libraries such as calls of flags would be steps too.
      return { pathsFilter: { includeEventTypes: [PAGE_VIEW, 'custom_event'] } }
    case 'EventsQuery':
      return {
        event,
        select: ['timestamp', 'event', 'distinct_id'],
        orderBy: ['-timestamp'],
        limit: 100,
      }
    default:
      return kind satisfies never
  }
}
