/** An event as a row of ClickHouse, and back. */
import { assert } from '../../core/code.ts'
import { DAY_MS, formatInstant } from '../../events/time/instant.ts'
import { partitionOf } from '../ingest/partitions.ts'
import type { Row } from './connect.ts'

/** An event that Postgres has acknowledged. Texts hold no NUL and no lone surrogate. */
export type ColumnEvent = {
  readonly projectId: number
  /** Lower case. */
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`; years 0001 to 9999. */
  readonly timestamp: string
  /** As `jsonbText` makes it. */
  readonly properties: string
  readonly elementsChain: string
  /** In the form of `timestamp`. */
  readonly createdAt: string
}

/** The month of a day `YYYY-MM-…`: the name of its partition in Postgres without the table's. */
export function monthOf(timestamp: string): string {
  return partitionOf(timestamp).name.replace('events_', '')
}

/** One line of `JSONCompactEachRow`, in the order of `COLUMN_NAMES`. */
export function encodeEvent(event: ColumnEvent, month: string, block: number): string {
  const row = [
    event.projectId,
    month,
    Math.floor(millisOf(event.timestamp) / DAY_MS),
    microsOf(event.timestamp),
    event.uuid,
    event.event,
    event.distinctId,
    event.properties,
    event.elementsChain,
    microsOf(event.createdAt),
    block,
  ]
  return `${JSON.stringify(row)}\n`
}

/** What `decodeEvent` reads, as expressions of SQL. */
export const EVENT_EXPRESSIONS = [
  ...['project_id', 'toString(uuid)', 'event', 'distinct_id', 'toString(timestamp_us)'],
  ...['properties', 'elements_chain', 'toString(created_us)'],
]

/** Reads a row of `EVENT_EXPRESSIONS`. */
export function decodeEvent(row: Row): ColumnEvent {
  assert(row.length === EVENT_EXPRESSIONS.length, 'a row of events is short')
  const [projectId, ...texts] = row
  const [uuid = '', event = '', distinctId = '', timestampUs = '', ...others] = texts.map(String)
  const [properties = '', elementsChain = '', createdUs = ''] = others
  return {
    projectId: Number(projectId),
    uuid,
    event,
    distinctId,
    timestamp: timestampOf(BigInt(timestampUs)),
    properties,
    elementsChain,
    createdAt: timestampOf(BigInt(createdUs)),
  }
}

function millisOf(timestamp: string): number {
  const ms = Date.parse(`${timestamp.slice(0, 23)}Z`)
  assert(!Number.isNaN(ms), 'an event has no time')
  return ms
}

/** Microseconds since 1970, as text: before the year 1685 they do not fit a number. */
function microsOf(timestamp: string): string {
  return String(BigInt(millisOf(timestamp)) * 1_000n + BigInt(timestamp.slice(23, 26)))
}

function timestampOf(micros: bigint): string {
  const us = ((micros % 1_000n) + 1_000n) % 1_000n
  return formatInstant(Number((micros - us) / 1_000n), Number(us))
}
