/** An event as a row of ClickHouse, and back. */
import { assert } from '../core/code.ts'
import { formatInstant } from '../events/time/instant.ts'
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
  /** As `writeJsonb` makes it. */
  readonly properties: string
  readonly elementsChain: string
  /** In the form of `timestamp`. */
  readonly createdAt: string
}

/** SQL expressions of the values that `decodeEvent` reads. */
export const EVENT_EXPRESSIONS = [
  'project_id',
  'toString(uuid)',
  'event',
  'distinct_id',
  'toString(timestamp_us)',
  'properties',
  'elements_chain',
  'toString(created_us)',
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

function timestampOf(micros: bigint): string {
  const us = ((micros % 1_000n) + 1_000n) % 1_000n
  return formatInstant(Number((micros - us) / 1_000n), Number(us))
}
