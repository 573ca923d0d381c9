/** Events of the members of a block, as ClickHouse has them. */

import type { NewColumnEvent } from '../clickhouse/row-binary.ts'
import { cleanText } from '../core/clean-text.ts'
import { yieldToEventLoop } from '../core/clock.ts'
import { type UnpackedEvent, unpackEvents } from '../event-store/outbox/payload.ts'
import type { OutboxRow } from './blocks.ts'

/** Bytes of a block to unpack in one turn of the event loop: about a millisecond. */
const REPLICA_TURN_BYTES = 65_536

/** The events of a member that are not left out, each with its place in the payload. */
export async function eventsOfRow(
  member: Pick<OutboxRow, 'payload' | 'skipped' | 'textBytes'>,
): Promise<readonly { readonly place: number; readonly event: UnpackedEvent }[]> {
  const { payload, skipped, textBytes } = member
  if (payload === null) return []
  const left = new Set(skipped)
  const events = await unpackEvents({ bytes: payload, textBytes })
  const placed = events.map((event, place) => ({ place, event }))
  return left.size === 0 ? placed : placed.filter(({ place }) => !left.has(place))
}

/** Events of a block. Captures of this process get turns of the event loop in between. */
export async function eventsOfRows(
  members: readonly Omit<OutboxRow, 'id' | 'removal'>[],
): Promise<NewColumnEvent[]> {
  const all: NewColumnEvent[] = []
  let bytes = 0
  for (const member of members) {
    bytes += member.textBytes
    if (bytes > REPLICA_TURN_BYTES) {
      await yieldToEventLoop()
      bytes = member.textBytes
    }
    for (const { event } of await eventsOfRow(member)) {
      all.push(columnEventOf(event, member.committedAt))
    }
  }
  return all
}

export function columnEventOf(event: UnpackedEvent, committedAt: string): NewColumnEvent {
  return {
    ...event,
    uuid: event.uuid.toLowerCase(),
    event: cleanText(event.event),
    distinctId: cleanText(event.distinctId),
    elementsChain: cleanText(event.elementsChain),
    createdAt: event.createdAt ?? committedAt,
  }
}
