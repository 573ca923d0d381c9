/** Events of the members of a block, as ClickHouse has them. */

import { cleanText } from '../../core/clean-text.ts'
import { assert } from '../../core/code.ts'
import { jsonbText } from '../../core/json-text/jsonb-text.ts'
import type { ColumnEvent } from '../events-clickhouse/column-event.ts'
import type { Member } from './blocks.ts'
import { type PackedEvent, unpackEvents } from './payload.ts'

/** The events of a member that are not left out, each with its place in the payload. */
export async function eventsOfMember(
  member: Pick<Member, 'payload' | 'skipped' | 'textBytes'>,
): Promise<readonly { readonly place: number; readonly event: PackedEvent }[]> {
  const { payload, skipped, textBytes } = member
  if (payload === null) return []
  const left = new Set(skipped)
  const events = await unpackEvents({ bytes: payload, textBytes })
  return events.map((event, place) => ({ place, event })).filter(({ place }) => !left.has(place))
}

/** The events of a block. */
export async function eventsOfMembers(members: readonly Member[]): Promise<ColumnEvent[]> {
  const all: ColumnEvent[] = []
  for (const member of members) {
    for (const { event } of await eventsOfMember(member)) {
      all.push(columnEventOf(event, member.committedAt))
    }
  }
  return all
}

function columnEventOf(event: PackedEvent, committedAt: string): ColumnEvent {
  const properties = jsonbText(event.properties)
  // Postgres has taken it, in the same statement.
  assert(properties.ok, 'properties of the outbox are none that Postgres takes')
  return {
    ...event,
    uuid: event.uuid.toLowerCase(),
    event: cleanText(event.event),
    distinctId: cleanText(event.distinctId),
    elementsChain: cleanText(event.elementsChain),
    properties: properties.value,
    createdAt: event.createdAt ?? committedAt,
  }
}
